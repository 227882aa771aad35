// SPDX-License-Identifier: Apache-2.0
// SM50 rows: single and double precision.
#include "models/isa/tables/sm50_rows.h"

namespace isbesim::isa::sm50 {

void add_float_rows(rows& out)
{
    const operand_spec p = predicate_result(slot::pd, 3), q = predicate_result(slot::pq, 0);

    // nvdisasm prints no reuse flag on the second source of FADD.
    add(out, {0x5c58, 0x4c58, 0x3858, form::real},
        alu_row("FADD", run::fadd, {ftz(44), rounding(39), saturate(50)},
                {dest(47), source_a(48, 46), without_reuse(source_b(45, 49))}));
    add(out, 0x0800'0000'0000'0000,
        alu_row("FADD32I", run::fadd, {ftz(55)},
                {dest(52), source_a(56, 54), immediate(source_b(53, 57), form::real, immediate_32)}));

    add(out, {0x5c68, 0x4c68, 0x3868, form::real},
        alu_row("FMUL", run::fmul, {fmz(44), {mod::scale, {41, 3}, say::scale}, rounding(39), saturate(50)},
                {dest(47), source_a(), source_b(48)}));
    add(out, 0x1e00'0000'0000'0000,
        alu_row("FMUL32I", run::fmul, {fmz(53), saturate(55)},
                {dest(52), source_a(), immediate(source_b(), form::real, immediate_32)}));

    add(out, {0x5980, 0x4980, 0x3280, form::real, 0x5180},
        alu_row("FFMA", run::ffma, {fmz(53), rounding(51), saturate(50)},
                {dest(47), source_a(), source_b(48), source_c(49)}));
    // The summand of the long form is the destination register.
    add(out, 0x0c00'0000'0000'0000,
        alu_row("FFMA32I", run::ffma, {fmz(53), saturate(55)},
                {dest(52), source_a(56), immediate(source_b(), form::real, immediate_32),
                 same_register(source_c(57), reg_0)}));

    add(out, {0x5c60, 0x4c60, 0x3860, form::real},
        alu_row("FMNMX", run::fmnmx, {ftz(44)}, {dest(47), source_a(48, 46), source_b(45, 49), condition()}));

    add(out, {0x5800, 0x4800, 0x3000, form::real},
        alu_row("FSET", run::fset, {boolean_float(52), compare_float(48), ftz(55), combine(45)},
                {dest(47), source_a(43, 54), source_b(53, 44), condition()}));
    add(out, {0x5bb0, 0x4bb0, 0x36b0, form::real},
        alu_row("FSETP", run::fsetp, {compare_float(48), ftz(47), combine(45)},
                {p, q, source_a(43, 7), source_b(6, 44), condition()}));
    add(out, {0x5ba0, 0x4ba0, 0x36a0, form::real, 0x53a0},
        alu_row("FCMP", run::fcmp, {compare_float(48), ftz(47)}, {dest(), source_a(), source_b(), source_c()}));

    static constexpr choice division[] = {{0, "DIVIDE"}};
    add(out, {0x5c88, 0x4c88, 0x3888, form::real},
        meaning({std::uint64_t{0xff} << 39, 0}, alu_row("FCHK", run::check_division, {{mod::function, {}, division}},
                                                        {p, source_a(48, 46), source_b(45, 49)})));
    add(out, {0x5c90, 0x4c90, 0x3890, form::real},
        alu_row("RRO", run::rro, {{mod::function, {39, 1}, say::rro}}, {dest(), source_b(45, 49)}));
    add(out, 0x5080'0000'0000'0000,
        variable_row("MUFU", run::mufu, {{mod::function, {20, 4}, say::mufu}, saturate(50)},
                     {dest(), source_a(48, 46)}));
}

void add_double_rows(rows& out)
{
    const operand_spec p = predicate_result(slot::pd, 3), q = predicate_result(slot::pq, 0);
    const operand_spec result = pair(dest(47)), a = pair(source_a());
    /// Behind a scoreboard, but printed with reuse flags.
    const auto add_double = [&](const forms& opcodes, const opcode_row& row) { add(out, opcodes, with_reuse(row)); };

    add_double(
        {0x5c70, 0x4c70, 0x3870, form::real_double},
        variable_row("DADD", run::dadd, {rounding(39)}, {result, pair(source_a(48, 46)), pair(source_b(45, 49))}));
    add_double({0x5c80, 0x4c80, 0x3880, form::real_double},
               variable_row("DMUL", run::dmul, {rounding(39)}, {result, a, pair(source_b(48))}));
    add_double({0x5b70, 0x4b70, 0x3670, form::real_double, 0x5370},
               variable_row("DFMA", run::dfma, {rounding(50)}, {result, a, pair(source_b(48)), pair(source_c(49))}));
    add_double(
        {0x5c50, 0x4c50, 0x3850, form::real_double},
        variable_row("DMNMX", run::dmnmx, {}, {result, pair(source_a(48, 46)), pair(source_b(45, 49)), condition()}));
    add_double({0x5900, 0x4900, 0x3200, form::real_double},
               variable_row("DSET", run::dset, {boolean_float(52), compare_float(48), combine(45)},
                            {dest(47), pair(source_a(43, 54)), pair(source_b(53, 44)), condition()}));
    add_double({0x5b80, 0x4b80, 0x3680, form::real_double},
               variable_row("DSETP", run::dsetp, {compare_float(48), combine(45)},
                            {p, q, pair(source_a(43, 7)), pair(source_b(6, 44)), condition()}));
}

} // namespace isbesim::isa::sm50
