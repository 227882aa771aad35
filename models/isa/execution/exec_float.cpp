// SPDX-License-Identifier: Apache-2.0
// Single precision. Compiled with -frounding-math: rounding modes other than nearest are set in the host's FPU.
#include <cfenv>
#include <cmath>

#include "models/isa/execution/register_lanes.h"
#include "models/isa/execution/rounding.h"
#include "tlm/float_bits.h"
#include "tlm/vector_clones.h"

namespace isbesim::isa::run {
namespace {

/// A float source: |x|, then -x, then .FTZ / .FMZ.
words float_source(const machine& m, slot where, bool flush)
{
    const operand& source = m.now.at(where);
    words value = raw(m, source);
    if (source.absolute)
        for (auto& v : value) v &= 0x7fffffffU;
    if (source.negate)
        for (auto& v : value) v ^= 0x80000000U;
    if (flush)
        for (auto& v : value) v = flush_denormal(v);
    return value;
}

word saturate(word bits)
{
    const float value = to_float(bits);
    if (!(value > 0.0F)) return 0; // NaN too
    return value > 1.0F ? 0x3f800000U : bits;
}

/// Applies the canonical NaN, flushes denormals, applies .SAT.
void finish(machine& m, words& value, bool flush)
{
    for (auto& v : value) v = (v & 0x7fffffffU) > 0x7f800000U ? canonical_nan : v;
    if (flush)
        for (auto& v : value) v = flush_denormal(v);
    if (has(m, mod::saturate))
        for (auto& v : value) v = saturate(v);
    write_with_codes(m, value);
}

lane_mask float_compare(const machine& m, const words& a, const words& b)
{
    const unsigned code = modifier(m, mod::compare);
    return where_lanes([&](unsigned i) {
        const float x = to_float(a[i]), y = to_float(b[i]);
        return compare(code, x<y, x == y, x> y, std::isunordered(x, y));
    });
}

lane_mask float_compare(const machine& m)
{
    const bool flush = has(m, mod::flush);
    return float_compare(m, float_source(m, slot::a, flush), float_source(m, slot::b, flush));
}

constexpr unsigned fmz = 2;

/// Factor of FMUL's .D2 .D4 .D8 .M8 .M4 .M2.
double scale_factor(architecture arch, unsigned scale)
{
    constexpr double sm50[] = {1.0, 0.5, 0.25, 0.125, 8.0, 4.0, 2.0, 1.0};
    constexpr double biased[] = {1.0, 0.125, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0};
    return (arch == architecture::sm50 ? sm50 : biased)[scale & 7U];
}

} // namespace

ISBESIM_VECTOR_CLONES
void fadd(machine& m)
{
    const bool flush = has(m, mod::flush);
    const words a = float_source(m, slot::a, flush), b = float_source(m, slot::b, flush);
    words value;
    {
        const rounding_scope rounding(modifier(m, mod::round));
        value = map_lanes([&](unsigned i) { return to_bits(to_float(a[i]) + to_float(b[i])); });
    }
    finish(m, value, flush);
}

ISBESIM_VECTOR_CLONES
void fmul(machine& m)
{
    const bool flush = has(m, mod::flush);
    const words a = float_source(m, slot::a, flush), b = float_source(m, slot::b, flush);
    const double factor = scale_factor(m.warp.code->arch, modifier(m, mod::scale));
    words value;
    {
        const rounding_scope rounding(modifier(m, mod::round));
        // The product of two floats is exact in a double, so a scaled product rounds once too.
        if (factor == 1.0)
            value = map_lanes([&](unsigned i) { return to_bits(to_float(a[i]) * to_float(b[i])); });
        else
            value = map_lanes([&](unsigned i) {
                const double product = static_cast<double>(to_float(a[i])) * static_cast<double>(to_float(b[i]));
                return to_bits(static_cast<float>(product * factor));
            });
    }
    if (modifier(m, mod::flush) == fmz)
        for (unsigned i = 0; i < warp_lanes; ++i)
            if (to_float(a[i]) == 0.0F || to_float(b[i]) == 0.0F) value[i] = 0;
    finish(m, value, flush);
}

ISBESIM_VECTOR_CLONES
void ffma(machine& m)
{
    const bool flush = has(m, mod::flush);
    const words a = float_source(m, slot::a, flush), b = float_source(m, slot::b, flush),
                c = float_source(m, slot::c, flush);
    const bool zero_wins = modifier(m, mod::flush) == fmz;
    words value;
    {
        const rounding_scope rounding(modifier(m, mod::round));
        value = map_lanes([&](unsigned i) {
            const float x = to_float(a[i]), y = to_float(b[i]), z = to_float(c[i]);
            return to_bits(zero_wins && (x == 0.0F || y == 0.0F) ? 0.0F + z : std::fma(x, y, z));
        });
    }
    finish(m, value, flush);
}

ISBESIM_VECTOR_CLONES
void fmnmx(machine& m)
{
    const bool flush = has(m, mod::flush);
    const words a = float_source(m, slot::a, flush), b = float_source(m, slot::b, flush);
    const lane_mask minimum = read_predicate(m, slot::ps);
    words value = map_lanes([&](unsigned i) {
        const float x = to_float(a[i]), y = to_float(b[i]);
        if (std::isnan(x)) return b[i];
        if (std::isnan(y)) return a[i];
        const bool x_less = x < y || (x == y && std::signbit(x)); // -0 < +0
        return x_less == (((minimum >> i) & 1U) != 0) ? a[i] : b[i];
    });
    finish(m, value, false);
}

ISBESIM_VECTOR_CLONES
void fsel(machine& m)
{
    const bool flush = has(m, mod::flush);
    const words a = float_source(m, slot::a, flush), b = float_source(m, slot::b, flush);
    const lane_mask first = read_predicate(m, slot::ps);
    write_result(m, map_lanes([&](unsigned i) { return ((first >> i) & 1U) != 0 ? a[i] : b[i]; }));
}

ISBESIM_VECTOR_CLONES
void fset(machine& m)
{
    write_truth(m, with_condition(m, float_compare(m)));
}

ISBESIM_VECTOR_CLONES
void fset_float(machine& m)
{
    write_truth(m, with_condition(m, float_compare(m)), true);
}

ISBESIM_VECTOR_CLONES
void fsetp(machine& m)
{
    write_comparison(m, float_compare(m));
}

ISBESIM_VECTOR_CLONES
void fcmp(machine& m)
{
    const lane_mask first = float_compare(m, float_source(m, slot::c, has(m, mod::flush)), words{});
    const words a = raw(m, m.now.at(slot::a)), b = raw(m, m.now.at(slot::b));
    write_result(m, map_lanes([&](unsigned i) { return ((first >> i) & 1U) != 0 ? a[i] : b[i]; }));
}

// Range reduction does not change the value: the format between RRO and MUFU is internal, and sine and cosine are
// computed from the whole argument in double precision. SM75 has no RRO: its argument is in turns.
ISBESIM_VECTOR_CLONES
void rro(machine& m)
{
    write_result(m, float_source(m, slot::b, false));
}

// One turn, as the inverse of the float nearest to 1/2pi: programs multiply by that float, and the inverse cancels its
// error.
constexpr double full_turn = 1.0 / static_cast<double>(0.15915494F);

namespace {

/// Flushes the denormals of doubles to zero (PTX ISA: rcp.approx.ftz.f64, rsqrt.approx.ftz.f64).
word flush_upper_word(word bits)
{
    return (bits & 0x7ff00000U) == 0 ? bits & 0x80000000U : bits;
}

word upper_word(double value)
{
    return std::isnan(value) ? canonical_nan : flush_upper_word(static_cast<word>(to_bits(value) >> 32));
}

} // namespace

ISBESIM_VECTOR_CLONES
void mufu(machine& m)
{
    enum function : unsigned { cos, sin, ex2, lg2, rcp, rsq, rcp64h, rsq64h, sqrt, tanh };
    const unsigned which = modifier(m, mod::function);
    const words a = float_source(m, slot::a, which != rcp64h && which != rsq64h);
    const double angle_unit = m.warp.code->arch == architecture::sm50 ? 1.0 : full_turn;
    words value{};
    for (unsigned i = 0; i < warp_lanes; ++i) {
        if (((m.lanes >> i) & 1U) == 0) continue;
        const double x = static_cast<double>(to_float(a[i]));
        const double whole = to_double(0, flush_upper_word(a[i]));
        const auto rounded = [](double exact) { return to_bits(static_cast<float>(exact)); };
        switch (which) {
        case cos:
            value[i] = rounded(std::cos(x * angle_unit));
            break;
        case sin:
            value[i] = rounded(std::sin(x * angle_unit));
            break;
        case ex2:
            value[i] = rounded(std::exp2(x));
            break;
        case lg2:
            value[i] = rounded(std::log2(x));
            break;
        case rcp:
            value[i] = rounded(1.0 / x);
            break;
        case rsq:
            value[i] = rounded(1.0 / std::sqrt(x));
            break;
        case sqrt:
            value[i] = rounded(std::sqrt(x));
            break;
        case tanh:
            value[i] = rounded(std::tanh(x));
            break;
        case rcp64h:
            value[i] = upper_word(1.0 / whole);
            break;
        default:
            value[i] = upper_word(1.0 / std::sqrt(whole));
            break;
        }
    }
    if (which == rcp64h || which == rsq64h)
        write_result(m, value);
    else
        finish(m, value, true);
}

void check_division(machine& m)
{
    refuse(m, "asks whether a division is a hard one; no open compiler emits it, and no document says which are");
}

// Double precision in register pairs. Compiled with -frounding-math.

namespace {

using doubles = per_lane<double>;

doubles double_source(const machine& m, slot where)
{
    const operand& source = m.now.at(where);
    const bool immediate = source.kind == operand::source::immediate;
    operand aligned = source;
    if (source.kind == operand::source::constant) aligned.value &= ~7U; // the low bits of a double's offset are dropped
    const words low = immediate ? words{} : raw(m, aligned);
    const words high = raw(m, aligned, 1);
    doubles value;
    for (unsigned i = 0; i < warp_lanes; ++i) {
        value[i] = to_double(low[i], high[i]);
        if (source.absolute) value[i] = std::fabs(value[i]);
        if (source.negate) value[i] = -value[i];
    }
    return value;
}

void finish(machine& m, const doubles& value)
{
    words low, high;
    for (unsigned i = 0; i < warp_lanes; ++i) {
        const std::uint64_t bits = std::isnan(value[i]) ? 0x7fffffffffffffffULL : to_bits(value[i]);
        low[i] = static_cast<word>(bits);
        high[i] = static_cast<word>(bits >> 32);
    }
    write_pair(m, low, high);
    set_codes(m, high);
}

template <typename Function>
void compute(machine& m, Function f)
{
    doubles value;
    {
        const rounding_scope rounding(modifier(m, mod::round));
        for (unsigned i = 0; i < warp_lanes; ++i) value[i] = f(i);
    }
    finish(m, value);
}

lane_mask double_compare(const machine& m)
{
    const doubles a = double_source(m, slot::a), b = double_source(m, slot::b);
    const unsigned code = modifier(m, mod::compare);
    return where_lanes(
        [&](unsigned i) { return compare(code, a[i]<b[i], a[i] == b[i], a[i]> b[i], std::isunordered(a[i], b[i])); });
}

} // namespace

void dadd(machine& m)
{
    const doubles a = double_source(m, slot::a), b = double_source(m, slot::b);
    compute(m, [&](unsigned i) { return a[i] + b[i]; });
}

void dmul(machine& m)
{
    const doubles a = double_source(m, slot::a), b = double_source(m, slot::b);
    compute(m, [&](unsigned i) { return a[i] * b[i]; });
}

void dfma(machine& m)
{
    const doubles a = double_source(m, slot::a), b = double_source(m, slot::b), c = double_source(m, slot::c);
    compute(m, [&](unsigned i) { return std::fma(a[i], b[i], c[i]); });
}

void dmnmx(machine& m)
{
    const doubles a = double_source(m, slot::a), b = double_source(m, slot::b);
    const lane_mask minimum = read_predicate(m, slot::ps);
    doubles value;
    for (unsigned i = 0; i < warp_lanes; ++i) {
        const bool a_less = a[i] < b[i] || (a[i] == b[i] && std::signbit(a[i]));
        const bool take_a = std::isnan(b[i]) || (!std::isnan(a[i]) && a_less == (((minimum >> i) & 1U) != 0));
        value[i] = take_a ? a[i] : b[i];
    }
    finish(m, value);
}

void dset(machine& m)
{
    write_truth(m, with_condition(m, double_compare(m)));
}

void dsetp(machine& m)
{
    write_comparison(m, double_compare(m));
}

void dsetp_minmax(machine& m)
{
    refuse(m,
           "is a step of a minimum or maximum of doubles as the vendor's compiler makes them; no document says which "
           "two predicates it leaves");
}

} // namespace isbesim::isa::run
