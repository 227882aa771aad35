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

} // namespace isbesim::isa::run
