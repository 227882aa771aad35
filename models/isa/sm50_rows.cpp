#include "models/isa/sm50_rows.h"

namespace isbesim::isa::sm50 {

namespace {

constexpr std::uint8_t reuse_a = 0, reuse_b = 1, reuse_c = 2;

operand_spec source(slot where, field bits, std::uint8_t reuse, const source_bits& extra)
{
    operand_spec spec = register_source(where, bits, extra.extent);
    spec.part = extra.part;
    spec.negate = extra.negate;
    spec.absolute = extra.absolute;
    spec.invert = extra.invert;
    spec.reuse = reuse;
    return spec;
}

} // namespace

operand_spec dest(std::uint8_t cc, extent wide)
{
    operand_spec spec = register_result(reg_0, wide);
    spec.cc = cc;
    return spec;
}

operand_spec source_a(source_bits bits)
{
    return source(slot::a, reg_8, reuse_a, bits);
}
operand_spec source_b(source_bits bits)
{
    return source(slot::b, reg_20, reuse_b, bits);
}
operand_spec source_c(source_bits bits)
{
    return source(slot::c, reg_39, reuse_c, bits);
}

operand_spec constant(operand_spec source)
{
    source.form = form::constant;
    source.bits = {20, 14};
    source.bank = {34, 5};
    source.shift = 2;
    source.reuse = no_bit;
    return source;
}

operand_spec immediate(operand_spec source, form kind, field bits)
{
    source.form = kind;
    source.bits = bits;
    source.part = {};
    source.reuse = no_bit;
    return source;
}

void add(rows& out, std::uint64_t opcode, opcode_row row)
{
    append_row(out, architecture::sm50, {opcode, 0}, std::move(row));
}

void add(rows& out, const forms& opcodes, const opcode_row& row)
{
    if (opcodes.reg != 0) add(out, std::uint64_t{opcodes.reg} << 48, row);
    if (opcodes.constant != 0) {
        opcode_row form_row = row;
        operand_at(form_row, slot::b) = constant(operand_at(form_row, slot::b));
        add(out, std::uint64_t{opcodes.constant} << 48, std::move(form_row));
    }
    if (opcodes.immediate != 0) {
        opcode_row form_row = row;
        operand_at(form_row, slot::b) = immediate(operand_at(form_row, slot::b), opcodes.immediate_form);
        add(out, std::uint64_t{opcodes.immediate} << 48, std::move(form_row));
    }
    if (opcodes.constant_c != 0) {
        opcode_row form_row = row;
        operand_at(form_row, slot::b).bits = reg_39;
        operand_at(form_row, slot::b).reuse = reuse_c;
        operand_at(form_row, slot::c) = constant(operand_at(form_row, slot::c));
        add(out, std::uint64_t{opcodes.constant_c} << 48, std::move(form_row));
    }
}

} // namespace isbesim::isa::sm50
