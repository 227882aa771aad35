// SPDX-License-Identifier: Apache-2.0
// SM75 rows: counting and moving bits, predicates, exchange between lanes.
#include "models/isa/tables/sm75_rows.h"

namespace isbesim::isa::sm75 {

namespace {

void add_predicate_rows(rows& out)
{
    const operand_spec p = predicate_result(slot::pd, 81), q = predicate_result(slot::pq, 84);

    // Two truth tables of the same three predicates; the bits of the first are on both sides of the third source's.
    add(out, 0, 0x81c,
        meaning({0, 0x8}, // the third predicate is uniform
                alu_row("PLOP3.LUT", run::plop3, {},
                        {p, q, predicate_source(slot::pa, 87, 90), predicate_source(slot::pb, 77, 80),
                         predicate_source(slot::ps, 68, 71), small(slot::extra, {64, 3, 72, 5}),
                         small(slot::c, {16, 8})})));

    const modifier_spec byte = {mod::c_mode, {76, 2}, say::byte};
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
        alu_row("VOTE", run::vote, {{mod::function, {72, 2}, say::vote}}, {optional(dest()), p, condition()}));

    const modifier_spec mode = {mod::function, {58, 2}, say::shuffle};
    const operand_spec value_sent = without_reuse(first()), lane = without_reuse(second()),
                       lane_number = small(slot::b, {53, 5});
    const operand_spec bounds = without_reuse(third()), bound_number = small(slot::c, {40, 13});
    add(out, 0, 0x389, variable_row("SHFL", run::shfl, {mode}, {p, dest(), value_sent, lane, bounds}));
    add(out, 0, 0x589, variable_row("SHFL", run::shfl, {mode}, {p, dest(), value_sent, lane, bound_number}));
    add(out, 0, 0x989, variable_row("SHFL", run::shfl, {mode}, {p, dest(), value_sent, lane_number, bounds}));
    add(out, 0, 0xf89, variable_row("SHFL", run::shfl, {mode}, {p, dest(), value_sent, lane_number, bound_number}));

    const modifier_spec wide = {mod::size, {73, 1}, say::match_size};
    const auto value = without_reuse(source(slot::a, place::first, signs::none, extent::by_words));
    add(out, 0, 0x3a1, variable_row("MATCH.ALL", run::match_all, {wide}, {p, dest(), value}));
    add(out, 0xe'8000, 0x3a1, variable_row("MATCH.ANY", run::match_any, {wide}, {dest(), value}));

    add(out, 0, 0x822,
        alu_row("FSWZADD", run::fswzadd, {rounding(78), ftz(80), {mod::c_mode, {77, 1}, say::no_divergence}},
                {dest(), first(), source(slot::b, place::third), small(slot::extra, {32, 8}, form::quad_signs)}));
}

} // namespace

void add_bit_rows(rows& out)
{
    // The predicate result next to the position is always PT.
    add_two_source(out, {0x100, form::unsigned_word, 0xe'0000},
                   variable_row("FLO", run::flo, {is_signed(73), {mod::test, {74, 1}, say::find_shift}},
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
