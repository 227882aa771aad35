// SPDX-License-Identifier: Apache-2.0
// SM75 rows: floats, doubles, integers, logic, bits, predicates, exchange between lanes.
#include "models/isa/tables/sm75_rows.h"

namespace isbesim::isa::sm75 {
namespace {

constexpr auto negate = signs::negate, both = signs::negate_absolute, invert = signs::invert;

void add_predicate_rows(rows& out)
{
    const operand_spec p = predicate_result(slot::pd, 81), q = predicate_result(slot::pq, 84);

    // Two truth tables of the same three predicates; the first table's bits surround the field of the third source.
    add(out, 0, 0x81c,
        meaning({0, 0x8}, // the third predicate is uniform
                alu_row("PLOP3.LUT", run::plop3, {},
                        {p, q, predicate_source(slot::pa, 87, 90), predicate_source(slot::pb, 77, 80),
                         predicate_source(slot::ps, 68, 71), small(slot::extra, {64, 3, 72, 5}),
                         small(slot::c, {16, 8})})));

    const modifier_spec byte = {mod::c_mode, {76, 2}, values::byte};
    const operand_spec mask = small(slot::b, immediate_field);
    add(out, 0, 0x803, reading_predicates(alu_row("P2R", run::p2r, {byte}, {dest(), literal("PR"), first(), mask})));
    // Without a mask it writes all predicates.
    add(out, 0, 0xff'0000'0804,
        writing_predicates(alu_row("R2P", run::r2p, {}, {literal("PR"), part_of(first(), {76, 2})})));
    add(out, 0, 0x804,
        long_form(writing_predicates(alu_row("R2P", run::r2p, {}, {literal("PR"), part_of(first(), {76, 2}), mask}))));
}

void add_lane_rows(rows& out)
{
    const operand_spec p = predicate_result(slot::pd, 81);

    add(out, 0, 0x806,
        alu_row("VOTE", run::vote, {{mod::function, {72, 2}, values::vote}}, {optional(dest()), p, condition()}));

    const modifier_spec mode = {mod::function, {58, 2}, values::shuffle};
    const operand_spec value_sent = without_reuse(first()), lane = without_reuse(second()),
                       lane_number = small(slot::b, {53, 5});
    const operand_spec bounds = without_reuse(third()), bound_number = small(slot::c, {40, 13});
    add(out, 0, 0x389, variable_row("SHFL", run::shfl, {mode}, {p, dest(), value_sent, lane, bounds}));
    add(out, 0, 0x589, variable_row("SHFL", run::shfl, {mode}, {p, dest(), value_sent, lane, bound_number}));
    add(out, 0, 0x989, variable_row("SHFL", run::shfl, {mode}, {p, dest(), value_sent, lane_number, bounds}));
    add(out, 0, 0xf89, variable_row("SHFL", run::shfl, {mode}, {p, dest(), value_sent, lane_number, bound_number}));

    const modifier_spec wide = {mod::size, {73, 1}, values::match_size};
    const auto value = without_reuse(source(slot::a, place::first, signs::none, extent::by_words));
    add(out, 0, 0x3a1, variable_row("MATCH.ALL", run::match_all, {wide}, {p, dest(), value}));
    add(out, 0xe'8000, 0x3a1, variable_row("MATCH.ANY", run::match_any, {wide}, {dest(), value}));

    add(out, 0, 0x822,
        alu_row("FSWZADD", run::fswzadd, {rounding(78), ftz(80), {mod::c_mode, {77, 1}, values::no_divergence}},
                {dest(), first(), source(slot::b, place::third), small(slot::extra, {32, 8}, form::quad_signs)}));
}

} // namespace

void add_float_rows(rows& out)
{
    const operand_spec p = predicate_result(slot::pd, 81), q = predicate_result(slot::pq, 84);
    const modifier_spec fmz_split = fmz({80, 1, 76, 1});
    // The summand is the second of two sources, encoded in the place of a third.
    const operand_spec summand = pair(source(slot::b, place::third, both));

    add_summand(out, {0x021, form::real},
                alu_row("FADD", run::fadd, {ftz(80), rounding(78), saturate(77)}, {dest(), first(both), second(both)}));
    const encoding third_unread = {0, 0xff}; // Mesa's Vulkan compiler leaves RZ there
    add_two_source(
        out, {0x020, form::real},
        ignoring(third_unread,
                 alu_row("FMUL", run::fmul,
                         {fmz_split, {mod::scale, {84, 3}, values::scale_bias_4}, rounding(78), saturate(77)},
                         {dest(), first(both), second(both)})));
    add_three_source(out, {0x023, form::real},
                     alu_row("FFMA", run::ffma, {fmz_split, rounding(78), saturate(77)},
                             {dest(), first(both), second(both), third(both)}));
    add_two_source(out, {0x009, form::real},
                   alu_row("FMNMX", run::fmnmx, {ftz(80)}, {dest(), first(both), second(both), condition()}));
    add_two_source(out, {0x008, form::real},
                   alu_row("FSEL", run::fsel, {ftz(80)}, {dest(), first(both), second(both), condition()}));
    add_two_source(out, {0x00a, form::real},
                   alu_row("FSET.BF", run::fset_float, {compare_float(76), ftz(80), combine(74)},
                           {dest(), first(both), second(both), condition()}));
    add_two_source(out, {0x00b, form::real},
                   alu_row("FSETP", run::fsetp, {compare_float(76), ftz(80), combine(74)},
                           {p, q, first(both), second(both), condition()}));
    add_two_source(out, {0x108, form::real, 0, slot::a},
                   meaning({0, 0x300}, // halves
                           variable_row("MUFU", run::mufu, {{mod::function, {74, 4}, values::mufu_tanh}},
                                        {dest(), source(slot::a, place::second, both)})));

    add_two_source(out, {0x102, form::real},
                   variable_row("FCHK", run::check_division, {}, {p, first(both), second(both)}));
    add_summand(out, {0x029, form::real_double},
                variable_row("DADD", run::dadd, {rounding(78)}, {pair(dest()), pair(first(both)), summand}));
    add_two_source(
        out, {0x028, form::real_double},
        variable_row("DMUL", run::dmul, {rounding(78)}, {pair(dest()), pair(first(both)), pair(second(both))}));
    add_three_source(out, {0x02b, form::real_double},
                     variable_row("DFMA", run::dfma, {rounding(78)},
                                  {pair(dest()), pair(first(both)), pair(second(both)), pair(third(both))}));
    // The codes of "never" and "always" select here a step of a minimum or maximum, which takes several instructions.
    add_summand(out, {0x02a, form::real_double},
                variable_row("DSETP", run::dsetp_minmax, {{mod::compare, {76, 4}, values::minmax}, combine(74)},
                             {p, q, pair(first(both)), pair(second(both)), condition()}));
    add_summand(out, {0x02a, form::real_double},
                variable_row("DSETP", run::dsetp, {compare_float(76), combine(74)},
                             {p, q, pair(first(both)), pair(second(both)), condition()}));
}

void add_integer_rows(rows& out, architecture arch)
{
    const operand_spec p = predicate_result(slot::pd, 81), q = predicate_result(slot::pq, 84);
    const operand_spec carry = optional(p), carry_2 = optional(q);
    // Carry and condition inputs that an instruction without .X does not read; compilers fill them differently.
    const encoding unread_condition = {0, 0x0780'0000}, unread_carries = {0, 0x0781'e000},
                   unread_results = {0, 0x078e'0000};

    add_three_source(
        out, {0x010, form::integer},
        ignoring(unread_carries, alu_row("IADD3", run::iadd3, {},
                                         {dest(), carry, carry_2, first(negate), second(negate), third(negate)})));
    add_three_source(out, {0x010, form::integer, 0x400},
                     alu_row("IADD3.X", run::iadd3_carry, {},
                             {dest(), carry, carry_2, first(invert), second(invert), third(invert),
                              predicate_source(slot::pa, 87, 90), predicate_source(slot::pb, 77, 80)}));

    // Bit 74, .X: a carry comes in and the summand's negation is a complement.
    const encoding extended = {0, 0x400}, no_result = {0, 0x0070'0000};
    add_three_source(out, {0x024, form::integer},
                     ignoring(unread_results, alu_row("IMAD", run::imad_low, {is_signed(73)},
                                                      {dest(), first(), second(), third(negate)})));
    add_three_source(
        out, {0x025, form::integer},
        ignoring(unread_condition, alu_row("IMAD.WIDE", run::imad_wide, {is_signed(73)},
                                           {pair(dest()), carry, first(), second(), pair(third(negate))})));
    add_three_source(out, {0x027, form::integer},
                     ignoring(unread_condition, alu_row("IMAD.HI", run::imad_high, {is_signed(73)},
                                                        {dest(), carry, first(), second(), pair(third(negate))})));
    static constexpr choice chained[] = {{0, "U32.X"}, {1, "X"}};
    const modifier_spec sign_and_x = {mod::is_signed, {73, 1}, chained};
    add_three_source(out, {0x024, form::integer, extended[1]},
                     ignoring(no_result, alu_row("IMAD", run::imad_low_carry, {sign_and_x},
                                                 {dest(), carry, first(), second(), third(invert), condition()})));
    add_three_source(
        out, {0x025, form::integer, extended[1]},
        ignoring(no_result, alu_row("IMAD.WIDE", run::imad_wide_carry, {sign_and_x},
                                    {pair(dest()), carry, first(), second(), pair(third(invert)), condition()})));
    add_three_source(
        out, {0x027, form::integer, extended[1]},
        ignoring(no_result, alu_row("IMAD.HI", run::imad_high_carry, {sign_and_x},
                                    {dest(), carry, first(), second(), pair(third(invert)), condition()})));
    add_two_source(out, {0x011, form::unsigned_word, register_zero},
                   ignoring(unread_condition,
                            alu_row("LEA", run::lea, {},
                                    {dest(), carry, first(negate), second(negate), small(slot::extra, {75, 5})})));
    const operand_spec shift = small(slot::extra, {75, 5});
    add_two_source(
        out, {0x011, form::unsigned_word, 0x400 | register_zero},
        alu_row("LEA.X", run::lea_extended, {}, {dest(), carry, first(invert), second(invert), shift, condition()}));
    const auto high_sum = [&](const operand_spec& b) {
        return ignoring(unread_condition,
                        alu_row("LEA.HI", run::lea_high, {}, {dest(), carry, first(negate), b, third(), shift}));
    };
    const auto high_chained_sum = [&](const operand_spec& b) {
        return alu_row("LEA.HI.X", run::lea_high_extended, {},
                       {dest(), carry, first(invert), b, third(), shift, condition()});
    };
    // In the third place the second source has no sign bit: the shift's field covers it.
    add_two_source(out, {0x011, form::unsigned_word, 0x1'0000}, high_sum(second(negate)));
    add_third_forms(out, {0x011, form::unsigned_word, 0x1'0000}, high_sum(second()));
    add_two_source(out, {0x011, form::unsigned_word, 0x1'0400}, high_chained_sum(second(invert)));
    add_third_forms(out, {0x011, form::unsigned_word, 0x1'0400}, high_chained_sum(second()));
    // The upper word is the sign of the lower word.
    add_two_source(out, {0x011, form::unsigned_word, 0x1'0200 | register_zero},
                   ignoring(unread_condition, alu_row("LEA.HI.SX32", run::lea_sign_extended, {},
                                                      {dest(), carry, first(negate), second(negate), shift})));
    add_two_source(out, {0x011, form::unsigned_word, 0x1'0600 | register_zero},
                   alu_row("LEA.HI.X.SX32", run::lea_sign_extended_carry, {},
                           {dest(), carry, first(invert), second(invert), shift, condition()}));
    const encoding halves = {0, 0x1800}; // .2A.LO, .2A.HI
    add_two_source(out, {0x026, form::unsigned_word},
                   meaning(halves, alu_row("IDP.4A", run::idp4, {{mod::from_type, {73, 2}, values::byte_signs}},
                                           {dest(), first(), second(), third()})));
    // SM120 can also compare pairs of words. Here the input from the lower words is false, predicate results are PT.
    add_two_source(out, {0x017, form::integer, arch == architecture::sm120 ? 0x7f'e000U : 0},
                   alu_row("IMNMX", run::imnmx, {is_signed(73)}, {dest(), first(), second(), condition()}));
    add_three_source(out, {0x014, form::integer, 0xe'0000},
                     alu_row("VABSDIFF", run::vabsdiff, {is_signed(73)}, {dest(), first(), second(), third()}));
    add_two_source(out, {0x013, form::integer}, alu_row("IABS", run::iabs, {}, {dest(), second()}));
    // Bits 71:68, for .EX the carry of the lower words, are PT here.
    add_two_source(out, {0x00c, form::integer, 0x70},
                   alu_row("ISETP", run::isetp, {compare_integer(76), is_signed(73), combine(74)},
                           {p, q, first(), second(), condition()}));
    static constexpr choice upper_words[] = {{1, "EX"}};
    add_two_source(out, {0x00c, form::integer},
                   alu_row("ISETP", run::isetp_upper,
                           {compare_integer(76), is_signed(73), combine(74), {mod::test, {72, 1}, upper_words}},
                           {p, q, first(), second(), condition(), predicate_source(slot::pa, 68, 71)}));

    add_three_source(
        out, {0x012, form::unsigned_word},
        meaning({0, 0x1'0000}, // .PAND
                alu_row("LOP3.LUT", run::lop3_predicate, {},
                        {carry, dest(), first(), second(), third(), small(slot::extra, {72, 8}), condition()})));
    const std::vector<modifier_spec> funnel = {wrap(75), {mod::c_mode, {73, 2}, values::funnel_type}, high_part(80)};
    add_three_source(out, {0x019, form::unsigned_word},
                     alu_row("SHF.L", run::funnel_left, funnel, {dest(), first(), second(), third()}));
    add_three_source(out, {0x019, form::unsigned_word, 0x1000},
                     alu_row("SHF.R", run::funnel_right, funnel, {dest(), first(), second(), third()}));
    add_three_source(
        out, {0x016, form::unsigned_word},
        alu_row("PRMT", run::prmt, {{mod::c_mode, {72, 3}, values::permute}}, {dest(), first(), second(), third()}));
    add_two_source(out, {0x007, form::unsigned_word},
                   alu_row("SEL", run::sel, {}, {dest(), first(), second(), condition()}));
}

void add_bit_rows(rows& out)
{
    // The predicate result next to the position is always PT.
    add_two_source(out, {0x100, form::unsigned_word, 0xe'0000},
                   variable_row("FLO", run::flo, {is_signed(73), {mod::test, {74, 1}, values::find_shift}},
                                {dest(), second(signs::invert)}));
    add_two_source(out, {0x109, form::unsigned_word},
                   variable_row("POPC", run::popc, {}, {dest(), second(signs::invert)}));
    add_two_source(out, {0x101, form::unsigned_word}, variable_row("BREV", run::brev, {}, {dest(), second()}));
    add_two_source(out, {0x01b, form::unsigned_word},
                   alu_row("BMSK", run::bmsk, {wrap(75)}, {dest(), first(), second()}));
    add_two_source(out, {0x01a, form::unsigned_word},
                   alu_row("SGXT", run::sgxt, {wrap(75), is_signed(73)}, {dest(), first(), second()}));

    add_predicate_rows(out);
    add_lane_rows(out);
}

} // namespace isbesim::isa::sm75
