// SPDX-License-Identifier: Apache-2.0
// Logic, shifts, bit fields, byte permutation.
#include <algorithm>

#include "models/isa/execution/register_lanes.h"
#include "tlm/vector_clones.h"

namespace isbesim::isa::run {

namespace {

word reverse_bits(word v)
{
    v = (v >> 1 & 0x55555555U) | (v & 0x55555555U) << 1;
    v = (v >> 2 & 0x33333333U) | (v & 0x33333333U) << 2;
    v = (v >> 4 & 0x0f0f0f0fU) | (v & 0x0f0f0f0fU) << 4;
    return __builtin_bswap32(v);
}

/// .T .Z .NZ predicate of a logic result, condition codes, and the result itself.
void finish_logic(machine& m, const words& value)
{
    const lane_mask so_far = m.warp.condition[zero_code];
    if (m.now.at(slot::pd).kind == operand::source::predicate) {
        enum test : unsigned { never, always, zero, not_zero };
        const lane_mask is_zero = where_lanes([&](unsigned i) { return value[i] == 0; });
        const unsigned which = modifier(m, mod::test);
        write_predicate(m, slot::pd,
                        which == always     ? all_lanes
                        : which == zero     ? is_zero
                        : which == not_zero ? ~is_zero
                                            : 0);
    }
    write_with_codes(m, value);
    // .X: the zero flag accumulates across words.
    if (has(m, mod::write_cc) && has(m, mod::extended))
        write_condition(m, zero_code, so_far & m.warp.condition[zero_code]);
}

word shift_left(word value, unsigned count)
{
    return count < 32 ? value << count : 0;
}
word shift_right(word value, unsigned count)
{
    return count < 32 ? value >> count : 0;
}
word shift_right_signed(word value, unsigned count)
{
    return static_cast<word>(static_cast<std::int32_t>(value) >> std::min(count, 31U));
}

/// No document describes how a shift uses the condition codes. Mesa's code generators never set the bit: nouveau sets
/// it only for instructions that read flags, which shifts don't, and NAK writes it as 0.
void refuse_extended(const machine& m)
{
    if (has(m, mod::extended)) unsupported(m, ".X, which no open compiler emits,");
}

/// c:a as one 64-bit number.
std::uint64_t funnel(word a, word c)
{
    return std::uint64_t{c} << 32 | a;
}

/// Count of a funnel shift: modulo 32 with .W (64 for the 64-bit types), otherwise clamped to that.
unsigned funnel_count(const machine& m, word count)
{
    const unsigned limit = modifier(m, mod::c_mode) == 0 ? 32 : 64;
    return has(m, mod::wrap) ? count % limit : std::min(count, limit);
}

} // namespace

ISBESIM_VECTOR_CLONES
void lop(machine& m)
{
    const words a = integer(m, slot::a), b = integer(m, slot::b);
    const unsigned operation = modifier(m, mod::combine);
    finish_logic(m, map_lanes([&](unsigned i) { return combine(operation, a[i], b[i]); }));
}

ISBESIM_VECTOR_CLONES
void lop3(machine& m)
{
    const words a = integer(m, slot::a), b = integer(m, slot::b), c = integer(m, slot::c);
    const unsigned table = m.now.at(slot::extra).value;
    finish_logic(m, map_lanes([&](unsigned i) {
                     word value = 0;
                     for (unsigned row = 0; row < 8; ++row)
                         if (((table >> row) & 1U) != 0)
                             value |= ((row & 4U) != 0 ? a[i] : ~a[i]) & ((row & 2U) != 0 ? b[i] : ~b[i]) &
                                      ((row & 1U) != 0 ? c[i] : ~c[i]);
                     return value;
                 }));
}

ISBESIM_VECTOR_CLONES
void shl(machine& m)
{
    refuse_extended(m);
    const words a = integer(m, slot::a), b = integer(m, slot::b);
    const bool wrap = has(m, mod::wrap);
    const words value = map_lanes([&](unsigned i) { return shift_left(a[i], wrap ? b[i] & 31U : b[i]); });
    write_with_codes(m, value);
}

ISBESIM_VECTOR_CLONES
void shr(machine& m)
{
    refuse_extended(m);
    words a = integer(m, slot::a);
    const words b = integer(m, slot::b);
    if (has(m, mod::reverse))
        for (auto& v : a) v = reverse_bits(v);
    const bool wrap = has(m, mod::wrap), is_signed = has(m, mod::is_signed);
    const words value = map_lanes([&](unsigned i) {
        const unsigned count = wrap ? b[i] & 31U : b[i];
        return is_signed ? shift_right_signed(a[i], count) : shift_right(a[i], count);
    });
    write_with_codes(m, value);
}

ISBESIM_VECTOR_CLONES
void shf_left(machine& m)
{
    refuse_extended(m);
    const words a = integer(m, slot::a), b = integer(m, slot::b), c = integer(m, slot::c);
    const words value = map_lanes([&](unsigned i) {
        const unsigned count = funnel_count(m, b[i]);
        return count < 64 ? static_cast<word>(funnel(a[i], c[i]) << count >> 32) : 0;
    });
    write_with_codes(m, value);
}

ISBESIM_VECTOR_CLONES
void shf_right(machine& m)
{
    refuse_extended(m);
    constexpr unsigned s64 = 3;
    const words a = integer(m, slot::a), b = integer(m, slot::b), c = integer(m, slot::c);
    const unsigned half = has(m, mod::high) ? 32 : 0;
    const bool is_signed = modifier(m, mod::c_mode) == s64;
    const words value = map_lanes([&](unsigned i) {
        const unsigned count = funnel_count(m, b[i]);
        const std::uint64_t whole = funnel(a[i], c[i]);
        const auto shifted = is_signed
                                 ? static_cast<std::uint64_t>(static_cast<std::int64_t>(whole) >> std::min(count, 63U))
                             : count < 64 ? whole >> count
                                          : 0;
        return static_cast<word>(shifted >> half);
    });
    write_with_codes(m, value);
}

ISBESIM_VECTOR_CLONES
void bfe(machine& m)
{
    words a = integer(m, slot::a);
    const words b = integer(m, slot::b);
    if (has(m, mod::reverse))
        for (auto& v : a) v = reverse_bits(v);
    const bool is_signed = has(m, mod::is_signed);
    const words value = map_lanes([&](unsigned i) {
        const unsigned position = b[i] & 0xffU, length = b[i] >> 8 & 0xffU;
        if (length == 0) return 0U;
        if (position >= 32) return is_signed ? shift_right_signed(a[i], 31) : 0U;
        // Bits beyond bit 31 are the sign bit, or 0.
        const unsigned kept = std::min(length, 32 - position);
        const word shifted = a[i] << (32 - position - kept);
        return is_signed ? shift_right_signed(shifted, 32 - kept) : shifted >> (32 - kept);
    });
    write_with_codes(m, value);
}

ISBESIM_VECTOR_CLONES
void bfi(machine& m)
{
    const words a = integer(m, slot::a), b = integer(m, slot::b), c = integer(m, slot::c);
    const words value = map_lanes([&](unsigned i) {
        const unsigned position = b[i] & 0xffU, length = b[i] >> 8 & 0xffU;
        if (position >= 32 || length == 0) return c[i];
        const word mask = (length >= 32 ? ~0U : (1U << length) - 1) << position;
        return (c[i] & ~mask) | (a[i] << position & mask);
    });
    write_with_codes(m, value);
}

void flo(machine& m)
{
    const words b = integer(m, slot::b);
    const bool is_signed = has(m, mod::is_signed), as_shift = has(m, mod::test);
    const words value = map_lanes([&](unsigned i) {
        const word bits = is_signed && (b[i] >> 31) != 0 ? ~b[i] : b[i];
        if (bits == 0) return 0xffffffffU;
        const auto leading = static_cast<word>(__builtin_clz(bits));
        return as_shift ? leading : 31 - leading;
    });
    write_with_codes(m, value);
}

void brev(machine& m)
{
    const words b = raw(m, m.now.at(slot::b));
    write_result(m, map_lanes([&](unsigned i) { return reverse_bits(b[i]); }));
}

void bmsk(machine& m)
{
    const words a = raw(m, m.now.at(slot::a)), b = raw(m, m.now.at(slot::b));
    const auto count = [wrap = has(m, mod::wrap)](word value) {
        return wrap ? value & 31U : std::min(value, word{32});
    };
    write_result(m, map_lanes([&](unsigned i) {
                     return static_cast<word>(((std::uint64_t{1} << count(b[i])) - 1) << count(a[i]));
                 }));
}

void sgxt(machine& m)
{
    const words a = raw(m, m.now.at(slot::a)), b = raw(m, m.now.at(slot::b));
    const bool wrap = has(m, mod::wrap), is_signed = has(m, mod::is_signed);
    write_result(m, map_lanes([&](unsigned i) {
                     const unsigned kept = wrap ? b[i] & 31U : std::min(b[i], word{32});
                     if (kept == 0) return word{0};
                     const word top = a[i] << (32 - kept);
                     return is_signed ? shift_right_signed(top, 32 - kept) : shift_right(top, 32 - kept);
                 }));
}

void popc(machine& m)
{
    const words b = integer(m, slot::b);
    write_result(m, map_lanes([&](unsigned i) { return static_cast<word>(__builtin_popcount(b[i])); }));
}

ISBESIM_VECTOR_CLONES
void prmt(machine& m)
{
    // Selectors of the named modes, for the two low bits of b.
    static constexpr word named[7][4] = {{},
                                         {0x3210, 0x4321, 0x5432, 0x6543},  // .F4E
                                         {0x5670, 0x6701, 0x7012, 0x0123},  // .B4E
                                         {0x0000, 0x1111, 0x2222, 0x3333},  // .RC8
                                         {0x3210, 0x3211, 0x3222, 0x3333},  // .ECL
                                         {0x0000, 0x1110, 0x2210, 0x3210},  // .ECR
                                         {0x1010, 0x3232, 0x1010, 0x3232}}; // .RC16
    const words a = integer(m, slot::a), b = integer(m, slot::b), c = integer(m, slot::c);
    const unsigned mode = modifier(m, mod::c_mode);
    write_result(m, map_lanes([&](unsigned i) {
                     const std::uint64_t bytes = funnel(a[i], c[i]);
                     const word selector = mode == 0 ? b[i] : named[mode][b[i] & 3U];
                     word value = 0;
                     for (unsigned k = 0; k < 4; ++k) {
                         const unsigned pick = selector >> (4 * k) & 0xfU;
                         word byte = static_cast<word>(bytes >> (8 * (pick & 7U))) & 0xffU;
                         if ((pick & 8U) != 0) byte = (byte & 0x80U) != 0 ? 0xffU : 0; // replicates the sign
                         value |= byte << (8 * k);
                     }
                     return value;
                 }));
}

} // namespace isbesim::isa::run
