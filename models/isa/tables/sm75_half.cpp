// SPDX-License-Identifier: Apache-2.0
// SM75 rows: two half floats in a register. Each source can use one of its halves for both.
#include <utility>

#include "models/isa/tables/sm75_rows.h"

namespace isbesim::isa::sm75 {

namespace {

operand_spec half_source(slot where, place at)
{
    operand_spec spec = source(where, at, signs::negate_absolute);
    spec.halves = true;
    spec.part = at == place::first ? field{74, 2} : at == place::second ? field{60, 2} : field{81, 2};
    if (at == place::third) {
        spec.absolute = 83;
        spec.negate = 84;
    }
    return spec;
}

operand_spec in_constant(slot where)
{
    operand_spec spec = half_source(where, place::second);
    spec.form = form::constant;
    spec.bits = {40, 14};
    spec.bank = {54, 5};
    spec.shift = 2;
    spec.reuse = no_bit;
    return spec;
}

operand_spec two_numbers(slot where)
{
    return small(where, immediate_field, form::half_pair);
}

const operand_spec a = half_source(slot::a, place::first);

/// Bits 11:0 of the opcode for each kind of second source: a register, two numbers or a constant.
struct two_source_opcodes {
    unsigned by_register, by_number, by_constant;
};

/// Adds the rows with bit 91: a bindless constant, and a uniform register.
void add_uniform_halves(rows& out, unsigned by_constant, slot where, const opcode_row& row)
{
    operand_spec source = half_source(where, place::second);
    constexpr unsigned to_uniform = 0x200; // from the constant's form: bits 11:9 change from 5 to 6, from 3 to 7
    const unsigned by_uniform = (by_constant & 0x800U) != 0 ? by_constant + to_uniform : by_constant + 4 * to_uniform;
    add(out, uniform_bit, by_constant, with_operand(row, in_bindless_constant(source)));
    add(out, uniform_bit, by_uniform, with_operand(row, in_uniform_register(source)));
}

void add_two_halves(rows& out, two_source_opcodes opcodes, const opcode_row& row)
{
    add(out, 0, opcodes.by_register, row);
    add(out, 0, opcodes.by_number, with_operand(row, two_numbers(slot::b)));
    add(out, 0, opcodes.by_constant, with_operand(row, in_constant(slot::b)));
    add_uniform_halves(out, opcodes.by_constant, slot::b, row);
}

} // namespace

void add_half_rows(rows& out)
{
    const operand_spec p = predicate_result(slot::pd, 81), q = predicate_result(slot::pq, 84);
    const operand_spec b = half_source(slot::b, place::second), summand = as_third(b),
                       c = half_source(slot::c, place::third);
    const modifier_spec fmz_split = fmz({80, 1, 76, 1}), single = {mod::to_type, {78, 1}, values::single_result};
    static constexpr choice horizontal[] = {{0, "", false}, {1, "H_AND"}};

    // Other formats and .RELU exist only on later architectures.
    const encoding brain_float = {0, 0x20'0002}, relu = {0, 0x8000};
    const auto later = [&](opcode_row row) { return meaning({0, brain_float[1] | relu[1]}, std::move(row)); };
    add_two_halves(out, {0x230, 0x430, 0x630},
                   later(alu_row("HADD2", run::hadd2, {single, ftz(80), saturate(77)}, {dest(), a, summand})));
    add_two_halves(out, {0x232, 0x832, 0xa32},
                   later(alu_row("HMUL2", run::hmul2, {single, fmz_split, saturate(77)}, {dest(), a, b})));

    const opcode_row fused = later(alu_row("HFMA2", run::hfma2, {single, fmz_split, saturate(77)}, {dest(), a, b, c}));
    add_two_halves(out, {0x231, 0x831, 0xa31}, fused);
    operand_spec moved_b = half_source(slot::b, place::third);
    moved_b.reuse = b.reuse;
    const opcode_row swapped = with_operand(fused, moved_b); // the third source comes from elsewhere
    add(out, 0, 0x431, with_operand(swapped, two_numbers(slot::c)));
    add(out, 0, 0x631, with_operand(swapped, in_constant(slot::c)));
    add_uniform_halves(out, 0x631, slot::c, swapped);

    add_two_halves(
        out, {0x233, 0x433, 0x633},
        meaning(brain_float, alu_row("HSET2", run::hset2, {boolean_float(71), compare_float(76), ftz(80), combine(69)},
                                     {dest(), a, summand, condition()})));
    add_two_halves(
        out, {0x234, 0x434, 0x634},
        meaning(brain_float, alu_row("HSETP2", run::hsetp2,
                                     {compare_float(76), ftz(80), combine(69), {mod::merge, {71, 1}, horizontal}},
                                     {p, q, a, summand, condition()})));
}

void add_ampere_half_rows(rows& out)
{
    const operand_spec b = half_source(slot::b, place::second);
    add_two_halves(out, {0x240, 0x840, 0xa40},
                   meaning({0, 0x7'0000}, // .FTZ, .NAN and .XORSIGN
                           alu_row("HMNMX2", run::hmnmx2, {}, {dest(), a, b, condition()})));
    // Two floats as halves: the first float becomes the upper half.
    static constexpr choice halves_of_floats[] = {{0, "PACK_AB"}};
    add_two_source(out, {0x03e, form::real, 0xff},
                   alu_row("F2FP", run::f2fp, {rounding(79), {mod::c_mode, {}, halves_of_floats}},
                           {dest(), first(signs::negate_absolute), second(signs::negate_absolute)}));
}

} // namespace isbesim::isa::sm75
