// SM50 rows: single and double precision.
#include "models/isa/sm50_rows.h"

// clang-format off
namespace isbesim::isa::sm50 {

void add_float_rows(rows& out)
{
    const operand_spec condition = predicate_source(slot::ps, 39, 42);
    const operand_spec p = predicate_result(slot::pd, 3), q = predicate_result(slot::pq, 0);

    opcode_row row;
    row.latency = latency_class::alu;

    row.mnemonic = "FADD";
    row.execute = run::fadd;
    row.modifiers = {{mod::flush, {44, 1}, say::ftz}, {mod::round, {39, 2}, say::round}, {mod::saturate, {50, 1}, say::sat}};
    row.operands = {dest(47), source_a({48, 46}), source_b({45, 49})};
    row.operands[2].reuse = no_bit; // nvdisasm prints no reuse flag here
    add(out, {0x5c58, 0x4c58, 0x3858, form::real}, row);

    row.mnemonic = "FADD32I";
    row.modifiers = {{mod::flush, {55, 1}, say::ftz}};
    row.operands = {dest(52), source_a({56, 54}), immediate(source_b({53, 57}), form::real, {20, 32})};
    add(out, 0x0800'0000'0000'0000, row);

    row.mnemonic = "FMUL";
    row.execute = run::fmul;
    row.modifiers = {{mod::flush, {44, 2}, say::fmz}, {mod::scale, {41, 3}, say::scale}, {mod::round, {39, 2}, say::round}, {mod::saturate, {50, 1}, say::sat}};
    row.operands = {dest(47), source_a(), source_b({48})};
    add(out, {0x5c68, 0x4c68, 0x3868, form::real}, row);

    row.mnemonic = "FMUL32I";
    row.modifiers = {{mod::flush, {53, 2}, say::fmz}, {mod::saturate, {55, 1}, say::sat}};
    row.operands = {dest(52), source_a(), immediate(source_b(), form::real, {20, 32})};
    add(out, 0x1e00'0000'0000'0000, row);

    row.mnemonic = "FFMA";
    row.execute = run::ffma;
    row.modifiers = {{mod::flush, {53, 2}, say::fmz}, {mod::round, {51, 2}, say::round}, {mod::saturate, {50, 1}, say::sat}};
    row.operands = {dest(47), source_a(), source_b({48}), source_c({49})};
    add(out, {0x5980, 0x4980, 0x3280, form::real, 0x5180}, row);

    // The addend of the long form is the destination register.
    row.mnemonic = "FFMA32I";
    row.modifiers = {{mod::flush, {53, 2}, say::fmz}, {mod::saturate, {55, 1}, say::sat}};
    row.operands = {dest(52), source_a({56}), immediate(source_b(), form::real, {20, 32}), source_c({57})};
    row.operands[3].bits = reg_0;
    row.operands[3].reuse = no_bit;
    row.operands[3].same_register = true;
    add(out, 0x0c00'0000'0000'0000, row);

    row.mnemonic = "FMNMX";
    row.execute = run::fmnmx;
    row.modifiers = {{mod::flush, {44, 1}, say::ftz}};
    row.operands = {dest(47), source_a({48, 46}), source_b({45, 49}), condition};
    add(out, {0x5c60, 0x4c60, 0x3860, form::real}, row);

    row.mnemonic = "FSET";
    row.execute = run::fset;
    row.modifiers = {{mod::boolean_float, {52, 1}, say::bf}, {mod::compare, {48, 4}, say::compare_float}, {mod::flush, {55, 1}, say::ftz}, {mod::combine, {45, 2}, say::combine}};
    row.operands = {dest(47), source_a({43, 54}), source_b({53, 44}), condition};
    add(out, {0x5800, 0x4800, 0x3000, form::real}, row);

    row.mnemonic = "FSETP";
    row.execute = run::fsetp;
    row.modifiers = {{mod::compare, {48, 4}, say::compare_float}, {mod::flush, {47, 1}, say::ftz}, {mod::combine, {45, 2}, say::combine}};
    row.operands = {p, q, source_a({43, 7}), source_b({6, 44}), condition};
    add(out, {0x5bb0, 0x4bb0, 0x36b0, form::real}, row);

    row.mnemonic = "FCMP";
    row.execute = run::fcmp;
    row.modifiers = {{mod::compare, {48, 4}, say::compare_float}, {mod::flush, {47, 1}, say::ftz}};
    row.operands = {dest(), source_a(), source_b(), source_c()};
    add(out, {0x5ba0, 0x4ba0, 0x36a0, form::real, 0x53a0}, row);

    row.mnemonic = "RRO";
    row.execute = run::rro;
    row.modifiers = {{mod::function, {39, 1}, say::rro}};
    row.operands = {dest(), source_b({45, 49})};
    add(out, {0x5c90, 0x4c90, 0x3890, form::real}, row);

    row.latency = latency_class::variable;
    row.shows_reuse = false;
    row.mnemonic = "MUFU";
    row.execute = run::mufu;
    row.modifiers = {{mod::function, {20, 4}, say::mufu}, {mod::saturate, {50, 1}, say::sat}};
    row.operands = {dest(), source_a({48, 46})};
    add(out, 0x5080'0000'0000'0000, row);
}

void add_double_rows(rows& out)
{
    const operand_spec condition = predicate_source(slot::ps, 39, 42);
    const operand_spec p = predicate_result(slot::pd, 3), q = predicate_result(slot::pq, 0);
    const auto two = extent::two;
    const field whole{};

    opcode_row row;
    row.latency = latency_class::variable;

    row.mnemonic = "DADD";
    row.execute = run::dadd;
    row.modifiers = {{mod::round, {39, 2}, say::round}};
    row.operands = {dest(47, two), source_a({48, 46, no_bit, whole, two}), source_b({45, 49, no_bit, whole, two})};
    add(out, {0x5c70, 0x4c70, 0x3870, form::real_double}, row);

    row.mnemonic = "DMUL";
    row.execute = run::dmul;
    row.operands = {dest(47, two), source_a({no_bit, no_bit, no_bit, whole, two}), source_b({48, no_bit, no_bit, whole, two})};
    add(out, {0x5c80, 0x4c80, 0x3880, form::real_double}, row);

    row.mnemonic = "DFMA";
    row.execute = run::dfma;
    row.modifiers = {{mod::round, {50, 2}, say::round}};
    row.operands = {dest(47, two), source_a({no_bit, no_bit, no_bit, whole, two}), source_b({48, no_bit, no_bit, whole, two}), source_c({49, no_bit, no_bit, whole, two})};
    add(out, {0x5b70, 0x4b70, 0x3670, form::real_double, 0x5370}, row);

    row.mnemonic = "DMNMX";
    row.execute = run::dmnmx;
    row.modifiers = {};
    row.operands = {dest(47, two), source_a({48, 46, no_bit, whole, two}), source_b({45, 49, no_bit, whole, two}), condition};
    add(out, {0x5c50, 0x4c50, 0x3850, form::real_double}, row);

    row.mnemonic = "DSET";
    row.execute = run::dset;
    row.modifiers = {{mod::boolean_float, {52, 1}, say::bf}, {mod::compare, {48, 4}, say::compare_float}, {mod::combine, {45, 2}, say::combine}};
    row.operands = {dest(47), source_a({43, 54, no_bit, whole, two}), source_b({53, 44, no_bit, whole, two}), condition};
    add(out, {0x5900, 0x4900, 0x3200, form::real_double}, row);

    row.mnemonic = "DSETP";
    row.execute = run::dsetp;
    row.modifiers = {{mod::compare, {48, 4}, say::compare_float}, {mod::combine, {45, 2}, say::combine}};
    row.operands = {p, q, source_a({43, 7, no_bit, whole, two}), source_b({6, 44, no_bit, whole, two}), condition};
    add(out, {0x5b80, 0x4b80, 0x3680, form::real_double}, row);
}

} // namespace isbesim::isa::sm50
// clang-format on
