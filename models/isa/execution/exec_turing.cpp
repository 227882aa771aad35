// SPDX-License-Identifier: Apache-2.0
// Arithmetic of SM75 that SM50 lacks or executes differently. Compiled with -frounding-math.
#include <algorithm>

#include "models/isa/execution/register_lanes.h"
#include "models/isa/execution/rounding.h"
#include "tlm/float_bits.h"
#include "tlm/vector_clones.h"

namespace isbesim::isa::run {

namespace {

/// Sum of three sources and a carry, with the carries out of bit 31 (up to two) in the predicate results.
void add_three(machine& m, bool carry_inputs)
{
    per_lane<std::uint64_t> sum{};
    const auto add = [&](slot where) {
        const operand& source = m.now.at(where);
        const words value = raw(m, source);
        // Negation is ~x + 1 with the 1 counted in the sum, so that carry means "no borrow".
        const bool complement = source.negate || source.invert;
        for (unsigned i = 0; i < warp_lanes; ++i)
            sum[i] += std::uint64_t{complement ? ~value[i] : value[i]} + (source.negate ? 1 : 0);
    };
    add(slot::a);
    add(slot::b);
    add(slot::c);
    if (carry_inputs) {
        const lane_mask first = read_predicate(m, slot::pa), second = read_predicate(m, slot::pb);
        for (unsigned i = 0; i < warp_lanes; ++i) sum[i] += ((first >> i) & 1U) + ((second >> i) & 1U);
    }
    write_result(m, map_lanes([&](unsigned i) { return static_cast<word>(sum[i]); }));
    write_predicate(m, slot::pd, where_lanes([&](unsigned i) { return sum[i] >> 32 >= 1; }));
    write_predicate(m, slot::pq, where_lanes([&](unsigned i) { return sum[i] >> 32 >= 2; }));
}

std::uint64_t widened(word value, bool is_signed)
{
    return is_signed ? static_cast<std::uint64_t>(std::int64_t{static_cast<std::int32_t>(value)}) : value;
}

struct wide_sum {
    words low, high;
    lane_mask carry;
};

/// a * b + c in 64 bits, and with .X plus the carry of the preceding instruction.
wide_sum multiply_add(const machine& m, lane_mask carry = 0)
{
    const words a = raw(m, m.now.at(slot::a)), b = raw(m, m.now.at(slot::b));
    const operand& summand = m.now.at(slot::c);
    const words c_low = raw(m, summand);
    const bool is_signed = has(m, mod::is_signed), immediate = summand.kind == operand::source::immediate;
    const words c_high = immediate ? words{} : raw(m, summand, 1);
    wide_sum result{};
    for (unsigned i = 0; i < warp_lanes; ++i) {
        const std::uint64_t product = widened(a[i], is_signed) * widened(b[i], is_signed);
        std::uint64_t c = immediate ? widened(c_low[i], is_signed) : std::uint64_t{c_high[i]} << 32 | c_low[i];
        if (summand.negate) c = 0 - c;
        if (summand.invert) c = ~c;
        const std::uint64_t first = product + c, sum = first + ((carry >> i) & 1U);
        result.low[i] = static_cast<word>(sum);
        result.high[i] = static_cast<word>(sum >> 32);
        result.carry |= static_cast<lane_mask>(first < product || sum < first ? 1U : 0U) << i;
    }
    return result;
}

enum funnel_type : unsigned { s64, u64, s32, u32 };

/// The count modulo the width of the type with .W; otherwise clamped to it.
unsigned funnel_count(const machine& m, word count)
{
    const unsigned width = modifier(m, mod::c_mode) >= s32 ? 32 : 64;
    return has(m, mod::wrap) ? count % width : std::min(count, width);
}

template <typename Shift>
void funnel(machine& m, Shift shift)
{
    const words a = integer(m, slot::a), b = integer(m, slot::b), c = integer(m, slot::c);
    const unsigned half = has(m, mod::high) ? 32 : 0;
    write_result(m, map_lanes([&](unsigned i) {
                     const std::uint64_t whole = std::uint64_t{c[i]} << 32 | a[i];
                     return static_cast<word>(shift(whole, funnel_count(m, b[i])) >> half);
                 }));
}

} // namespace

ISBESIM_VECTOR_CLONES
void iadd3(machine& m)
{
    add_three(m, false);
}
ISBESIM_VECTOR_CLONES
void iadd3_carry(machine& m)
{
    add_three(m, true);
}

ISBESIM_VECTOR_CLONES
void imad_low(machine& m)
{
    const words a = raw(m, m.now.at(slot::a)), b = raw(m, m.now.at(slot::b)), c = integer(m, slot::c);
    write_result(m, map_lanes([&](unsigned i) { return a[i] * b[i] + c[i]; }));
}

void imad_low_carry(machine& m)
{
    const words a = raw(m, m.now.at(slot::a)), b = raw(m, m.now.at(slot::b)), c = integer(m, slot::c);
    const lane_mask carry = read_predicate(m, slot::ps);
    per_lane<std::uint64_t> sum;
    for (unsigned i = 0; i < warp_lanes; ++i) sum[i] = std::uint64_t{a[i] * b[i]} + c[i] + ((carry >> i) & 1U);
    write_result(m, map_lanes([&](unsigned i) { return static_cast<word>(sum[i]); }));
    write_predicate(m, slot::pd, where_lanes([&](unsigned i) { return sum[i] >> 32 != 0; }));
}

namespace {

void write_wide(machine& m, const wide_sum& sum)
{
    write_pair(m, sum.low, sum.high);
    write_predicate(m, slot::pd, sum.carry);
}

void write_high(machine& m, const wide_sum& sum)
{
    write_result(m, sum.high);
    write_predicate(m, slot::pd, sum.carry);
}

} // namespace

ISBESIM_VECTOR_CLONES
void imad_wide(machine& m)
{
    write_wide(m, multiply_add(m));
}
void imad_wide_carry(machine& m)
{
    write_wide(m, multiply_add(m, read_predicate(m, slot::ps)));
}
ISBESIM_VECTOR_CLONES
void imad_high(machine& m)
{
    write_high(m, multiply_add(m));
}
void imad_high_carry(machine& m)
{
    write_high(m, multiply_add(m, read_predicate(m, slot::ps)));
}

namespace {

enum class upper : std::uint8_t { none, third_source, sign };

/// The second source plus a word of the shifted first source: the low word of a << n, or the high word of c:a << n or
/// of sign-extended a << n.
void scaled_add(machine& m, upper upper_word, bool carry_input)
{
    const bool high = upper_word != upper::none;
    const unsigned shift = m.now.at(slot::extra).value;
    const operand &a = m.now.at(slot::a), &b = m.now.at(slot::b);
    const words x = raw(m, a), y = raw(m, b);
    words above = upper_word == upper::third_source ? raw(m, m.now.at(slot::c)) : words{};
    if (upper_word == upper::sign)
        for (unsigned i = 0; i < warp_lanes; ++i) above[i] = x[i] >> 31 != 0 ? ~0U : 0;
    const lane_mask carry = carry_input ? read_predicate(m, slot::ps) : 0;
    // Negation is ~x + 1 with the 1 counted in the sum; with .X the carry takes its place.
    const bool complement_a = a.negate || a.invert, complement_b = b.negate || b.invert;
    per_lane<std::uint64_t> sum;
    for (unsigned i = 0; i < warp_lanes; ++i) {
        const std::uint64_t whole = (std::uint64_t{above[i]} << 32 | x[i]) << shift;
        const auto scaled = static_cast<word>(high ? whole >> 32 : whole);
        sum[i] = std::uint64_t{complement_a ? ~scaled : scaled} + (a.negate ? 1 : 0) +
                 std::uint64_t{complement_b ? ~y[i] : y[i]} + (b.negate ? 1 : 0) + ((carry >> i) & 1U);
    }
    write_result(m, map_lanes([&](unsigned i) { return static_cast<word>(sum[i]); }));
    write_predicate(m, slot::pd, where_lanes([&](unsigned i) { return sum[i] >> 32 != 0; }));
}

} // namespace

ISBESIM_VECTOR_CLONES
void lea(machine& m)
{
    scaled_add(m, upper::none, false);
}
ISBESIM_VECTOR_CLONES
void lea_extended(machine& m)
{
    scaled_add(m, upper::none, true);
}
ISBESIM_VECTOR_CLONES
void lea_high(machine& m)
{
    scaled_add(m, upper::third_source, false);
}
void lea_high_extended(machine& m)
{
    scaled_add(m, upper::third_source, true);
}

void lea_sign_extended(machine& m)
{
    scaled_add(m, upper::sign, false);
}
void lea_sign_extended_carry(machine& m)
{
    scaled_add(m, upper::sign, true);
}

void isetp_upper(machine& m)
{
    // For numbers of two words: if the upper words are equal, the comparison of the lower words decides.
    const words a = raw(m, m.now.at(slot::a)), b = raw(m, m.now.at(slot::b));
    const unsigned code = modifier(m, mod::compare);
    const bool is_signed = has(m, mod::is_signed);
    const lane_mask lower = read_predicate(m, slot::pa);
    write_comparison(m, where_lanes([&](unsigned i) {
                         const auto x = static_cast<std::int64_t>(widened(a[i], is_signed));
                         const auto y = static_cast<std::int64_t>(widened(b[i], is_signed));
                         return x == y ? ((lower >> i) & 1U) != 0 : compare(code, x<y, false, x> y);
                     }));
}

void idp4(machine& m)
{
    const words a = raw(m, m.now.at(slot::a)), b = raw(m, m.now.at(slot::b)), c = raw(m, m.now.at(slot::c));
    const unsigned signs = modifier(m, mod::from_type);
    const auto byte = [](word value, unsigned k, bool is_signed) {
        const word bits = value >> (8 * k) & 0xffU;
        return is_signed && (bits & 0x80U) != 0 ? bits | 0xffffff00U : bits;
    };
    write_result(m, map_lanes([&](unsigned i) {
                     word sum = c[i];
                     for (unsigned k = 0; k < 4; ++k)
                         sum += byte(a[i], k, (signs & 1U) != 0) * byte(b[i], k, (signs & 2U) != 0);
                     return sum;
                 }));
}

void vabsdiff(machine& m)
{
    const words a = raw(m, m.now.at(slot::a)), b = raw(m, m.now.at(slot::b)), c = raw(m, m.now.at(slot::c));
    const word bias = has(m, mod::is_signed) ? 0x80000000U : 0;
    write_result(
        m, map_lanes([&](unsigned i) { return ((a[i] ^ bias) < (b[i] ^ bias) ? b[i] - a[i] : a[i] - b[i]) + c[i]; }));
}

ISBESIM_VECTOR_CLONES
void iabs(machine& m)
{
    const words b = raw(m, m.now.at(slot::b));
    write_result(m, map_lanes([&](unsigned i) { return (b[i] >> 31) != 0 ? 0U - b[i] : b[i]; }));
}

ISBESIM_VECTOR_CLONES
void lop3_predicate(machine& m)
{
    const words a = raw(m, m.now.at(slot::a)), b = raw(m, m.now.at(slot::b)), c = raw(m, m.now.at(slot::c));
    const unsigned table = m.now.at(slot::extra).value;
    words value{};
    for (unsigned row = 0; row < 8; ++row) {
        if (((table >> row) & 1U) == 0) continue;
        for (unsigned i = 0; i < warp_lanes; ++i)
            value[i] |=
                ((row & 4U) != 0 ? a[i] : ~a[i]) & ((row & 2U) != 0 ? b[i] : ~b[i]) & ((row & 1U) != 0 ? c[i] : ~c[i]);
    }
    const lane_mask other = read_predicate(m, slot::ps);
    write_result(m, value);
    write_predicate(m, slot::pd, other | where_lanes([&](unsigned i) { return value[i] != 0; }));
}

ISBESIM_VECTOR_CLONES
void funnel_left(machine& m)
{
    funnel(m, [](std::uint64_t whole, unsigned count) { return count < 64 ? whole << count : 0; });
}

ISBESIM_VECTOR_CLONES
void funnel_right(machine& m)
{
    const unsigned type = modifier(m, mod::c_mode);
    if (type == s64 || type == s32)
        funnel(m, [](std::uint64_t whole, unsigned count) {
            return static_cast<std::uint64_t>(static_cast<std::int64_t>(whole) >> std::min(count, 63U));
        });
    else
        funnel(m, [](std::uint64_t whole, unsigned count) { return count < 64 ? whole >> count : 0; });
}

} // namespace isbesim::isa::run
