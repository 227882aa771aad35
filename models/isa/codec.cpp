// SPDX-License-Identifier: Apache-2.0
#include "models/isa/codec.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>

#include "models/isa/tables/texture_form.h"
#include "tlm/enum_table.h"

namespace isbesim::isa {

namespace {

static_assert(enum_count<slot::extra> == slot_count, "decoded operands are by slot");

bool flag(const encoding& word, std::uint8_t bit)
{
    return bit != no_bit && get_bit(word, bit);
}

void put_flag(encoding& word, std::uint8_t bit, bool value)
{
    if (bit != no_bit) set_bit(word, bit, value);
}

std::uint8_t byte(std::uint64_t value)
{
    return static_cast<std::uint8_t>(value);
}

/// For fields wider than the value: 16-bit offsets fit in it, branch distances of SM75 are wider.
std::uint64_t sign_extended(std::uint32_t value)
{
    return static_cast<std::uint64_t>(std::int64_t{static_cast<std::int32_t>(value)});
}

/// Float immediates keep the upper bits of the value; so do doubles of its high word.
unsigned dropped_bits(const operand_spec& spec)
{
    return 32 - spec.bits.width();
}

/// SM75 has room for distances that no program has; they must not be cut off silently.
std::uint32_t branch_distance(const operand_spec& spec, const encoding& word, std::uint32_t next_address)
{
    const std::int64_t distance = get_signed(word, spec.bits) * (std::int64_t{1} << spec.shift);
    if (distance != static_cast<std::int32_t>(distance)) {
        char text[96];
        std::snprintf(text, sizeof text, "the branch before address 0x%04x goes further than 2 GiB", next_address);
        throw program_error(0, 0, text);
    }
    return static_cast<std::uint32_t>(distance);
}

/// Every two bits the other way round.
std::uint32_t pairs_exchanged(std::uint32_t value)
{
    return (value & 0x55555555U) << 1 | (value >> 1 & 0x55555555U);
}

operand decode_operand(const operand_spec& spec, const encoding& word, std::uint32_t next_address)
{
    operand result;
    result.negate = flag(word, spec.negate);
    result.absolute = flag(word, spec.absolute);
    result.invert = flag(word, spec.invert);
    result.part = byte(get_field(word, spec.part));
    const auto value = static_cast<std::uint32_t>(get_field(word, spec.bits));
    const auto number = static_cast<std::uint32_t>(spec.bits.exists() ? get_signed(word, spec.bits) : 0);
    switch (spec.form) {
    case form::gpr:
        result.kind = operand::source::reg;
        result.index = byte(value);
        break;
    case form::constant:
        result.kind = operand::source::constant;
        result.value = value << spec.shift;
        result.bank = byte(get_field(word, spec.bank));
        break;
    case form::integer:
        result.kind = operand::source::immediate;
        result.value = spec.bits.width() > 32 ? branch_distance(spec, word, next_address) : number << spec.shift;
        break;
    case form::unsigned_word:
    case form::special:
    case form::quad_signs:
    case form::half_pair:
    case form::quad_signs_swapped:
        result.kind = operand::source::immediate;
        result.value = spec.form == form::quad_signs_swapped ? pairs_exchanged(value) : value;
        break;
    case form::real:
    case form::real_double:
        result.kind = operand::source::immediate;
        result.value = value << dropped_bits(spec);
        break;
    case form::uniform:
        result.kind = operand::source::uniform;
        result.index = byte(value);
        break;
    case form::bindless:
        result.kind = operand::source::bindless;
        result.index = byte(get_field(word, spec.base));
        result.value = value << spec.shift;
        break;
    case form::predicate:
    case form::uniform_predicate:
        result.kind = spec.form == form::predicate ? operand::source::predicate : operand::source::uniform_predicate;
        result.index = byte(spec.reversed ? predicate_true - value : value);
        break;
    case form::memory:
    case form::constant_index:
        result.kind = operand::source::reg;
        result.index = byte(get_field(word, spec.base));
        result.bank = byte(get_field(word, spec.bank));
        if (spec.uniform.exists()) result.uniform = byte(get_field(word, spec.uniform));
        result.value = number << spec.shift;
        break;
    case form::attribute:
        // Without a register the offset is unsigned and has ten bits: the sign is no part of it (HARDWARE.md B.1).
        result.kind = operand::source::reg;
        result.index = spec.base.exists() ? byte(get_field(word, spec.base)) : register_zero;
        result.value = result.index == register_zero ? value << spec.shift & last_attribute_byte : number << spec.shift;
        break;
    case form::target:
        result.kind = operand::source::immediate;
        result.value = next_address + branch_distance(spec, word, next_address);
        break;
    case form::barrier:
    case form::named:
    case form::code_test:
    case form::scoreboard_set:
    case form::literal: // has no bits
        result.kind = operand::source::immediate;
        result.value = value;
        break;
    }
    return result;
}

void encode_operand(const operand_spec& spec, const operand& value, encoding& word, std::uint32_t next_address)
{
    put_flag(word, spec.negate, value.negate);
    put_flag(word, spec.absolute, value.absolute);
    put_flag(word, spec.invert, value.invert);
    set_field(word, spec.part, value.part);
    set_field(word, spec.base, value.index);
    set_field(word, spec.bank, value.bank);
    set_field(word, spec.uniform, value.uniform);
    switch (spec.form) {
    case form::gpr:
    case form::uniform:
        set_field(word, spec.bits, value.index);
        break;
    case form::predicate:
    case form::uniform_predicate:
        set_field(word, spec.bits, spec.reversed ? predicate_true - value.index : value.index);
        break;
    case form::real:
    case form::real_double:
        set_field(word, spec.bits, value.value >> dropped_bits(spec));
        break;
    case form::target:
        set_field(word, spec.bits, sign_extended(value.value - next_address) >> spec.shift);
        break;
    case form::quad_signs_swapped:
        set_field(word, spec.bits, pairs_exchanged(value.value));
        break;
    default:
        set_field(word, spec.bits, sign_extended(value.value) >> spec.shift);
        break;
    }
}

unsigned words_of_type(unsigned type)
{
    return (type & 3U) == 3 ? 2 : 1;
}

/// U64, S64 and F64 are 2, 5 and 6.
unsigned words_of_atomic(unsigned type)
{
    return type == 2 || type == 5 || type == 6 ? 2 : 1;
}

unsigned words_of(const instruction& decoded, extent wide)
{
    const auto modifier = [&](mod id) { return unsigned{decoded.modifiers[static_cast<std::size_t>(id)]}; };
    switch (wide) {
    case extent::one:
        return 1;
    case extent::two:
        return 2;
    case extent::by_words:
        return modifier(mod::size) + 1;
    case extent::by_memory_size:
        return modifier(mod::size) >= 6 ? 4 : modifier(mod::size) == 5 ? 2 : 1;
    case extent::by_to_type:
        return words_of_type(modifier(mod::to_type));
    case extent::by_from_type:
        return words_of_type(modifier(mod::from_type));
    case extent::by_atomic_type:
        return words_of_atomic(modifier(mod::to_type));
    case extent::two_atomics:
        return 2 * words_of_atomic(modifier(mod::to_type));
    case extent::texture_first:
        return sources_of(form_of(decoded)).first;
    case extent::texture_second:
        return sources_of(form_of(decoded)).second;
    case extent::texture_low:
    case extent::texture_high: {
        const auto count = static_cast<unsigned>(__builtin_popcount(form_of(decoded).mask));
        const unsigned low = results_in_first(count, decoded.row->texture.pairs);
        return wide == extent::texture_low ? low : count - low;
    }
    case extent::by_surface:
        return surface_coordinates(modifier(mod::c_mode));
    case extent::by_mask:
        return static_cast<unsigned>(__builtin_popcount(modifier(mod::mask)));
    case extent::by_part:
        return decoded.at(slot::address).part + 1U;
    case extent::by_address:
        break;
    }
    return modifier(mod::c_mode) + 1;
}

/// Bit n for URn.
std::uint64_t uniform_registers(const instruction& decoded, const operand_spec& spec)
{
    const bool added = spec.uniform.exists();
    const unsigned first = added ? decoded.at(spec.where).uniform : decoded.at(spec.where).index;
    const unsigned count = spec.form == form::bindless               ? 2
                           : added && spec.extent == extent::by_part ? words_of(decoded, extent::by_address)
                           : added                                   ? 1
                                                                     : words_of(decoded, spec.extent);
    std::uint64_t mask = 0;
    for (unsigned i = first; i < first + count && i < uniform_zero; ++i) mask |= std::uint64_t{1} << i;
    return mask;
}

} // namespace

instruction decode_instruction(architecture arch, const encoding& word, std::uint32_t address)
{
    const opcode_row* row = find_row(arch, word);
    if (row == nullptr) {
        char text[112];
        if (arch == architecture::sm50)
            std::snprintf(text, sizeof text, "address 0x%04x: 0x%016" PRIx64 " is no known instruction", address,
                          word[0]);
        else
            std::snprintf(text, sizeof text, "address 0x%04x: 0x%016" PRIx64 "%016" PRIx64 " is no known instruction",
                          address, word[1], word[0]);
        throw program_error(0, 0, text);
    }

    instruction result;
    result.row = row;
    result.address = address;
    result.word = word;
    if (row->guarded) {
        result.guard = byte(get_field(word, guard_field(arch)));
        result.guard_not = get_bit(word, guard_not_bit(arch));
    }
    for (const auto& modifier : row->modifiers)
        result.modifiers[static_cast<std::size_t>(modifier.id)] = byte(get_field(word, modifier.bits));
    for (const auto& spec : row->operands) {
        if (spec.form == form::literal) continue;
        operand& read = result.operands[static_cast<std::size_t>(spec.where)];
        read = decode_operand(spec, word, address + instruction_bytes(arch));
        if (spec.follows && read.index != register_zero) read.index = byte(read.index + words_of(result, spec.extent));
        if (spec.cc != no_bit) result.modifiers[static_cast<std::size_t>(mod::write_cc)] = flag(word, spec.cc);
        // SM50: an attribute address in a register without .P is a physical one (the instruction pages' .PHYS). Later
        // encodings have a bit of their own for it.
        auto& patch = result.modifiers[static_cast<std::size_t>(mod::patch)];
        if (arch == architecture::sm50 && spec.form == form::attribute && patch == 0 &&
            result.at(slot::address).index != register_zero)
            patch = static_cast<std::uint8_t>(address_form::phys);
    }
    describe_issue(result);
    return result;
}

encoding encode_instruction(architecture arch, const instruction& decoded)
{
    const opcode_row& row = *decoded.row;
    encoding word = row.match;
    if (row.guarded) {
        set_field(word, guard_field(arch), decoded.guard);
        set_bit(word, guard_not_bit(arch), decoded.guard_not);
    }
    for (const auto& modifier : row.modifiers)
        set_field(word, modifier.bits, decoded.modifiers[static_cast<std::size_t>(modifier.id)]);
    for (const auto& spec : row.operands) {
        if (spec.form == form::literal || spec.follows) continue;
        encode_operand(spec, decoded.at(spec.where), word, decoded.address + instruction_bytes(arch));
        put_flag(word, spec.cc, decoded.modifiers[static_cast<std::size_t>(mod::write_cc)] != 0);
    }
    return word;
}

encoding ignored_bits(architecture arch, const instruction& decoded)
{
    const encoding said = encode_instruction(arch, decoded);
    encoding bits{};
    for (std::size_t i = 0; i < bits.size(); ++i) bits[i] = decoded.word[i] & ~said[i] & ~decoded.row->ignored[i];
    return bits;
}

register_range registers_of(const instruction& decoded, const operand_spec& spec)
{
    const operand& value = decoded.at(spec.where);
    if (value.kind != operand::source::reg || value.index == register_zero) return {};
    if (!spec.base.exists() && spec.form != form::gpr) return {};
    const unsigned words = words_of(decoded, spec.extent);
    if (words == 0) return {};
    unsigned first = value.index;
    if (spec.aligned) first &= words == 1 ? ~0U : words == 2 ? ~1U : ~3U;
    const unsigned last = first + words - 1;
    return {static_cast<std::uint8_t>(first),
            static_cast<std::uint8_t>(last < register_zero ? words : register_zero - first)};
}

std::string misaligned_register(const instruction& decoded, const operand_spec& spec)
{
    const operand& value = decoded.at(spec.where);
    const register_range range = registers_of(decoded, spec);
    if (!spec.aligned || range.count == 0 || range.first == value.index) return "";
    const unsigned last = range.first + range.count - 1U;
    return std::string(decoded.row->mnemonic) + " of " + std::to_string(range.count) + " words with R" +
           std::to_string(value.index) + ": the hardware drops the low bits of the register, it takes R" +
           std::to_string(range.first) + " to R" + std::to_string(last);
}

void describe_issue(instruction& decoded)
{
    const opcode_row& row = *decoded.row;
    constexpr std::uint8_t condition_codes = 1U << predicate_true;
    issue_info issue;
    issue.latency = row.latency;
    issue.pipe = row.pipe;
    issue.attribute_opcode = row.attribute_opcode;
    const auto predicate = [](std::uint8_t index) {
        return static_cast<std::uint8_t>(index == predicate_true ? 0 : 1U << index);
    };
    if (row.guarded) issue.guard_reads = predicate(decoded.guard);
    (row.uniform ? issue.uniform_predicate_reads : issue.predicate_reads) |= issue.guard_reads;

    std::size_t reads = 0, writes = 0;
    for (const auto& spec : row.operands) {
        if (spec.form == form::literal) continue;
        if (is_predicate(spec.form)) {
            auto& mask = spec.form == form::predicate
                             ? (spec.writes ? issue.predicate_writes : issue.predicate_reads)
                             : (spec.writes ? issue.uniform_predicate_writes : issue.uniform_predicate_reads);
            mask |= predicate(decoded.at(spec.where).index);
            continue;
        }
        if (spec.form == form::uniform || spec.form == form::bindless || spec.uniform.exists())
            (spec.writes ? issue.uniform_writes : issue.uniform_reads) |= uniform_registers(decoded, spec);
        issue.bindless = issue.bindless || spec.form == form::bindless;
        if (spec.form == form::code_test && decoded.at(spec.where).value != spec.usual) {
            issue.code_test = byte(decoded.at(spec.where).value);
            issue.predicate_reads |= condition_codes;
        }
        const register_range range = registers_of(decoded, spec);
        if (range.count == 0) continue;
        if (!spec.writes && spec.where == slot::c) issue.sum_reads |= byte(1U << reads);
        (spec.writes ? issue.writes[writes++] : issue.reads[reads++]) = range;
    }
    if (row.packed != packed_predicates::none) {
        const operand& mask = decoded.at(slot::b);
        const auto named = static_cast<std::uint8_t>(0x7fU & (mask.kind == operand::source::none ? 0x7fU : mask.value));
        (row.packed == packed_predicates::read ? issue.predicate_reads : issue.predicate_writes) |= named;
    }
    if (decoded.modifiers[static_cast<std::size_t>(mod::write_cc)] != 0) issue.predicate_writes |= condition_codes;
    const unsigned extended = decoded.modifiers[static_cast<std::size_t>(mod::extended)];
    if (row.reads_codes) issue.predicate_reads |= condition_codes;
    if (extended != 0 && extended != begins_chain) issue.predicate_reads |= condition_codes;
    decoded.issue = issue;
}

} // namespace isbesim::isa
