// SPDX-License-Identifier: Apache-2.0
#include "models/isa/tables/sm75_rows.h"

#include <algorithm>
#include <string_view>

#include "models/isa/tables/memory_modifiers.h"
#include "tlm/enum_table.h"

namespace isbesim::isa::sm75 {

namespace {

// Bits 11:9 of the opcode.
constexpr unsigned by_register = 0x200, third_immediate = 0x400, third_constant = 0x600, second_immediate = 0x800,
                   second_constant = 0xa00, second_uniform = 0xc00, third_uniform = 0xe00;

struct place_bits {
    field reg;
    std::uint8_t negate, absolute, reuse;
};
constexpr place_bits places[] = {{reg_first, 72, 73, 0}, {reg_second, 63, 62, 1}, {reg_third, 75, 74, 2}};
static_assert(std::size(places) == enum_count<place::third>);

operand_spec moved(operand_spec source, place to)
{
    const place_bits& bits = places[static_cast<std::size_t>(to)];
    source.bits = bits.reg; // the reuse flag stays that of the source
    if (source.negate != no_bit) source.negate = bits.negate;
    if (source.invert != no_bit) source.invert = bits.negate;
    if (source.absolute != no_bit) source.absolute = bits.absolute;
    return source;
}

/// The same source as c[bank][offset] in bits 58:40, with the modifiers of the second place.
operand_spec constant(operand_spec source)
{
    source = moved(source, place::second);
    source.form = form::constant;
    source.bits = {40, 14};
    source.bank = {54, 5};
    source.shift = 2;
    source.reuse = no_bit;
    return source;
}

/// The same source as a 32-bit immediate, which includes its sign.
operand_spec immediate(operand_spec source, form kind)
{
    source.form = kind;
    source.bits = immediate_field;
    source.part = {};
    source.negate = source.absolute = source.invert = source.reuse = no_bit;
    return source;
}

void add_form(rows& out, const forms& opcodes, unsigned form_bits, opcode_row row)
{
    add(out, opcodes.high, opcodes.opcode | form_bits, std::move(row));
}

struct form_bits {
    unsigned immediate, constant, uniform;
};
constexpr form_bits second_bits = {second_immediate, second_constant, second_uniform},
                    third_bits = {third_immediate, third_constant, third_uniform};

void add_replaced(rows& out, const forms& opcodes, form_bits bits, const opcode_row& row)
{
    const operand_spec& replaced = operand_at(row, opcodes.replaced);
    forms uniform = opcodes;
    uniform.high |= uniform_bit;
    add_form(out, opcodes, bits.immediate, with_operand(row, immediate(replaced, opcodes.immediate_form)));
    add_form(out, opcodes, bits.constant, with_operand(row, constant(replaced)));
    add_form(out, uniform, bits.constant, with_operand(row, in_bindless_constant(replaced)));
    add_form(out, uniform, bits.uniform, with_operand(row, in_uniform_register(replaced)));
}

/// The same row with the third source in the place of the second.
opcode_row with_third_replaced(const opcode_row& row)
{
    return with_operand(row, moved(operand_at(row, slot::b), place::third));
}

forms replacing_third(forms opcodes)
{
    opcodes.replaced = slot::c;
    return opcodes;
}

} // namespace

std::vector<modifier_spec> ordered(architecture arch, std::vector<modifier_spec> modifiers, choices values,
                                   const std::vector<modifier_spec>& rest)
{
    if (arch == architecture::sm75)
        modifiers.insert(modifiers.end(), {{mod::order, {79, 2}, values}, scope(77)});
    else
        modifiers.push_back({mod::order, {77, 4}, values::ordered_scope});
    modifiers.insert(modifiers.end(), rest.begin(), rest.end());
    return modifiers;
}

field branch_field(architecture arch)
{
    return arch == architecture::sm120 ? field{16, 8, 34, 48} : field{34, 48};
}

field uniform_of_load(architecture arch)
{
    return {32, static_cast<std::uint8_t>(arch == architecture::sm120 ? 8 : 6)};
}
field uniform_of_store(architecture arch)
{
    return {64, uniform_of_load(arch).bits};
}

void remove_constant_forms(rows& out)
{
    const auto takes_constant = [](const operand_spec& each) {
        return each.form == form::constant || each.form == form::bindless;
    };
    out.erase(std::remove_if(out.begin(), out.end(),
                             [&](const opcode_row& row) {
                                 const std::string_view name = row.mnemonic;
                                 return name != "LDC" && name != "LDCU" &&
                                        std::any_of(row.operands.begin(), row.operands.end(), takes_constant);
                             }),
              out.end());
}

operand_spec in_uniform_register(operand_spec source)
{
    source = moved(source, place::second);
    source.form = form::uniform;
    source.reuse = no_bit;
    return source;
}

operand_spec in_bindless_constant(operand_spec source)
{
    source = moved(source, place::second);
    source.form = form::bindless;
    source.base = {32, 6};
    source.bits = {40, 14};
    source.shift = 2;
    source.reuse = no_bit;
    return source;
}

operand_spec dest(extent wide)
{
    return register_result(reg_d, wide);
}

operand_spec source(slot where, place at, signs has, extent wide)
{
    const place_bits& bits = places[static_cast<std::size_t>(at)];
    operand_spec spec = register_source(where, bits.reg, wide);
    spec.reuse = bits.reuse;
    if (has == signs::negate || has == signs::negate_absolute) spec.negate = bits.negate;
    if (has == signs::negate_absolute) spec.absolute = bits.absolute;
    if (has == signs::invert) spec.invert = bits.negate;
    return spec;
}

operand_spec as_third(operand_spec source)
{
    source.reuse = places[static_cast<std::size_t>(place::third)].reuse;
    return source;
}

operand_spec condition()
{
    return predicate_source(slot::ps, 87, 90);
}

void add(rows& out, std::uint64_t high, std::uint64_t low, opcode_row row)
{
    row.shows_reuse = false; // the samples' nvdisasm prints no reuse flags here; newer versions do
    append_row(out, architecture::sm75, {low, high}, std::move(row));
}

void add_two_source(rows& out, const forms& opcodes, const opcode_row& row)
{
    add_form(out, opcodes, by_register, row);
    add_replaced(out, opcodes, second_bits, row);
}

void add_summand(rows& out, const forms& opcodes, const opcode_row& row)
{
    add_form(out, opcodes, by_register, with_operand(row, as_third(operand_at(row, slot::b))));
    const encoding third_register = {0, 0xff}; // unread; Mesa's Vulkan compiler leaves RZ there
    add_replaced(out, opcodes, third_bits, ignoring(third_register, row));
}

void add_three_source(rows& out, const forms& opcodes, const opcode_row& row)
{
    add_two_source(out, opcodes, row);
    add_third_forms(out, opcodes, row);
}

void add_third_forms(rows& out, const forms& opcodes, const opcode_row& row)
{
    add_replaced(out, replacing_third(opcodes), third_bits, with_third_replaced(row));
}

opcode_row on_uniform(const opcode_row& row, const char* mnemonic)
{
    opcode_row uniform = row;
    uniform.mnemonic = mnemonic;
    uniform.uniform = true;
    for (auto& spec : uniform.operands) {
        if (spec.form == form::gpr) spec.form = form::uniform;
        if (spec.form == form::predicate) spec.form = form::uniform_predicate;
        spec.reuse = no_bit;
    }
    return uniform;
}

void add_uniform_two_source(rows& out, const forms& opcodes, const opcode_row& row)
{
    forms uniform = opcodes;
    uniform.high |= uniform_bit;
    const operand_spec& replaced = operand_at(row, opcodes.replaced);
    add_form(out, uniform, by_register, row);
    add_form(out, uniform, second_immediate, with_operand(row, immediate(replaced, opcodes.immediate_form)));
}

void add_uniform_three_source(rows& out, const forms& opcodes, const opcode_row& row)
{
    forms uniform = replacing_third(opcodes);
    uniform.high |= uniform_bit;
    add_uniform_two_source(out, opcodes, row);
    const opcode_row third = with_third_replaced(row);
    add_form(out, uniform, third_immediate,
             with_operand(third, immediate(operand_at(third, slot::c), opcodes.immediate_form)));
}

} // namespace isbesim::isa::sm75
