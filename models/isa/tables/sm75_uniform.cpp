// SPDX-License-Identifier: Apache-2.0
// Rows of SM75, SM86 and SM120: the uniform data path, whose registers and predicates all lanes share.
#include "models/isa/tables/sm75_rows.h"

namespace isbesim::isa::sm75 {

namespace {

constexpr auto negate = signs::negate, invert = signs::invert;

opcode_row row(const char* mnemonic, execute_function execute, std::vector<modifier_spec> modifiers,
               std::vector<operand_spec> operands)
{
    return on_uniform(alu_row(mnemonic, execute, std::move(modifiers), std::move(operands)), mnemonic);
}

/// The integer arithmetic of the vector path, with the opcode's bit 7 set (NAK, encode_ualu).
void add_integer_rows_of_all_lanes(rows& out, architecture arch)
{
    const std::uint64_t zero = arch == architecture::sm120 ? 255 : 63; // URZ in the third place
    const operand_spec p = predicate_result(slot::pd, 81), q = predicate_result(slot::pq, 84);
    const operand_spec carry = optional(p), carry_2 = optional(q), shift = small(slot::extra, {75, 5});
    const encoding unread_condition = {0, 0x0780'0000}, unread_carries = {0, 0x0781'e000},
                   unread_results = {0, 0x078e'0000};

    add_uniform_three_source(
        out, {0x090, form::integer},
        ignoring(unread_carries, row("UIADD3", run::iadd3, {},
                                     {dest(), carry, carry_2, first(negate), second(negate), third(negate)})));
    add_uniform_three_source(out, {0x090, form::integer, 0x400},
                             row("UIADD3.X", run::iadd3_carry, {},
                                 {dest(), carry, carry_2, first(invert), second(invert), third(invert),
                                  predicate_source(slot::pa, 87, 90), predicate_source(slot::pb, 77, 80)}));
    add_uniform_three_source(out, {0x0a4, form::integer},
                             ignoring(unread_results, row("UIMAD", run::imad_low, {is_signed(73)},
                                                          {dest(), first(), second(), third(negate)})));
    add_uniform_three_source(
        out, {0x0a5, form::integer},
        ignoring(unread_condition, row("UIMAD.WIDE", run::imad_wide, {is_signed(73)},
                                       {pair(dest()), carry, first(), second(), pair(third(negate))})));
    static constexpr choice chained[] = {{0, "U32.X"}, {1, "X"}};
    const modifier_spec sign_and_x = {mod::is_signed, {73, 1}, chained};
    const encoding no_result = {0, 0x0070'0000};
    add_uniform_three_source(out, {0x0a4, form::integer, 0x400},
                             ignoring(no_result, row("UIMAD", run::imad_low_carry, {sign_and_x},
                                                     {dest(), carry, first(), second(), third(invert), condition()})));
    add_uniform_three_source(
        out, {0x0a5, form::integer, 0x400},
        ignoring(no_result, row("UIMAD.WIDE", run::imad_wide_carry, {sign_and_x},
                                {pair(dest()), carry, first(), second(), pair(third(invert)), condition()})));
    add_uniform_two_source(
        out, {0x091, form::unsigned_word, zero},
        ignoring(unread_condition, row("ULEA", run::lea, {}, {dest(), carry, first(negate), second(negate), shift})));
    add_uniform_two_source(
        out, {0x091, form::unsigned_word, 0x400 | zero},
        row("ULEA.X", run::lea_extended, {}, {dest(), carry, first(invert), second(invert), shift, condition()}));
    add_uniform_two_source(
        out, {0x091, form::unsigned_word, 0x1'0000},
        ignoring(unread_condition,
                 row("ULEA.HI", run::lea_high, {}, {dest(), carry, first(negate), second(negate), third(), shift})));
    add_uniform_two_source(out, {0x091, form::unsigned_word, 0x1'0400},
                           row("ULEA.HI.X", run::lea_high_extended, {},
                               {dest(), carry, first(invert), second(invert), third(), shift, condition()}));
    add_uniform_two_source(out, {0x091, form::unsigned_word, 0x1'0200 | zero},
                           ignoring(unread_condition, row("ULEA.HI.SX32", run::lea_sign_extended, {},
                                                          {dest(), carry, first(negate), second(negate), shift})));
    add_uniform_two_source(out, {0x091, form::unsigned_word, 0x1'0600 | zero},
                           row("ULEA.HI.X.SX32", run::lea_sign_extended_carry, {},
                               {dest(), carry, first(invert), second(invert), shift, condition()}));
    add_uniform_two_source(out, {0x08c, form::integer, 0x70},
                           row("UISETP", run::isetp, {compare_integer(76), is_signed(73), combine(74)},
                               {p, q, first(), second(), condition()}));
    static constexpr choice upper_words[] = {{1, "EX"}};
    add_uniform_two_source(out, {0x08c, form::integer},
                           row("UISETP", run::isetp_upper,
                               {compare_integer(76), is_signed(73), combine(74), {mod::test, {72, 1}, upper_words}},
                               {p, q, first(), second(), condition(), predicate_source(slot::pa, 68, 71)}));
}

void add_logic_rows_of_all_lanes(rows& out)
{
    const operand_spec p = predicate_result(slot::pd, 81), q = predicate_result(slot::pq, 84);

    add_uniform_three_source(
        out, {0x092, form::unsigned_word},
        meaning({0, 0x1'0000}, // .PAND
                row("ULOP3.LUT", run::lop3_predicate, {},
                    {optional(p), dest(), first(), second(), third(), small(slot::extra, {72, 8}), condition()})));
    const std::vector<modifier_spec> funnel = {wrap(75), {mod::c_mode, {73, 2}, values::funnel_type}, high_part(80)};
    add_uniform_three_source(out, {0x099, form::unsigned_word},
                             row("USHF.L", run::funnel_left, funnel, {dest(), first(), second(), third()}));
    add_uniform_three_source(out, {0x099, form::unsigned_word, 0x1000},
                             row("USHF.R", run::funnel_right, funnel, {dest(), first(), second(), third()}));
    add_uniform_three_source(
        out, {0x096, form::unsigned_word},
        row("UPRMT", run::prmt, {{mod::c_mode, {72, 3}, values::permute}}, {dest(), first(), second(), third()}));
    add_uniform_two_source(out, {0x087, form::unsigned_word},
                           row("USEL", run::sel, {}, {dest(), first(), second(), condition()}));
    add_uniform_two_source(out, {0x09b, form::unsigned_word},
                           row("UBMSK", run::bmsk, {wrap(75)}, {dest(), first(), second()}));
    add_uniform_two_source(out, {0x09a, form::unsigned_word},
                           row("USGXT", run::sgxt, {wrap(75), is_signed(73)}, {dest(), first(), second()}));
    add_uniform_two_source(out, {0x0bd, form::unsigned_word, 0xe'0000},
                           row("UFLO", run::flo, {is_signed(73), {mod::test, {74, 1}, values::find_shift}},
                               {dest(), second(signs::invert)}));
    add_uniform_two_source(out, {0x0be, form::unsigned_word}, row("UBREV", run::brev, {}, {dest(), second()}));
    add_uniform_two_source(out, {0x0bf, form::unsigned_word},
                           row("UPOPC", run::popc, {}, {dest(), second(signs::invert)}));
    add(out, 0, 0x89c,
        row("UPLOP3.LUT", run::plop3, {},
            {p, q, predicate_source(slot::pa, 87, 90), predicate_source(slot::pb, 77, 80),
             predicate_source(slot::ps, 68, 71), small(slot::extra, {64, 3, 72, 5}), small(slot::c, {16, 8})}));
}

/// Instructions that move data from lanes and constants to uniform registers.
void add_crossing_rows(rows& out, architecture arch)
{
    const operand_spec result = operand_at(on_uniform(alu_row("", nullptr, {}, {dest()}), ""), slot::d);
    const auto guarded_by_all = [](opcode_row one) {
        one.uniform = true;
        return one;
    };
    operand_spec sized = result;
    sized.extent = extent::by_memory_size;

    add(out, 0, 0x882, guarded_by_all(alu_row("UMOV", run::umov, {}, {result, small(slot::b, immediate_field)})));
    add(out, uniform_bit, 0xc82,
        guarded_by_all(alu_row("UMOV", run::umov, {}, {result, in_uniform_register(second())})));
    add(out, 0, 0x9c3,
        guarded_by_all(variable_row("S2UR", run::s2r, {}, {result, small(slot::extra, {72, 8}, form::special)})));
    operand_spec bindless = small(slot::b, {38, 16}, form::bindless);
    bindless.base = reg_first;
    if (arch == architecture::sm120) {
        add(out, 0xe'0000, 0x2ca, alu_row("R2UR", run::umov, {}, {result, in_slot(first(), slot::b)}));
        bindless.bits = {37, 17};
        operand_spec indexed = in_bank(small(slot::address, bindless.bits, form::constant_index), {54, 5});
        indexed.uniform = reg_first;
        operand_spec offset = optional(small(slot::c, reg_third, form::uniform));
        add(out, uniform_bit, 0x7ac,
            guarded_by_all(memory_row("LDCU", run::uniform_constant, {size_memory(73)}, {sized, indexed})));
        add(out, uniform_bit, 0xbac,
            guarded_by_all(memory_row("LDCU", run::uniform_constant, {size_memory(73)}, {sized, bindless, offset})));
        bindless.bits = {38, 16};
    } else {
        add(out, 0xe'0000, 0x3c2, variable_row("R2UR", run::umov, {}, {result, in_slot(first(), slot::b)}));
        add(out, 0, 0xab9,
            guarded_by_all(alu_row("ULDC", run::uniform_constant, {size_memory(73)},
                                   {sized, in_bank(small(slot::b, {38, 16}, form::constant), {54, 5})})));
        add(out, uniform_bit, 0xab9,
            guarded_by_all(alu_row("ULDC", run::uniform_constant, {size_memory(73)}, {sized, bindless})));
    }

    operand_spec any = predicate_result(slot::pd, 81);
    any.form = form::uniform_predicate;
    // Lanes vote, so the guard is a lane predicate.
    add(out, 0, 0x886,
        alu_row("VOTEU", run::vote, {{mod::function, {72, 2}, values::vote}}, {optional(result), any, condition()}));
    // The third predicate of a vector PLOP3 may be uniform.
    const operand_spec p = predicate_result(slot::pd, 81), q = predicate_result(slot::pq, 84);
    operand_spec third_predicate = predicate_source(slot::ps, 68, 71);
    third_predicate.form = form::uniform_predicate;
    add(out, 0x8, 0x81c,
        alu_row("PLOP3.LUT", run::plop3, {},
                {p, q, predicate_source(slot::pa, 87, 90), predicate_source(slot::pb, 77, 80), third_predicate,
                 small(slot::extra, {64, 3, 72, 5}), small(slot::c, {16, 8})}));
    // LDC with an offset in a register, from a bank that uniform registers describe.
    add(out, uniform_bit, 0x582,
        memory_row("LDC", run::ldc_bindless, {size_memory(73)},
                   {dest(extent::by_memory_size), bindless, optional(register_source(slot::c, reg_third))}));
}

} // namespace

void add_uniform_rows(rows& out, architecture arch)
{
    add_integer_rows_of_all_lanes(out, arch);
    add_logic_rows_of_all_lanes(out);
    add_crossing_rows(out, arch);
}

void add_ampere_uniform_rows(rows& out)
{
    const operand_spec result = operand_at(on_uniform(alu_row("", nullptr, {}, {dest()}), ""), slot::d);
    add(out, 0, 0x3c4,
        variable_row(
            "REDUX", run::redux,
            {{mod::function, {78, 3}, values::warp_reduction}, {mod::is_signed, {73, 1}, values::warp_reduction_sign}},
            {result, first()}));
}

} // namespace isbesim::isa::sm75
