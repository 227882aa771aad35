// SPDX-License-Identifier: Apache-2.0
// Conversions F2F, F2I, I2F, I2I. Compiled with -frounding-math.
#include <cmath>

#include "models/isa/execution/half_bits.h"
#include "models/isa/execution/register_lanes.h"
#include "models/isa/execution/rounding.h"
#include "tlm/float_bits.h"
#include "tlm/vector_clones.h"

namespace isbesim::isa::run {

namespace {

enum float_format : unsigned { half_format = 1, single_format = 2, double_format = 3 };
constexpr unsigned to_integer = 4; ///< flag in F2F's rounding modifier: rounds to an integral value

/// A float source of any format with |x| and -x, as double; every format converts exactly.
per_lane<double> float_source(const machine& m, bool flush)
{
    const operand& source = m.now.at(slot::b);
    const unsigned format = modifier(m, mod::from_type);
    const bool wide = format == double_format;
    const words low = wide && source.kind == operand::source::immediate ? words{} : raw(m, source);
    const words high = wide ? raw(m, source, 1) : words{};
    per_lane<double> value;
    for (unsigned i = 0; i < warp_lanes; ++i) {
        if (wide)
            value[i] = to_double(low[i], high[i]);
        else if (format == half_format)
            value[i] = half_to_double(source.part != 0 ? low[i] >> 16 : low[i] & 0xffffU);
        else
            value[i] = static_cast<double>(to_float(flush ? flush_denormal(low[i]) : low[i]));
        if (source.absolute) value[i] = std::fabs(value[i]);
        if (source.negate) value[i] = -value[i];
    }
    return value;
}

/// Writes a float result of the format in `to_type`, rounding with the current mode.
void write_float(machine& m, const per_lane<double>& value, const words& singles)
{
    const unsigned to = modifier(m, mod::to_type);
    words low{}, high{};
    for (unsigned i = 0; i < warp_lanes; ++i) {
        if (to == double_format) {
            const std::uint64_t bits = std::isnan(value[i]) ? 0x7fffffffffffffffULL : to_bits(value[i]);
            low[i] = static_cast<word>(bits);
            high[i] = static_cast<word>(bits >> 32);
        } else {
            low[i] = to == half_format ? double_to_half(value[i]) : singles[i];
        }
    }
    if (to == double_format)
        write_pair(m, low, high);
    else
        write_result(m, low);
    set_codes(m, to == double_format ? high : low);
}

word single_bits(double value)
{
    return std::isnan(value) ? canonical_nan : to_bits(static_cast<float>(value));
}

struct integer_limits {
    unsigned bits;
    bool is_signed;
};

/// The types of the `to_type` and `from_type` modifiers: two size bits, then the sign.
integer_limits limits_of(unsigned type)
{
    return {8U << (type & 3U), (type & 4U) != 0};
}

/// An integer of up to 64 bits with a separate sign, so that -2^63 .. 2^64-1 all fit.
struct wide_integer {
    bool negative;
    std::uint64_t magnitude;
};

wide_integer widen(std::uint64_t bits, integer_limits type)
{
    if (type.bits < 64) bits &= (std::uint64_t{1} << type.bits) - 1;
    const bool negative = type.is_signed && (bits >> (type.bits - 1) & 1U) != 0;
    const std::uint64_t sign_extended = negative && type.bits < 64 ? bits | ~std::uint64_t{0} << type.bits : bits;
    return {negative, negative ? 0 - sign_extended : sign_extended};
}

per_lane<wide_integer> integer_source(const machine& m)
{
    const operand& source = m.now.at(slot::b);
    const integer_limits type = limits_of(modifier(m, mod::from_type));
    const words low = raw(m, source);
    // SM50 counts parts in bytes, SM75 in the size of the type.
    const unsigned part_bits = m.warp.code->arch == architecture::sm50 ? 8 : type.bits;
    const words high = type.bits == 64 && source.kind != operand::source::immediate ? raw(m, source, 1) : words{};
    per_lane<wide_integer> value;
    for (unsigned i = 0; i < warp_lanes; ++i) {
        const std::uint64_t bits = (std::uint64_t{high[i]} << 32 | low[i]) >> (part_bits * source.part);
        value[i] = widen(bits, type);
        if (source.absolute) value[i].negative = false;
        // Negation wraps around within the type and makes it signed: -(-128) is -128, -(17u) is -17.
        if (source.negate)
            value[i] = widen(value[i].negative ? value[i].magnitude : 0 - value[i].magnitude, {type.bits, true});
    }
    return value;
}

/// Nearest representable value of the type.
std::uint64_t clamp(wide_integer value, integer_limits type)
{
    if (!type.is_signed) {
        const std::uint64_t most = type.bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << type.bits) - 1;
        return value.negative ? 0 : std::min(value.magnitude, most);
    }
    const std::uint64_t limit = std::uint64_t{1} << (type.bits - 1);
    return value.negative ? 0 - std::min(value.magnitude, limit) : std::min(value.magnitude, limit - 1);
}

void write_integer(machine& m, const per_lane<std::uint64_t>& value, integer_limits type)
{
    const words low = map_lanes([&](unsigned i) { return static_cast<word>(value[i]); });
    if (type.bits == 64)
        write_pair(m, low, map_lanes([&](unsigned i) { return static_cast<word>(value[i] >> 32); }));
    else
        write_result(m, low);
    set_codes(m, low);
}

} // namespace

ISBESIM_VECTOR_CLONES
void f2f(machine& m)
{
    // .FTZ affects conversions neither from doubles nor to doubles.
    const bool flush = has(m, mod::flush) && modifier(m, mod::to_type) != double_format;
    const unsigned round = modifier(m, mod::round);
    auto value = float_source(m, flush);
    const rounding_scope rounding(round & 3U);
    if ((round & to_integer) != 0)
        for (auto& v : value) v = std::nearbyint(v);
    if (has(m, mod::saturate))
        for (auto& v : value) v = v > 0 ? std::min(v, 1.0) : 0.0;
    // With .FTZ no result is denormal: the smallest half is a normal float.
    write_float(m, value, map_lanes([&](unsigned i) { return single_bits(value[i]); }));
}

void frnd(machine& m)
{
    auto value = float_source(m, has(m, mod::flush));
    const rounding_scope rounding(modifier(m, mod::round));
    for (auto& v : value) v = std::nearbyint(v);
    write_float(m, value, map_lanes([&](unsigned i) { return single_bits(value[i]); }));
}

ISBESIM_VECTOR_CLONES
void f2i(machine& m)
{
    const integer_limits type = limits_of(modifier(m, mod::to_type));
    auto value = float_source(m, has(m, mod::flush));
    {
        const rounding_scope rounding(modifier(m, mod::round));
        for (auto& v : value) v = std::nearbyint(v);
    }
    // NaN becomes 0, or the lowest value if the source or the result has 64 bits.
    const bool wide = (type.bits == 64 || modifier(m, mod::from_type) == double_format) && !has(m, mod::test); // .NTZ
    per_lane<std::uint64_t> result;
    for (unsigned i = 0; i < warp_lanes; ++i) {
        const double magnitude = std::fabs(value[i]);
        const std::uint64_t bits =
            magnitude < 18446744073709551616.0 ? static_cast<std::uint64_t>(magnitude) : ~std::uint64_t{0};
        result[i] =
            std::isnan(value[i]) ? (wide ? std::uint64_t{1} << (type.bits - 1) : 0) : clamp({value[i] < 0, bits}, type);
    }
    write_integer(m, result, type);
}

ISBESIM_VECTOR_CLONES
void i2f(machine& m)
{
    const auto source = integer_source(m);
    per_lane<double> value;
    words singles;
    // Converts directly from the integer to each format: through double, 64-bit integers would round twice.
    const rounding_scope rounding(modifier(m, mod::round));
    for (unsigned i = 0; i < warp_lanes; ++i) {
        const auto [negative, magnitude] = source[i];
        if (magnitude >> 63 == 0) {
            const auto number = negative ? -static_cast<std::int64_t>(magnitude) : static_cast<std::int64_t>(magnitude);
            value[i] = static_cast<double>(number);
            singles[i] = to_bits(static_cast<float>(number));
        } else {
            value[i] = negative ? -static_cast<double>(magnitude) : static_cast<double>(magnitude);
            singles[i] = to_bits(negative ? -static_cast<float>(magnitude) : static_cast<float>(magnitude));
        }
    }
    write_float(m, value, singles);
}

ISBESIM_VECTOR_CLONES
void i2i(machine& m)
{
    const integer_limits type = limits_of(modifier(m, mod::to_type));
    const auto source = integer_source(m);
    const bool saturating = has(m, mod::saturate);
    per_lane<std::uint64_t> result;
    for (unsigned i = 0; i < warp_lanes; ++i) {
        // Without .SAT a narrow result is truncated and its upper bits are 0, regardless of its sign.
        const std::uint64_t bits = source[i].negative ? 0 - source[i].magnitude : source[i].magnitude;
        result[i] = saturating ? clamp(source[i], type) : widen(bits, {type.bits, false}).magnitude;
    }
    write_integer(m, result, type);
}

namespace {

/// A signed word clamped to the narrow type of number 0 U8, 1 S8, 2 U16, 3 S16, its upper bits 0.
word narrowed(word value, unsigned type)
{
    const integer_limits limits = {type >= 2 ? 16U : 8U, (type & 1U) != 0};
    const std::uint64_t clamped = clamp(widen(value, {32, true}), limits);
    return static_cast<word>(clamped) & ((1U << limits.bits) - 1);
}

} // namespace

void i2i_narrow(machine& m)
{
    const words b = raw(m, m.now.at(slot::b));
    const unsigned type = modifier(m, mod::to_type);
    const unsigned bits = type >= 2 ? 16 : 8;
    write_result(m, map_lanes([&](unsigned i) {
                     const word value = narrowed(b[i], type);
                     const bool negative = (type & 1U) != 0 && (value >> (bits - 1)) != 0;
                     return negative ? value | ~0U << bits : value;
                 }));
}

void i2ip(machine& m)
{
    const words a = raw(m, m.now.at(slot::a)), b = raw(m, m.now.at(slot::b)), c = raw(m, m.now.at(slot::c));
    const unsigned type = modifier(m, mod::to_type);
    write_result(m,
                 map_lanes([&](unsigned i) { return c[i] << 16 | narrowed(a[i], type) << 8 | narrowed(b[i], type); }));
}

} // namespace isbesim::isa::run
