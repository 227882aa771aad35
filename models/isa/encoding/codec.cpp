// SPDX-License-Identifier: Apache-2.0
#include "models/isa/encoding/codec.h"

#include <cinttypes>
#include <cstdio>

#include "models/isa/operand_registers.h"
#include "models/isa/tables/table.h"
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

/// For fields that are wider than the value, such as branch distances of SM75; 16-bit offsets are not.
std::uint64_t sign_extended(std::uint32_t value)
{
    return static_cast<std::uint64_t>(std::int64_t{static_cast<std::int32_t>(value)});
}

/// Float immediates keep the upper bits of the value, doubles those of its high word.
unsigned dropped_bits(const operand_spec& spec)
{
    return 32 - spec.bits.width();
}

/// SM75 can encode distances that no program needs; they must not be truncated silently.
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

/// Swaps the two bits of every pair.
std::uint32_t pairs_exchanged(std::uint32_t value)
{
    return (value & 0x55555555U) << 1 | (value >> 1 & 0x55555555U);
}

constexpr std::uint8_t old_uniform_zero = 63; ///< before SM120, and in fields of six bits

std::uint8_t decoded_uniform(architecture arch, const encoding& word, field bits)
{
    const auto number = byte(get_field(word, bits));
    const bool old = arch < architecture::sm120 || bits.width() == 6;
    return old && number == old_uniform_zero ? uniform_zero : number;
}

std::uint8_t encoded_uniform(architecture arch, std::uint8_t number)
{
    return arch < architecture::sm120 && number == uniform_zero ? old_uniform_zero : number;
}

operand decode_operand(architecture arch, const operand_spec& spec, const encoding& word, std::uint32_t next_address)
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
        result.index = decoded_uniform(arch, word, spec.bits);
        break;
    case form::bindless:
        result.kind = operand::source::bindless;
        result.index = decoded_uniform(arch, word, spec.base);
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
        result.index = spec.base.exists() ? byte(get_field(word, spec.base)) : register_zero;
        result.bank = byte(get_field(word, spec.bank));
        if (spec.uniform.exists()) result.uniform = decoded_uniform(arch, word, spec.uniform);
        // A constant's offset without a register has no sign.
        result.value = spec.form == form::constant_index && result.index == register_zero &&
                               (result.uniform == no_uniform || result.uniform == uniform_zero)
                           ? value << spec.shift
                           : number << spec.shift;
        break;
    case form::attribute:
        // Without a register the offset is unsigned and has ten bits: the sign is not part of it (HARDWARE.md B.1).
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

void encode_operand(architecture arch, const operand_spec& spec, const operand& value, encoding& word,
                    std::uint32_t next_address)
{
    const auto index = value.kind == operand::source::uniform || value.kind == operand::source::bindless
                           ? encoded_uniform(arch, value.index)
                           : value.index;
    put_flag(word, spec.negate, value.negate);
    put_flag(word, spec.absolute, value.absolute);
    put_flag(word, spec.invert, value.invert);
    set_field(word, spec.part, value.part);
    set_field(word, spec.base, index);
    set_field(word, spec.bank, value.bank);
    set_field(word, spec.uniform, encoded_uniform(arch, value.uniform));
    switch (spec.form) {
    case form::gpr:
    case form::uniform:
        set_field(word, spec.bits, index);
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
        read = decode_operand(arch, spec, word, address + instruction_bytes(arch));
        if (spec.follows && read.index != register_zero) read.index = byte(read.index + words_of(result, spec.extent));
        if (spec.cc != no_bit) result.modifiers[static_cast<std::size_t>(mod::write_cc)] = flag(word, spec.cc);
        // SM50: an attribute address in a register without .P is a physical one (the instruction pages' .PHYS). Later
        // encodings have a separate bit for it.
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
    for (const auto& modifier : row.modifiers) set_field(word, modifier.bits, decoded.modifier(modifier.id));
    for (const auto& spec : row.operands) {
        if (spec.form == form::literal || spec.follows) continue;
        encode_operand(arch, spec, decoded.at(spec.where), word, decoded.address + instruction_bytes(arch));
        put_flag(word, spec.cc, decoded.modifier(mod::write_cc) != 0);
    }
    return word;
}

encoding ignored_bits(architecture arch, const instruction& decoded)
{
    const encoding encoded = encode_instruction(arch, decoded);
    encoding bits{};
    for (std::size_t i = 0; i < bits.size(); ++i) bits[i] = decoded.word[i] & ~encoded[i] & ~decoded.row->ignored[i];
    return bits;
}

} // namespace isbesim::isa
