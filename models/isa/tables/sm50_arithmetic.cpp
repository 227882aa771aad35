// SPDX-License-Identifier: Apache-2.0
// SM50 rows: floats, doubles, integer arithmetic, comparisons, bits.
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
        alu_row("FMUL", run::fmul, {fmz(44), {mod::scale, {41, 3}, values::scale}, rounding(39), saturate(50)},
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
        alu_row("RRO", run::rro, {{mod::function, {39, 1}, values::rro}}, {dest(), source_b(45, 49)}));
    add(out, 0x5080'0000'0000'0000,
        variable_row("MUFU", run::mufu, {{mod::function, {20, 4}, values::mufu}, saturate(50)},
                     {dest(), source_a(48, 46)}));
}

void add_double_rows(rows& out)
{
    const operand_spec p = predicate_result(slot::pd, 3), q = predicate_result(slot::pq, 0);
    const operand_spec result = pair(dest(47)), a = pair(source_a());
    /// Tracked by a scoreboard, but printed with reuse flags.
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

namespace {

// XMAD packs its switches differently in each form, because the immediate and the constant's address take their bits.
void add_xmad_rows(rows& out)
{
    const operand_spec a = part_of(source_a(), {53, 1}), b = part_of(source_b(), {35, 1}),
                       b_constant = part_of(source_b(), {52, 1});
    const modifier_spec signs = {mod::is_signed, {48, 2}, values::half_signs};
    const modifier_kind product_shift = {mod::product_shift, 1, values::psl}, merge = {mod::merge, 1, values::mrg};
    const modifier_spec c_mode = {mod::c_mode, {50, 3}, values::c_mode};
    const modifier_spec c_mode_short = {mod::c_mode, {50, 2}, values::c_mode_short};

    add(out, 0x5b00'0000'0000'0000,
        alu_row("XMAD", run::xmad, {signs, product_shift(36), merge(37), c_mode, carry_in(38)},
                {dest(47), a, b, source_c()}));
    add(out, 0x3600'0000'0000'0000,
        alu_row("XMAD", run::xmad, {signs, product_shift(36), merge(37), c_mode, carry_in(38)},
                {dest(47), a, immediate(b, form::unsigned_word, {20, 16}), source_c()}));
    add(out, 0x4e00'0000'0000'0000,
        alu_row("XMAD", run::xmad, {signs, product_shift(55), merge(56), c_mode_short, carry_in(54)},
                {dest(47), a, constant(b_constant), source_c()}));
    add(out, 0x5100'0000'0000'0000,
        alu_row("XMAD", run::xmad, {signs, c_mode_short, carry_in(54)},
                {dest(47), a, in_place_of_c(b_constant), constant(source_c())}));
}

/// Sums of three sources and scaled sums, which the vendor's compiler makes.
void add_address_rows(rows& out)
{
    // Halves of the sources, .LS and .RS.
    const encoding halves = {std::uint64_t{0xff} << 31, 0};
    const opcode_row sum =
        alu_row("IADD3", run::iadd3_plain, {carry_in(48)}, {dest(47), source_a(51), source_b(50), source_c(49)});
    add(out, {0x5cc0, 0, 0, form::integer}, meaning(halves, sum));
    add(out, {0, 0x4cc0, 0x38c0, form::unsigned_word}, sum); // printed without a sign

    const operand_spec carry = optional(predicate_result(slot::pd, 48));
    const auto shift = [](std::uint8_t low) { return optional(small(slot::extra, {low, 5}), 0); };
    add(out, {0x5bd0, 0x4bd0, 0x36d0, form::integer},
        alu_row("LEA", run::lea_codes, {carry_in(46)}, {carry, dest(47), source_a(45), source_b(), shift(39)}));
    add(out, 0x5bd8'0000'0000'0000,
        alu_row("LEA.HI", run::lea_high_codes, {carry_in(38)},
                {carry, dest(47), source_a(37), source_b(), source_c(), shift(28)}));
    add(out, 0x1800'0000'0000'0000,
        alu_row("LEA.HI", run::lea_high_codes, {carry_in(57)},
                {carry, dest(47), source_a(56), constant(source_b()), source_c(), shift(51)}));
}

} // namespace

void add_integer_rows(rows& out)
{
    const operand_spec p = predicate_result(slot::pd, 3), q = predicate_result(slot::pq, 0);

    // Both negations together mean "plus one", so .PO comes before the plain row.
    add(out, {0x5c13, 0x4c13, 0x3813, form::integer},
        alu_row("IADD.PO", run::iadd_plus_one, {saturate(50), carry_in(43)}, {dest(47), source_a(), source_b()}));
    add(out, {0x5c10, 0x4c10, 0x3810, form::integer},
        alu_row("IADD", run::iadd, {saturate(50), carry_in(43)}, {dest(47), source_a(49), source_b(48)}));
    add(out, 0x1c00'0000'0000'0000,
        alu_row("IADD32I", run::iadd, {saturate(54), carry_in(53)},
                {dest(52), source_a(56), immediate(source_b(), form::integer, immediate_32)}));

    add(out, {0x5c1b, 0x4c1b, 0x381b, form::integer},
        alu_row("ISCADD.PO", run::iscadd_plus_one, {},
                {dest(47), source_a(), source_b(), small(slot::extra, {39, 5})}));
    add(out, {0x5c18, 0x4c18, 0x3818, form::integer},
        alu_row("ISCADD", run::iscadd, {}, {dest(47), source_a(49), source_b(48), small(slot::extra, {39, 5})}));

    add(out, 0x1400'0000'0000'0000,
        alu_row(
            "ISCADD32I", run::iscadd, {},
            {dest(52), source_a(), immediate(source_b(), form::integer, immediate_32), small(slot::extra, {53, 5})}));
    add_address_rows(out);

    add(out, {0x5c20, 0x4c20, 0x3820, form::integer},
        alu_row("IMNMX", run::imnmx, {is_signed(48), {mod::extended, {43, 2}, values::minmax_part}},
                {dest(47), source_a(), source_b(), condition()}));
    add(out, {0x5b50, 0x4b50, 0x3650, form::integer},
        alu_row("ISET", run::iset, {boolean_float(44), compare_integer(49), is_signed(48), carry_in(43), combine(45)},
                {dest(47), source_a(), source_b(), condition()}));
    add(out, {0x5b60, 0x4b60, 0x3660, form::integer},
        alu_row("ISETP", run::isetp, {compare_integer(49), is_signed(48), carry_in(43), combine(45)},
                {p, q, source_a(), source_b(), condition()}));
    add(out, {0x5b40, 0x4b40, 0x3640, form::integer, 0x5340},
        alu_row("ICMP", run::icmp, {compare_integer(49), is_signed(48)}, {dest(), source_a(), source_b(), source_c()}));

    add_xmad_rows(out);

    // The 32-bit multiplier has no fixed latency.
    add(out, {0x5c38, 0x4c38, 0x3838, form::integer},
        variable_row("IMUL", run::imul, {both_signs(40), high_part(39)}, {dest(47), source_a(), source_b()}));
    add(out, 0x1f00'0000'0000'0000,
        variable_row("IMUL32I", run::imul, {both_signs(54), high_part(53)},
                     {dest(52), source_a(), immediate(source_b(), form::integer, immediate_32)}));
    add(out, {0x5a00, 0x4a00, 0x3400, form::integer, 0x5200},
        variable_row("IMAD", run::imad, {both_signs({48, 1, 53, 1}), high_part(54), saturate(50), carry_in(49)},
                     {dest(47), source_a(), source_b(51), source_c(52)}));
}

void add_bit_rows(rows& out)
{
    const operand_spec test_result = optional(predicate_result(slot::pd, 48));

    add(out, {0x5c40, 0x4c40, 0x3840, form::integer},
        alu_row("LOP", run::lop,
                {{mod::combine, {41, 2}, values::logic}, carry_in(43), {mod::test, {44, 2}, values::logic_test}},
                {test_result, dest(47), inverted(source_a(), 39), inverted(source_b(), 40)}));
    add(out, 0x0400'0000'0000'0000,
        alu_row("LOP32I", run::lop, {{mod::combine, {53, 2}, values::logic}, carry_in(57)},
                {dest(52), inverted(source_a(), 55),
                 immediate(inverted(source_b(), 56), form::unsigned_word, immediate_32)}));

    add(out, 0x5be0'0000'0000'0000,
        alu_row("LOP3.LUT", run::lop3, {carry_in(38), {mod::test, {36, 2}, values::logic_test}},
                {test_result, dest(47), source_a(), source_b(), source_c(), small(slot::extra, {28, 8})}));
    add(out, 0x0200'0000'0000'0000,
        alu_row("LOP3.LUT", run::lop3, {carry_in(56)},
                {dest(47), source_a(), constant(source_b()), source_c(), small(slot::extra, {48, 8})}));
    add(out, 0x3c00'0000'0000'0000,
        alu_row("LOP3.LUT", run::lop3, {carry_in(57)},
                {dest(47), source_a(), immediate(source_b(), form::integer), source_c(), small(slot::extra, {48, 8})}));

    add(out, {0x5c48, 0x4c48, 0x3848, form::integer},
        alu_row("SHL", run::shl, {wrap(39), carry_in(43)}, {dest(47), source_a(), source_b()}));
    add(out, {0x5c28, 0x4c28, 0x3828, form::integer},
        alu_row("SHR", run::shr, {is_signed(48), wrap(39), reverse(40), carry_in(44)},
                {dest(47), source_a(), source_b()}));

    const std::vector<modifier_spec> funnel = {
        wrap(50), {mod::c_mode, {37, 2}, values::shift_type}, high_part(48), carry_in(49)};
    const operand_spec count = immediate(source_b(), form::unsigned_word, {20, 6});
    add(out, 0x5bf8'0000'0000'0000,
        alu_row("SHF.L", run::shf_left, funnel, {dest(47), source_a(), source_b(), source_c()}));
    // The immediate field has more bits than the count.
    add(out, 0x36f8'0000'0000'0000,
        meaning({0x1f'fc00'0000, 0},
                alu_row("SHF.L", run::shf_left, funnel, {dest(47), source_a(), count, source_c()})));
    add(out, 0x5cf8'0000'0000'0000,
        alu_row("SHF.R", run::shf_right, funnel, {dest(47), source_a(), source_b(), source_c()}));
    add(out, 0x38f8'0000'0000'0000,
        alu_row("SHF.R", run::shf_right, funnel, {dest(47), source_a(), count, source_c()}));

    add(out, {0x5c00, 0x4c00, 0x3800, form::integer},
        alu_row("BFE", run::bfe, {is_signed(48), reverse(40)}, {dest(47), source_a(), source_b()}));
    add(out, {0x5bf0, 0x4bf0, 0x36f0, form::integer, 0x53f0},
        alu_row("BFI", run::bfi, {}, {dest(47), source_a(), source_b(), source_c()}));
    add(out, {0x5bc0, 0x4bc0, 0x36c0, form::integer, 0x53c0},
        alu_row("PRMT", run::prmt, {{mod::c_mode, {48, 4}, values::permute}},
                {dest(), source_a(), source_b(), source_c()}));

    add(out, {0x5c30, 0x4c30, 0x3830, form::integer},
        variable_row("FLO", run::flo, {is_signed(48), {mod::test, {41, 1}, values::find_shift}},
                     {dest(47), inverted(source_b(), 40)}));
    add(out, {0x5c08, 0x4c08, 0x3808, form::integer},
        variable_row("POPC", run::popc, {}, {dest(), inverted(source_b(), 40)}));
}

} // namespace isbesim::isa::sm50
