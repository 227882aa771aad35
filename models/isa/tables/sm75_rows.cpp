#include "models/isa/tables/sm75_rows.h"

#include "tlm/enum_table.h"

namespace isbesim::isa::sm75 {

namespace {

// Bits 11:9 of the opcode.
constexpr unsigned by_register = 0x200, third_immediate = 0x400, third_constant = 0x600, second_immediate = 0x800,
                   second_constant = 0xa00;

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

/// The same source as a 32-bit immediate, which says its own sign.
operand_spec immediate(operand_spec source, form kind)
{
    source.form = kind;
    source.bits = immediate_field;
    source.part = {};
    source.negate = source.absolute = source.invert = source.reuse = no_bit;
    return source;
}

void add_form(rows& out, const forms& opcodes, unsigned form_bits, const opcode_row& row)
{
    add(out, opcodes.high, opcodes.opcode | form_bits, row);
}

struct form_pair {
    unsigned immediate, constant;
};

void add_replaced(rows& out, const forms& opcodes, form_pair bits, const opcode_row& row)
{
    const operand_spec& replaced = operand_at(row, opcodes.replaced);
    add_form(out, opcodes, bits.immediate, with_operand(row, immediate(replaced, opcodes.immediate_form)));
    add_form(out, opcodes, bits.constant, with_operand(row, constant(replaced)));
}

} // namespace

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

void add(rows& out, std::uint64_t high, std::uint64_t low, const opcode_row& row)
{
    opcode_row shown = row;
    shown.shows_reuse = false; // nvdisasm of the sample programs prints no reuse flags here; newer ones do
    append_row(out, architecture::sm75, {low, high}, std::move(shown));
}

void add_two_source(rows& out, const forms& opcodes, const opcode_row& row)
{
    add_form(out, opcodes, by_register, row);
    add_replaced(out, opcodes, {second_immediate, second_constant}, row);
}

void add_summand(rows& out, const forms& opcodes, const opcode_row& row)
{
    add_form(out, opcodes, by_register, with_operand(row, as_third(operand_at(row, slot::b))));
    add_replaced(out, opcodes, {third_immediate, third_constant}, row);
}

void add_three_source(rows& out, const forms& opcodes, const opcode_row& row)
{
    add_two_source(out, opcodes, row);
    forms third = opcodes;
    third.replaced = slot::c;
    add_replaced(out, third, {third_immediate, third_constant},
                 with_operand(row, moved(operand_at(row, slot::b), place::third)));
}

} // namespace isbesim::isa::sm75
