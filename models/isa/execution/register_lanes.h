// SPDX-License-Identifier: Apache-2.0
// Reading and writing operands for 32 lanes at once. Plain loops over arrays, so that the compiler vectorises them.
#pragma once

#include "models/isa/execution/semantics.h"

namespace isbesim::isa {

using words = per_lane<word>;

inline unsigned modifier(const machine& m, mod id)
{
    return m.now.modifier(id);
}
inline bool has(const machine& m, mod id)
{
    return modifier(m, id) != 0;
}

inline words broadcast(word value)
{
    words result;
    result.fill(value);
    return result;
}

inline word constant_word(const machine& m, unsigned bank, std::size_t index)
{
    if (m.warp.constants == nullptr || bank >= m.warp.constants->size()) return 0;
    const auto& words_of_bank = (*m.warp.constants)[bank];
    return index < words_of_bank.size() ? words_of_bank[index] : 0;
}

inline words register_words(const machine& m, unsigned index)
{
    return index == register_zero ? words{} : m.warp.registers[index];
}

/// 0 for URZ, and for its second word in a pair.
inline word uniform_word(const machine& m, unsigned index)
{
    return index < uniform_count(m.warp.code->arch) ? m.warp.uniform[index] : 0;
}

/// A word of the constants that a pair of uniform registers describes: address / 16 in 45 bits, size / 16 above (NVK's
/// nvk_bindless_cbuf), on SM120 address / 64 in 51 bits (nvk_bindless_cbuf_2). 0 past the end, as for banks.
inline word bindless_word(const machine& m, unsigned index, std::uint32_t offset)
{
    const std::uint64_t handle = std::uint64_t{uniform_word(m, index + 1)} << 32 | uniform_word(m, index);
    const bool later = m.warp.code->arch >= architecture::sm120;
    const unsigned bits = later ? 51 : 45, shift = later ? 6 : 4;
    const std::uint64_t address = (handle & ((std::uint64_t{1} << bits) - 1)) << shift, size = handle >> bits << 4;
    if (std::uint64_t{offset} + 4 > size || m.warp.global == nullptr) return 0;
    const std::uint8_t* const bytes = m.warp.global->find(address + offset, 4);
    word value = 0;
    for (unsigned i = 0; i < 4 && bytes != nullptr; ++i) value |= word{bytes[i]} << (8 * i);
    return value;
}

/// The 32 bits of a source, without its modifiers. `word_index` 1 is the high word of a register pair or double.
inline words raw(const machine& m, const operand& source, unsigned word_index = 0)
{
    switch (source.kind) {
    case operand::source::reg:
        return register_words(m, source.index == register_zero ? register_zero : source.index + word_index);
    case operand::source::constant:
        return broadcast(constant_word(m, source.bank, source.value / 4 + word_index));
    case operand::source::uniform:
        return broadcast(uniform_word(m, source.index + word_index));
    case operand::source::bindless:
        return broadcast(bindless_word(m, source.index, source.value + 4 * word_index));
    default:
        return broadcast(source.value);
    }
}

/// An integer source: ~ and - applied.
inline words integer(const machine& m, slot where)
{
    const operand& source = m.now.at(where);
    words value = raw(m, source);
    if (source.invert)
        for (auto& v : value) v = ~v;
    if (source.negate)
        for (auto& v : value) v = 0U - v;
    return value;
}

inline void write_register(machine& m, unsigned index, const words& value)
{
    if (index >= m.warp.registers.size()) return; // RZ
    words& target = m.warp.registers[index];
    for (unsigned i = 0; i < warp_lanes; ++i) target[i] = ((m.lanes >> i) & 1U) != 0 ? value[i] : target[i];
}

/// Writes the first active lane's value, which is the value of all lanes.
inline void write_uniform(machine& m, unsigned index, const words& value)
{
    if (index >= uniform_count(m.warp.code->arch)) return; // URZ
    m.warp.uniform[index] = value[static_cast<unsigned>(__builtin_ctz(m.lanes))];
}

inline void write_result(machine& m, const words& value)
{
    const operand& to = m.now.at(slot::d);
    if (to.kind == operand::source::uniform)
        write_uniform(m, to.index, value);
    else
        write_register(m, to.index, value);
}

/// Writes a register pair; RZ drops both halves.
inline void write_pair(machine& m, const words& low, const words& high)
{
    const unsigned index = m.now.at(slot::d).index;
    if (m.now.at(slot::d).kind == operand::source::uniform) {
        write_uniform(m, index, low);
        return write_uniform(m, index + 1, high);
    }
    if (index == register_zero) return;
    write_register(m, index, low);
    write_register(m, index + 1, high);
}

inline lane_mask read_predicate(const machine& m, slot where)
{
    const operand& source = m.now.at(where);
    const lane_mask value = source.kind == operand::source::uniform_predicate ? m.warp.uniform_predicates[source.index]
                            : source.index == predicate_true                  ? all_lanes
                                                                              : m.warp.predicates[source.index];
    return source.invert ? ~value : value;
}

inline void write_predicate(machine& m, slot where, lane_mask value)
{
    const std::uint8_t index = m.now.at(where).index;
    if (index >= predicate_true) return;
    if (m.now.at(where).kind == operand::source::uniform_predicate) {
        m.warp.uniform_predicates[index] = value; // a uniform source or a vote sets all lanes or none
        return;
    }
    auto& target = m.warp.predicates[index];
    target = (target & ~m.lanes) | (value & m.lanes);
}

enum condition_code : unsigned { zero_code = 0, sign_code = 1, carry_code = 2, overflow_code = 3 };

inline void write_condition(machine& m, condition_code code, lane_mask value)
{
    auto& target = m.warp.condition[code];
    target = (target & ~m.lanes) | (value & m.lanes);
}

/// Lanes for which `test(lane)` holds.
template <typename Test>
lane_mask where_lanes(Test test)
{
    lane_mask mask = 0;
    for (unsigned i = 0; i < warp_lanes; ++i) mask |= static_cast<lane_mask>(test(i) ? 1U : 0U) << i;
    return mask;
}

/// result[i] = f(i) for every lane.
template <typename Function>
words map_lanes(Function f)
{
    words result;
    for (unsigned i = 0; i < warp_lanes; ++i) result[i] = f(i);
    return result;
}

/// Zero and sign codes of a result, for .CC on instructions that have no carry; carry and overflow become 0.
inline void set_codes(machine& m, const words& value)
{
    if (!has(m, mod::write_cc)) return;
    write_condition(m, zero_code, where_lanes([&](unsigned i) { return value[i] == 0; }));
    write_condition(m, sign_code, where_lanes([&](unsigned i) { return (value[i] >> 31) != 0; }));
    write_condition(m, carry_code, 0);
    write_condition(m, overflow_code, 0);
}

inline void write_with_codes(machine& m, const words& value)
{
    write_result(m, value);
    set_codes(m, value);
}

/// Combines lane masks by the table's codes: 0 AND, 1 OR, 2 XOR; 3 returns `b`.
inline lane_mask combine(unsigned operation, lane_mask a, lane_mask b)
{
    switch (operation) {
    case 0:
        return a & b;
    case 1:
        return a | b;
    case 2:
        return a ^ b;
    default:
        return b;
    }
}

/// Comparison codes are sets: bit 0 less, 1 equal, 2 greater, 3 unordered.
inline bool compare(unsigned code, bool less, bool equal, bool greater, bool unordered = false)
{
    return ((code & 1U) != 0 && less) || ((code & 2U) != 0 && equal) || ((code & 4U) != 0 && greater) ||
           ((code & 8U) != 0 && unordered);
}

/// Result of a comparison and the predicate source, combined.
inline lane_mask with_condition(const machine& m, lane_mask result)
{
    return combine(modifier(m, mod::combine), result, read_predicate(m, slot::ps));
}

/// Writes the result of SET instructions: 1.0 (.BF) or all ones for the lanes of `yes`, 0 for others.
inline void write_truth(machine& m, lane_mask yes, bool as_float)
{
    const word truth = as_float ? 0x3f800000U : 0xffffffffU;
    write_with_codes(m, map_lanes([&](unsigned i) { return ((yes >> i) & 1U) != 0 ? truth : 0U; }));
}
inline void write_truth(machine& m, lane_mask yes)
{
    write_truth(m, yes, has(m, mod::boolean_float));
}

/// Writes the results of SETP instructions: the comparison and its opposite.
inline void write_comparison(machine& m, lane_mask result)
{
    const lane_mask yes = with_condition(m, result), no = with_condition(m, ~result);
    write_predicate(m, slot::pd, yes);
    write_predicate(m, slot::pq, no);
}

/// Throws execution_error: address, instruction, and `why`, which completes the sentence: "needs a texture unit".
[[noreturn]] void refuse(const machine& m, const std::string& why);
/// Throws execution_error naming address, instruction and `what`.
[[noreturn]] void unsupported(const machine& m, const char* what);

} // namespace isbesim::isa
