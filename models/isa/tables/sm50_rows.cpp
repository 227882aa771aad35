// SPDX-License-Identifier: Apache-2.0
#include "models/isa/tables/sm50_rows.h"

#include <utility>

namespace isbesim::isa::sm50 {

namespace {

constexpr std::uint8_t reuse_a = 0, reuse_b = 1, reuse_c = 2;

operand_spec source(slot where, field bits, std::uint8_t reuse, std::uint8_t negate, std::uint8_t absolute)
{
    operand_spec spec = register_source(where, bits);
    spec.negate = negate;
    spec.absolute = absolute;
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

operand_spec source_a(std::uint8_t negate, std::uint8_t absolute)
{
    return source(slot::a, reg_8, reuse_a, negate, absolute);
}

operand_spec source_b(std::uint8_t negate, std::uint8_t absolute)
{
    return source(slot::b, reg_20, reuse_b, negate, absolute);
}

operand_spec source_c(std::uint8_t negate, std::uint8_t absolute)
{
    return source(slot::c, reg_39, reuse_c, negate, absolute);
}

operand_spec condition()
{
    return predicate_source(slot::ps, 39, 42);
}

operand_spec code_test()
{
    static constexpr const char* names[] = {
        "CC.F",      "CC.LT",     "CC.EQ",     "CC.LE",      "CC.GT",      "CC.NE",      "CC.GE",  "CC.NUM",
        "CC.NAN",    "CC.LTU",    "CC.EQU",    "CC.LEU",     "CC.GTU",     "CC.NEU",     "CC.GEU", "CC.T",
        "CC.OFF",    "CC.LO",     "CC.SFF",    "CC.LS",      "CC.HI",      "CC.SFT",     "CC.HS",  "CC.OFT",
        "CC.CSM_TA", "CC.CSM_TR", "CC.CSM_MX", "CC.FCSM_TA", "CC.FCSM_TR", "CC.FCSM_MX", "CC.RLE", "CC.RGT"};
    operand_spec spec = named(slot::c, {0, 5}, names);
    spec.form = form::code_test;
    return optional(spec, codes_do_not_matter);
}

operand_spec in_place_of_c(operand_spec b)
{
    b.bits = reg_39;
    b.reuse = reuse_c;
    return b;
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

void add_with_target(rows& out, std::uint64_t opcode, const opcode_row& row)
{
    add(out, opcode, row);
    operand_spec held = in_bank(small(slot::extra, {20, 16}, form::constant), {36, 5});
    opcode_row indirect = with_operand(row, held);
    indirect.execute = run::needs_constant_target;
    add(out, opcode | 0x20, std::move(indirect));
}

void add(rows& out, const forms& opcodes, const opcode_row& row)
{
    const auto add_form = [&](unsigned opcode, opcode_row form_row) {
        add(out, std::uint64_t{opcode} << 48, std::move(form_row));
    };
    if (opcodes.reg != 0) add_form(opcodes.reg, row);
    if (opcodes.constant != 0) add_form(opcodes.constant, with_operand(row, constant(operand_at(row, slot::b))));
    if (opcodes.immediate != 0)
        add_form(opcodes.immediate, with_operand(row, immediate(operand_at(row, slot::b), opcodes.immediate_form)));
    if (opcodes.constant_c != 0)
        add_form(opcodes.constant_c, with_operand(with_operand(row, in_place_of_c(operand_at(row, slot::b))),
                                                  constant(operand_at(row, slot::c))));
}

} // namespace isbesim::isa::sm50
