// SPDX-License-Identifier: Apache-2.0
// Predicates: logic of two and three predicates, and moves between all predicates and a register.
#include "models/isa/execution/code_test.h"
#include "models/isa/execution/register_lanes.h"
#include "tlm/vector_clones.h"

namespace isbesim::isa::run {

namespace {

/// (pa op pb) next ps, and the same with pa inverted.
struct predicate_pair {
    lane_mask yes;
    lane_mask no;
};

predicate_pair predicate_logic(const machine& m)
{
    const unsigned first = modifier(m, mod::combine), next = modifier(m, mod::combine_next);
    const lane_mask a = read_predicate(m, slot::pa), b = read_predicate(m, slot::pb), c = read_predicate(m, slot::ps);
    return {combine(next, combine(first, a, b), c), combine(next, combine(first, ~a, b), c)};
}

} // namespace

ISBESIM_VECTOR_CLONES
void pset(machine& m)
{
    write_truth(m, predicate_logic(m).yes);
}

ISBESIM_VECTOR_CLONES
void psetp(machine& m)
{
    const auto [yes, no] = predicate_logic(m);
    write_predicate(m, slot::pd, yes);
    write_predicate(m, slot::pq, no);
}

void csetp(machine& m)
{
    bool known = false;
    const lane_mask passed = lanes_by_codes(m.warp, modifier(m, mod::compare), known);
    if (!known) refuse(m, "has a test of condition codes that no compiler emits");
    write_comparison(m, passed);
}

void plop3(machine& m)
{
    const lane_mask a = read_predicate(m, slot::pa), b = read_predicate(m, slot::pb), c = read_predicate(m, slot::ps);
    const auto look_up = [&](unsigned table) {
        lane_mask result = 0;
        for (unsigned row = 0; row < 8; ++row)
            if (((table >> row) & 1U) != 0)
                result |= ((row & 4U) != 0 ? a : ~a) & ((row & 2U) != 0 ? b : ~b) & ((row & 1U) != 0 ? c : ~c);
        return result;
    };
    write_predicate(m, slot::pd, look_up(m.now.at(slot::extra).value));
    write_predicate(m, slot::pq, look_up(m.now.at(slot::c).value));
}

namespace {

constexpr word all_predicates = 0x7fU;

/// The predicates that the instruction names; all of them without a mask.
word predicate_mask(const machine& m)
{
    const operand& mask = m.now.at(slot::b);
    return mask.kind == operand::source::none ? 0xffU : mask.value & 0xffU;
}

} // namespace

void p2r(machine& m)
{
    // In the selected byte, the bits in the mask become predicates; the other bits and bytes come from the source.
    const words a = raw(m, m.now.at(slot::a));
    const word mask = predicate_mask(m);
    const unsigned shift = 8 * modifier(m, mod::c_mode);
    write_result(m, map_lanes([&](unsigned i) {
                     word packed = 0;
                     for (unsigned p = 0; p < predicate_true; ++p) packed |= (m.warp.predicates[p] >> i & 1U) << p;
                     return (a[i] & ~(mask << shift)) | (packed & mask) << shift;
                 }));
}

void r2p(machine& m)
{
    const operand& source = m.now.at(slot::a);
    const words a = raw(m, source);
    const word mask = predicate_mask(m) & all_predicates;
    for (unsigned p = 0; p < predicate_true; ++p) {
        if ((mask >> p & 1U) == 0) continue;
        const lane_mask value = where_lanes([&](unsigned i) { return (a[i] >> (8 * source.part) >> p & 1U) != 0; });
        m.warp.predicates[p] = (m.warp.predicates[p] & ~m.lanes) | (value & m.lanes);
    }
}

} // namespace isbesim::isa::run
