// SPDX-License-Identifier: Apache-2.0
// Integer arithmetic and comparisons.

#include "models/isa/execution/register_lanes.h"
#include "tlm/vector_clones.h"

namespace isbesim::isa::run {

namespace {

std::int32_t as_signed(word value)
{
    return static_cast<std::int32_t>(value);
}

/// a + b + carry with condition codes, for IADD, ISCADD, IMAD and XMAD. With .X the zero code accumulates across the
/// words of a number.
void add_and_finish(machine& m, const words& a, const words& b, const words& carry)
{
    const bool extended = has(m, mod::extended), saturating = has(m, mod::saturate);
    words value;
    lane_mask carry_out = 0, overflow = 0;
    for (unsigned i = 0; i < warp_lanes; ++i) {
        const std::uint64_t sum = std::uint64_t{a[i]} + b[i] + carry[i];
        value[i] = static_cast<word>(sum);
        carry_out |= static_cast<lane_mask>(sum >> 32) << i;
        const bool overflows = (((a[i] ^ value[i]) & (b[i] ^ value[i])) >> 31) != 0;
        overflow |= static_cast<lane_mask>(overflows ? 1U : 0U) << i;
        if (saturating && overflows) value[i] = (a[i] >> 31) != 0 ? 0x80000000U : 0x7fffffffU;
    }
    write_result(m, value);
    if (!has(m, mod::write_cc)) return;
    const lane_mask zero = where_lanes([&](unsigned i) { return value[i] == 0; });
    write_condition(m, zero_code, extended ? zero & m.warp.condition[zero_code] : zero);
    write_condition(m, sign_code, where_lanes([&](unsigned i) { return (value[i] >> 31) != 0; }));
    write_condition(m, carry_code, carry_out);
    write_condition(m, overflow_code, overflow);
}

words carry_in(const machine& m)
{
    const lane_mask carry = m.warp.condition[carry_code];
    return map_lanes([&](unsigned i) { return (carry >> i) & 1U; });
}

/// Adds two sources of which at most one is negated. Subtraction is a + ~b + 1, so that carry means "no borrow"; with
/// .X the 1 is the carry of the lower word.
void add_sources(machine& m, words a, words b, bool negate_a, bool negate_b)
{
    if (negate_a)
        for (auto& v : a) v = ~v;
    if (negate_b)
        for (auto& v : b) v = ~v;
    add_and_finish(m, a, b, has(m, mod::extended) ? carry_in(m) : broadcast(negate_a || negate_b ? 1 : 0));
}

/// Whether a - b is less than, equal to, greater than 0 under the signedness of the instruction. With .X, a and b are
/// the upper words of numbers whose lower words have set the carry and zero codes.
lane_mask integer_compare(const machine& m)
{
    const words a = integer(m, slot::a), b = integer(m, slot::b);
    const unsigned code = modifier(m, mod::compare);
    const bool is_signed = has(m, mod::is_signed), extended = has(m, mod::extended);
    const lane_mask carry = m.warp.condition[carry_code], zero = m.warp.condition[zero_code];
    return where_lanes([&](unsigned i) {
        const std::int64_t x = is_signed ? as_signed(a[i]) : static_cast<std::int64_t>(a[i]);
        const std::int64_t y = is_signed ? as_signed(b[i]) : static_cast<std::int64_t>(b[i]);
        if (!extended) return compare(code, x<y, x == y, x> y);
        const std::int64_t difference = x - y - (((carry >> i) & 1U) != 0 ? 0 : 1);
        const bool equal = difference == 0 && ((zero >> i) & 1U) != 0;
        return compare(code, difference < 0, equal, difference >= 0 && !equal);
    });
}

} // namespace

ISBESIM_VECTOR_CLONES
void iadd(machine& m)
{
    const operand &a = m.now.at(slot::a), &b = m.now.at(slot::b);
    add_sources(m, raw(m, a), raw(m, b), a.negate, b.negate);
}

ISBESIM_VECTOR_CLONES
void iadd_plus_one(machine& m)
{
    add_and_finish(m, raw(m, m.now.at(slot::a)), raw(m, m.now.at(slot::b)), broadcast(1));
}

namespace {

words shifted_a(const machine& m)
{
    const unsigned shift = m.now.at(slot::extra).value;
    words value = raw(m, m.now.at(slot::a));
    for (auto& v : value) v <<= shift;
    return value;
}

} // namespace

ISBESIM_VECTOR_CLONES
void iscadd(machine& m)
{
    const operand &a = m.now.at(slot::a), &b = m.now.at(slot::b);
    add_sources(m, shifted_a(m), raw(m, b), a.negate, b.negate);
}

ISBESIM_VECTOR_CLONES
void iscadd_plus_one(machine& m)
{
    add_and_finish(m, shifted_a(m), raw(m, m.now.at(slot::b)), broadcast(1));
}

void iadd3_plain(machine& m)
{
    if (has(m, mod::write_cc) || has(m, mod::extended))
        refuse(m, "takes or leaves a carry of three summands; no open compiler emits it, and no document says how one "
                  "code holds two carries");
    const words a = integer(m, slot::a), b = integer(m, slot::b), c = integer(m, slot::c);
    write_result(m, map_lanes([&](unsigned i) { return a[i] + b[i] + c[i]; }));
}

namespace {

void add_scaled(machine& m, const words& scaled)
{
    if (m.now.at(slot::pd).index != predicate_true)
        refuse(m, "leaves a predicate; no open compiler emits it, and no document says which");
    add_sources(m, scaled, raw(m, m.now.at(slot::b)), m.now.at(slot::a).negate, false);
}

} // namespace

void lea_codes(machine& m)
{
    add_scaled(m, shifted_a(m));
}

void lea_high_codes(machine& m)
{
    const unsigned shift = m.now.at(slot::extra).value;
    const words low = raw(m, m.now.at(slot::a)), high = raw(m, m.now.at(slot::c));
    add_scaled(m, map_lanes([&](unsigned i) {
                   return static_cast<word>((std::uint64_t{high[i]} << 32 | low[i]) << shift >> 32);
               }));
}

namespace {

/// Full products; `signs` bit 0 for the first factor, bit 1 for the second.
per_lane<std::uint64_t> products(const machine& m)
{
    const unsigned signs = modifier(m, mod::from_type);
    const words a = raw(m, m.now.at(slot::a)), b = raw(m, m.now.at(slot::b));
    per_lane<std::uint64_t> result;
    for (unsigned i = 0; i < warp_lanes; ++i) {
        const auto x = (signs & 1U) != 0 ? static_cast<std::uint64_t>(std::int64_t{as_signed(a[i])}) : a[i];
        const auto y = (signs & 2U) != 0 ? static_cast<std::uint64_t>(std::int64_t{as_signed(b[i])}) : b[i];
        result[i] = x * y;
    }
    return result;
}

} // namespace

ISBESIM_VECTOR_CLONES
void imul(machine& m)
{
    const auto product = products(m);
    const unsigned shift = has(m, mod::high) ? 32 : 0;
    const words value = map_lanes([&](unsigned i) { return static_cast<word>(product[i] >> shift); });
    write_with_codes(m, value);
}

ISBESIM_VECTOR_CLONES
void imad(machine& m)
{
    auto product = products(m);
    if (m.now.at(slot::b).negate)
        for (auto& p : product) p = 0 - p;
    const unsigned shift = has(m, mod::high) ? 32 : 0;
    const words value = map_lanes([&](unsigned i) { return static_cast<word>(product[i] >> shift); });
    add_sources(m, value, raw(m, m.now.at(slot::c)), false, m.now.at(slot::c).negate);
}

ISBESIM_VECTOR_CLONES
void xmad(machine& m)
{
    enum c_mode : unsigned { whole, low, high, sfu, bcc };
    const words a = raw(m, m.now.at(slot::a)), b = raw(m, m.now.at(slot::b));
    words c = raw(m, m.now.at(slot::c));
    const unsigned signs = modifier(m, mod::is_signed);
    const auto half = [](word value, unsigned part, bool is_signed) {
        const word bits = part != 0 ? value >> 16 : value & 0xffffU;
        return is_signed && (bits & 0x8000U) != 0 ? bits | 0xffff0000U : bits;
    };
    const unsigned part_a = m.now.at(slot::a).part, part_b = m.now.at(slot::b).part;
    words product = map_lanes(
        [&](unsigned i) { return half(a[i], part_a, (signs & 1U) != 0) * half(b[i], part_b, (signs & 2U) != 0); });
    if (has(m, mod::product_shift))
        for (auto& v : product) v <<= 16;
    switch (modifier(m, mod::c_mode)) {
    case low:
        for (auto& v : c) v &= 0xffffU;
        break;
    case high:
        for (auto& v : c) v >>= 16;
        break;
    case bcc:
        for (unsigned i = 0; i < warp_lanes; ++i) c[i] += b[i] << 16;
        break;
    case sfu:
        // Subtracts 0x10000 for each negative factor if neither factor is zero.
        for (unsigned i = 0; i < warp_lanes; ++i) {
            const word x = half(a[i], part_a, (signs & 1U) != 0), y = half(b[i], part_b, (signs & 2U) != 0);
            if (x != 0 && y != 0) c[i] -= ((x >> 31) + (y >> 31)) << 16;
        }
        break;
    default:
        break;
    }
    if (!has(m, mod::merge)) {
        add_and_finish(m, product, c, has(m, mod::extended) ? carry_in(m) : words{});
        return;
    }
    const words value = map_lanes([&](unsigned i) { return ((product[i] + c[i]) & 0xffffU) | b[i] << 16; });
    write_with_codes(m, value);
}

ISBESIM_VECTOR_CLONES
void imnmx(machine& m)
{
    const words a = integer(m, slot::a), b = integer(m, slot::b);
    const lane_mask minimum = read_predicate(m, slot::ps);
    // Minima of numbers of several words start at the highest word. The condition codes hold the comparison of the
    // words so far: zero if equal, carry if a < b (this use of the codes is our choice, only the chain reads them). The
    // words below the highest word are unsigned.
    const unsigned part = modifier(m, mod::extended);
    const bool chained = part != 0 && part != begins_chain;
    const word bias = has(m, mod::is_signed) && !chained ? 0x80000000U : 0; // orders signed like unsigned numbers
    lane_mask equal = where_lanes([&](unsigned i) { return a[i] == b[i]; });
    lane_mask less = where_lanes([&](unsigned i) { return (a[i] ^ bias) < (b[i] ^ bias); });
    if (chained) {
        const lane_mask so_far = m.warp.condition[zero_code];
        less = (so_far & less) | (~so_far & m.warp.condition[carry_code]);
        equal &= so_far;
    }
    const words value =
        map_lanes([&](unsigned i) { return ((less >> i) & 1U) == ((minimum >> i) & 1U) ? a[i] : b[i]; });
    if (part == 0) return write_with_codes(m, value);
    write_result(m, value);
    if (!has(m, mod::write_cc)) return;
    write_condition(m, zero_code, equal);
    write_condition(m, carry_code, less);
}

ISBESIM_VECTOR_CLONES
void iset(machine& m)
{
    write_truth(m, with_condition(m, integer_compare(m)));
}

ISBESIM_VECTOR_CLONES
void isetp(machine& m)
{
    write_comparison(m, integer_compare(m));
}

ISBESIM_VECTOR_CLONES
void icmp(machine& m)
{
    const words a = integer(m, slot::a), b = integer(m, slot::b), c = integer(m, slot::c);
    const unsigned code = modifier(m, mod::compare);
    const bool is_signed = has(m, mod::is_signed);
    write_result(m, map_lanes([&](unsigned i) {
                     const bool less = is_signed && as_signed(c[i]) < 0;
                     return compare(code, less, c[i] == 0, c[i] != 0 && !less) ? a[i] : b[i];
                 }));
}

} // namespace isbesim::isa::run
