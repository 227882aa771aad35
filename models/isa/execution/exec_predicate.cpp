// SPDX-License-Identifier: Apache-2.0
// Predicates: logic of two and three predicates, and moves between all predicates and a register.
#include "models/isa/execution/control.h"
#include "models/isa/execution/register_lanes.h"
#include "models/isa/special_register.h"
#include "tlm/vector_clones.h"

namespace isbesim::isa::run {

// Moves and special registers.

void nop(machine&) {}

ISBESIM_VECTOR_CLONES
void mov(machine& m)
{
    m.lanes &= m.now.at(slot::c).value * 0x11111111U; // the same lanes of every quad
    write_result(m, raw(m, m.now.at(slot::b)));
}

void umov(machine& m)
{
    write_result(m, raw(m, m.now.at(slot::b)));
}

ISBESIM_VECTOR_CLONES
void sel(machine& m)
{
    const words a = raw(m, m.now.at(slot::a)), b = raw(m, m.now.at(slot::b));
    const lane_mask first = read_predicate(m, slot::ps);
    write_result(m, map_lanes([&](unsigned i) { return ((first >> i) & 1U) != 0 ? a[i] : b[i]; }));
}

namespace {

words special_register(const machine& m, unsigned id)
{
    const special_registers& special = m.warp.special;
    switch (id) {
    case special_id::lane:
        return map_lanes([](unsigned i) { return i; });
    case special_id::prim_type:
        return special.prim_type;
    case special_id::invocation_id:
        return special.invocation_id;
    case special_id::invocation_info:
        return special.invocation_info;
    case special_id::tid: // 16, 10 and 6 bits
        return map_lanes(
            [&](unsigned i) { return special.thread_id[i] | special.thread_y[i] << 16 | special.thread_z[i] << 26; });
    case special_id::tid_x:
        return special.thread_id;
    case special_id::tid_y:
        return special.thread_y;
    case special_id::tid_z:
        return special.thread_z;
    case special_id::y_direction:
        return broadcast(0x3f800000U); // y is not flipped: 1.0
    case special_id::thread_kill:
    case special_id::zero:
        return words{}; // no lane is killed
    case special_id::ctaid_x:
    case special_id::ctaid_x + 1:
    case special_id::ctaid_z:
        return broadcast(special.workgroup[id - special_id::ctaid_x]);
    case special_id::lane_equal:
        return map_lanes([](unsigned i) { return 1U << i; });
    case special_id::lane_less:
        return map_lanes([](unsigned i) { return (1U << i) - 1; });
    case special_id::lane_less_equal:
        return map_lanes([](unsigned i) { return (2U << i) - 1; });
    case special_id::lane_greater:
        return map_lanes([](unsigned i) { return ~((2U << i) - 1); });
    case special_id::lane_greater_equal:
        return map_lanes([](unsigned i) { return ~((1U << i) - 1); });
    case special_id::clock_low:
        return broadcast(static_cast<word>(m.warp.clock));
    case special_id::clock_high:
        return broadcast(static_cast<word>(m.warp.clock >> 32));
    default:
        // Mesa reads no other in these stages: NAK reads SR_VIRTCFG and SR_VIRTID only for the extension that reports
        // the multiprocessor of a shader; neither code generator reads the others.
        unsupported(m, "this special register, which no open compiler reads in geometry stages,");
    }
}

} // namespace

ISBESIM_VECTOR_CLONES
void s2r(machine& m)
{
    write_result(m, special_register(m, m.now.at(slot::extra).value));
}

void cs2r(machine& m)
{
    const unsigned id = m.now.at(slot::extra).value;
    write_pair(m, special_register(m, id), id == special_id::zero ? words{} : special_register(m, id + 1));
}

} // namespace isbesim::isa::run

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

namespace isbesim::isa {

lane_mask lanes_by_codes(const warp_state& warp, unsigned test, bool& known)
{
    enum unsigned_test : unsigned { off = 16, lower, sign_off, lower_or_same, higher, sign_on, higher_or_same, on };
    const auto [zero, sign, carry, overflow] = warp.condition;
    known = true;
    switch (test) {
    case off:
        return ~overflow;
    case lower: // subtraction sets carry if it does not borrow
        return ~carry;
    case sign_off:
        return ~sign;
    case lower_or_same:
        return zero | ~carry;
    case higher:
        return ~zero & carry;
    case sign_on:
        return sign;
    case higher_or_same:
        return carry;
    case on:
        return overflow;
    default:
        break;
    }
    known = test < off;
    // The other tests are sets of comparison results, as in all instructions: less, equal, greater, unordered. Zero and
    // sign together mean a NaN; an overflow inverts the sign.
    const lane_mask unordered = zero & sign, equal = zero & ~sign, less = ~zero & (sign ^ overflow),
                    greater = ~zero & ~(sign ^ overflow);
    return ((test & 1U) != 0 ? less : 0) | ((test & 2U) != 0 ? equal : 0) | ((test & 4U) != 0 ? greater : 0) |
           ((test & 8U) != 0 ? unordered : 0);
}

} // namespace isbesim::isa
