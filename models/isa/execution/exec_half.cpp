// SPDX-License-Identifier: Apache-2.0
// Pairs of half floats. Compiled with -frounding-math and without contraction.
#include <cmath>

#include "models/isa/execution/half_bits.h"
#include "models/isa/execution/register_lanes.h"
#include "models/isa/execution/rounding.h"
#include "tlm/float_bits.h"

namespace isbesim::isa::run {

namespace {

constexpr unsigned fmz = 2;
constexpr double smallest_normal = 0x1p-14;

/// Lower and upper half of every lane, as doubles, which hold them exactly.
struct halves {
    per_lane<double> low, high;
};

double flushed(double value)
{
    return std::fabs(value) < smallest_normal ? std::copysign(0.0, value) : value;
}

halves half_source(const machine& m, slot where)
{
    enum selection : unsigned { both, single, low_only, high_only };
    const operand& source = m.now.at(where);
    const words bits = raw(m, source);
    const bool flush = has(m, mod::flush);
    const auto with_sign = [&](double v) {
        if (source.absolute) v = std::fabs(v);
        return source.negate ? -v : v;
    };
    const auto value = [&](word half) {
        const double v = with_sign(half_to_double(half));
        return flush ? flushed(v) : v;
    };
    halves result;
    for (unsigned i = 0; i < warp_lanes; ++i) {
        if (source.part == single) { // .F32: one float for both halves
            result.low[i] = result.high[i] = with_sign(to_float(flush ? flush_denormal(bits[i]) : bits[i]));
            continue;
        }
        const word low = bits[i] & 0xffffU, high = bits[i] >> 16;
        result.low[i] = value(source.part == high_only ? high : low);
        result.high[i] = value(source.part == low_only ? low : high);
    }
    return result;
}

word finish(const machine& m, double exact)
{
    word bits = double_to_half(exact);
    if (has(m, mod::flush) && (bits & 0x7c00U) == 0) bits &= 0x8000U;
    if (!has(m, mod::saturate)) return bits;
    const double value = half_to_double(bits);
    return !(value > 0) ? 0 : value > 1 ? 0x3c00U : bits;
}

void write_halves(machine& m, const halves& value)
{
    write_result(m, map_lanes([&](unsigned i) { return finish(m, value.low[i]) | finish(m, value.high[i]) << 16; }));
}

template <typename Function>
halves each(Function f)
{
    halves result;
    for (unsigned i = 0; i < warp_lanes; ++i) {
        result.low[i] = f(i, &halves::low);
        result.high[i] = f(i, &halves::high);
    }
    return result;
}

bool zero_wins(const machine& m, double x, double y)
{
    return modifier(m, mod::flush) == fmz && (x == 0 || y == 0);
}

/// x * y + z, whose product is exact. A sum that is not gets an odd last bit, so that rounding it again to a half or a
/// float is as if it were exact.
double fused(double x, double y, double z)
{
    const double product = x * y, sum = product + z, added = sum - product;
    const double error = (product - (sum - added)) + (z - added); // what the sum lacks; NaN for infinities
    if (!(std::fabs(error) > 0) || (to_bits(sum) & 1U) != 0) return sum;
    return std::nextafter(sum, error > 0 ? HUGE_VAL : -HUGE_VAL);
}

/// Writes two halves, or with .F32 the result of the lower halves as a float.
void write_sum(machine& m, const halves& value)
{
    if (!has(m, mod::to_type)) return write_halves(m, value);
    write_result(m, map_lanes([&](unsigned i) {
                     double v = value.low[i];
                     if (has(m, mod::saturate)) v = v > 0 ? std::fmin(v, 1.0) : 0.0;
                     if (std::isnan(v)) return canonical_nan;
                     const word bits = to_bits(static_cast<float>(v));
                     return has(m, mod::flush) ? flush_denormal(bits) : bits;
                 }));
}

struct comparison {
    lane_mask low, high;
};

comparison half_compare(const machine& m)
{
    const halves a = half_source(m, slot::a), b = half_source(m, slot::b);
    const unsigned code = modifier(m, mod::compare);
    const auto lanes = [&](const per_lane<double>& x, const per_lane<double>& y) {
        return where_lanes([&](unsigned i) {
            return compare(code, x[i]<y[i], x[i] == y[i], x[i]> y[i], std::isunordered(x[i], y[i]));
        });
    };
    return {lanes(a.low, b.low), lanes(a.high, b.high)};
}

} // namespace

void hadd2(machine& m)
{
    const halves a = half_source(m, slot::a), b = half_source(m, slot::b);
    write_sum(m, each([&](unsigned i, auto half) { return (a.*half)[i] + (b.*half)[i]; }));
}

void hmul2(machine& m)
{
    const halves a = half_source(m, slot::a), b = half_source(m, slot::b);
    write_sum(m, each([&](unsigned i, auto half) {
                  const double x = (a.*half)[i], y = (b.*half)[i];
                  return zero_wins(m, x, y) ? 0.0 : x * y;
              }));
}

void hfma2(machine& m)
{
    const halves a = half_source(m, slot::a), b = half_source(m, slot::b), c = half_source(m, slot::c);
    write_sum(m, each([&](unsigned i, auto half) {
                  const double x = (a.*half)[i], y = (b.*half)[i], z = (c.*half)[i];
                  return zero_wins(m, x, y) ? z : fused(x, y, z);
              }));
}

void hset2(machine& m)
{
    const comparison found = half_compare(m);
    const lane_mask low = with_condition(m, found.low), high = with_condition(m, found.high);
    const word truth = has(m, mod::boolean_float) ? 0x3c00U : 0xffffU;
    write_result(m, map_lanes([&](unsigned i) {
                     return ((low >> i & 1U) != 0 ? truth : 0) | ((high >> i & 1U) != 0 ? truth << 16 : 0);
                 }));
}

void hsetp2(machine& m)
{
    const comparison found = half_compare(m);
    if (has(m, mod::merge)) return write_comparison(m, found.low & found.high); // .H_AND
    const lane_mask low = with_condition(m, found.low), high = with_condition(m, found.high);
    write_predicate(m, slot::pd, low);
    write_predicate(m, slot::pq, high);
}

void hmnmx2(machine& m)
{
    const halves a = half_source(m, slot::a), b = half_source(m, slot::b);
    const lane_mask least = read_predicate(m, slot::ps);
    write_halves(m, each([&](unsigned i, auto half) {
                     const double x = (a.*half)[i], y = (b.*half)[i];
                     // A number takes precedence over NaN, and -0 is less than 0.
                     if (std::isnan(x) || std::isnan(y)) return std::isnan(x) ? y : x;
                     const bool x_first = x < y || (x == y && std::signbit(x));
                     return x_first == ((least >> i & 1U) != 0) ? x : y;
                 }));
}

void f2fp(machine& m)
{
    const auto single = [&](slot where) {
        const operand& source = m.now.at(where);
        words bits = raw(m, source);
        for (auto& b : bits) b = (source.absolute ? b & 0x7fffffffU : b) ^ (source.negate ? 0x80000000U : 0);
        return bits;
    };
    const words high = single(slot::a), low = single(slot::b);
    const rounding_scope rounding(modifier(m, mod::round));
    write_result(m, map_lanes([&](unsigned i) {
                     return double_to_half(to_float(high[i])) << 16 | double_to_half(to_float(low[i]));
                 }));
}

} // namespace isbesim::isa::run
