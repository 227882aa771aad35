// SM75 rows: floats, doubles, integers, logic.
#include "models/isa/sm75_rows.h"

// clang-format off
namespace isbesim::isa::sm75 {

void add_float_rows(rows& out)
{
    const auto sign = signs::negate_absolute;
    const operand_spec a = source(slot::a, place::first, sign), b = source(slot::b, place::second, sign);
    const operand_spec p = predicate_result(slot::pd, 81), q = predicate_result(slot::pq, 84);
    const modifier_spec ftz = {mod::flush, {80, 1}, say::ftz}, fmz = {mod::flush, {80, 1, 76, 1}, say::fmz};
    const modifier_spec round = {mod::round, {78, 2}, say::round}, sat = {mod::saturate, {77, 1}, say::sat};
    const modifier_spec compare = {mod::compare, {76, 4}, say::compare_float}, combine = {mod::combine, {74, 2}, say::combine};

    opcode_row row;
    row.latency = latency_class::alu;

    row.mnemonic = "FADD";
    row.execute = run::fadd;
    row.modifiers = {ftz, round, sat};
    row.operands = {dest(), a, b};
    add_summand(out, {0x021, form::real}, row);

    row.mnemonic = "FMUL";
    row.execute = run::fmul;
    row.modifiers = {fmz, {mod::scale, {84, 3}, say::scale_bias_4}, round, sat};
    add_two_source(out, {0x020, form::real}, row);

    row.mnemonic = "FFMA";
    row.execute = run::ffma;
    row.modifiers = {fmz, round, sat};
    row.operands = {dest(), source(slot::a, place::first, signs::negate), source(slot::b, place::second, signs::negate), source(slot::c, place::third, signs::negate)};
    add_three_source(out, {0x023, form::real}, row);

    row.mnemonic = "FMNMX";
    row.execute = run::fmnmx;
    row.modifiers = {ftz};
    row.operands = {dest(), a, b, condition()};
    add_two_source(out, {0x009, form::real}, row);

    row.mnemonic = "FSET.BF";
    row.execute = run::fset_float;
    row.modifiers = {compare, ftz, combine};
    add_two_source(out, {0x00a, form::real}, row);

    row.mnemonic = "FSETP";
    row.execute = run::fsetp;
    row.operands = {p, q, a, b, condition()};
    add_two_source(out, {0x00b, form::real}, row);

    row.latency = latency_class::variable;
    row.mnemonic = "MUFU";
    row.execute = run::mufu;
    row.modifiers = {{mod::function, {74, 4}, say::mufu}};
    row.operands = {dest(), source(slot::a, place::second, sign)};
    add_two_source(out, {0x108, form::real, 0, slot::a}, row);

    const auto two = extent::two;
    const operand_spec da = source(slot::a, place::first, sign, two), db = source(slot::b, place::second, sign, two);
    row.mnemonic = "DADD";
    row.execute = run::dadd;
    row.modifiers = {round};
    row.operands = {dest(two), da, source(slot::b, place::third, sign, two)};
    add_summand(out, {0x029, form::real_double}, row);

    row.mnemonic = "DMUL";
    row.execute = run::dmul;
    row.operands = {dest(two), da, db};
    add_two_source(out, {0x028, form::real_double}, row);

    row.mnemonic = "DFMA";
    row.execute = run::dfma;
    row.operands = {dest(two), source(slot::a, place::first, signs::negate, two), source(slot::b, place::second, signs::negate, two), source(slot::c, place::third, signs::negate, two)};
    add_three_source(out, {0x02b, form::real_double}, row);

    row.mnemonic = "DSETP";
    row.execute = run::dsetp;
    row.modifiers = {compare, combine};
    row.operands = {p, q, da, db, condition()};
    add_summand(out, {0x02a, form::real_double}, row);
}

void add_integer_rows(rows& out)
{
    const auto negate = signs::negate;
    const operand_spec a = source(slot::a, place::first), b = source(slot::b, place::second), c = source(slot::c, place::third);
    const operand_spec na = source(slot::a, place::first, negate), nb = source(slot::b, place::second, negate), nc = source(slot::c, place::third, negate);
    const operand_spec p = predicate_result(slot::pd, 81), q = predicate_result(slot::pq, 84);
    const operand_spec carry = predicate_result(slot::pd, 81, true), carry_2 = predicate_result(slot::pq, 84, true);
    const modifier_spec sign = {mod::is_signed, {73, 1}, say::sign};
    // Carry and condition inputs that an instruction without .X does not look at; compilers fill them differently.
    const encoding unread_condition = {0, 0x0780'0000}, unread_carries = {0, 0x0781'e000}, unread_results = {0, 0x078e'0000};

    opcode_row row;
    row.latency = latency_class::alu;

    row.mnemonic = "IADD3";
    row.execute = run::iadd3;
    row.operands = {dest(), carry, carry_2, na, nb, nc};
    row.ignored = unread_carries;
    add_three_source(out, {0x010, form::integer}, row);
    row.ignored = {};

    const auto invert = signs::invert;
    row.mnemonic = "IADD3.X";
    row.execute = run::iadd3_carry;
    row.operands = {dest(), carry, carry_2, source(slot::a, place::first, invert), source(slot::b, place::second, invert), source(slot::c, place::third, invert), predicate_source(slot::pa, 87, 90), predicate_source(slot::pb, 77, 80)};
    add_three_source(out, {0x010, form::integer, 0x400}, row);

    row.mnemonic = "IMAD";
    row.execute = run::imad_low;
    row.modifiers = {sign};
    row.operands = {dest(), a, b, nc};
    row.ignored = unread_results;
    row.latency = latency_class::variable;
    add_three_source(out, {0x024, form::integer}, row);

    row.ignored = unread_condition;
    const auto two = extent::two;
    row.mnemonic = "IMAD.WIDE";
    row.execute = run::imad_wide;
    row.operands = {dest(two), carry, a, b, source(slot::c, place::third, negate, two)};
    add_three_source(out, {0x025, form::integer}, row);

    row.mnemonic = "IMAD.HI";
    row.execute = run::imad_high;
    row.operands[0] = dest();
    add_three_source(out, {0x027, form::integer}, row);
    row.latency = latency_class::alu;

    row.mnemonic = "LEA";
    row.execute = run::lea;
    row.modifiers = {};
    row.operands = {dest(), carry, na, nb, small(slot::extra, {75, 5})};
    add_two_source(out, {0x011, form::integer, register_zero}, row);
    row.ignored = {};

    row.mnemonic = "IABS";
    row.execute = run::iabs;
    row.operands = {dest(), b};
    add_two_source(out, {0x013, form::integer}, row);

    // Bits 71:68 are the carry of the lower words for .EX: PT.
    row.mnemonic = "ISETP";
    row.execute = run::isetp;
    row.modifiers = {{mod::compare, {76, 3}, say::compare_integer}, sign, {mod::combine, {74, 2}, say::combine}};
    row.operands = {p, q, a, b, condition()};
    add_two_source(out, {0x00c, form::integer, 0x70}, row);

    row.mnemonic = "LOP3.LUT";
    row.execute = run::lop3_predicate;
    row.modifiers = {};
    row.operands = {carry, dest(), a, b, c, small(slot::extra, {72, 8}), condition()};
    add_three_source(out, {0x012, form::unsigned_word}, row);

    row.modifiers = {{mod::wrap, {75, 1}, say::wrap}, {mod::c_mode, {73, 2}, say::funnel_type}, {mod::high, {80, 1}, say::hi}};
    row.operands = {dest(), a, b, c};
    row.mnemonic = "SHF.L";
    row.execute = run::funnel_left;
    add_three_source(out, {0x019, form::unsigned_word}, row);
    row.mnemonic = "SHF.R";
    row.execute = run::funnel_right;
    add_three_source(out, {0x019, form::unsigned_word, 0x1000}, row);

    row.mnemonic = "PRMT";
    row.execute = run::prmt;
    row.modifiers = {{mod::c_mode, {72, 3}, say::permute}};
    add_three_source(out, {0x016, form::unsigned_word}, row);

    row.mnemonic = "SEL";
    row.execute = run::sel;
    row.modifiers = {};
    row.operands = {dest(), a, b, condition()};
    add_two_source(out, {0x007, form::unsigned_word}, row);
}

} // namespace isbesim::isa::sm75
// clang-format on
