// Moves, special registers, predicate logic.
#include "models/isa/lanes.h"

namespace isbesim::isa::run {

namespace {

/// (pa op pb) and its opposite, combined with ps.
struct predicate_pair {
    lane_mask yes;
    lane_mask no;
};

predicate_pair predicate_logic(const machine& m)
{
    const lane_mask first =
        combine(modifier(m, mod::combine), read_predicate(m, slot::pa), read_predicate(m, slot::pb));
    const lane_mask other = read_predicate(m, slot::ps);
    const unsigned next = modifier(m, mod::combine_next);
    return {combine(next, first, other), combine(next, ~first, other)};
}

} // namespace

void nop(machine&) {}

void mov(machine& m)
{
    write_result(m, raw(m, m.now.at(slot::b)));
}

void sel(machine& m)
{
    const words a = raw(m, m.now.at(slot::a)), b = raw(m, m.now.at(slot::b));
    const lane_mask first = read_predicate(m, slot::ps);
    write_result(m, map_lanes([&](unsigned i) { return ((first >> i) & 1U) != 0 ? a[i] : b[i]; }));
}

void s2r(machine& m)
{
    const auto lane = [&](auto f) { write_result(m, map_lanes(f)); };
    const special_registers& special = m.warp.special;
    switch (m.now.at(slot::extra).value) {
    case special_id::lane:
        return lane([](unsigned i) { return i; });
    case special_id::prim_type:
        return write_result(m, special.prim_type);
    case special_id::invocation_id:
        return write_result(m, special.invocation_id);
    case special_id::invocation_info:
        return write_result(m, special.invocation_info);
    case special_id::tid_x:
        return write_result(m, special.thread_id);
    case special_id::y_direction:
        return write_result(m, broadcast(0x3f800000U)); // y is not flipped: 1.0
    case special_id::thread_kill:
    case special_id::tid_y:
    case special_id::tid_z:
    case special_id::ctaid_x:
    case special_id::ctaid_x + 1:
    case special_id::ctaid_z:
        return write_result(m, words{}); // flat launches, nobody is killed
    case special_id::lane_equal:
        return lane([](unsigned i) { return 1U << i; });
    case special_id::lane_less:
        return lane([](unsigned i) { return (1U << i) - 1; });
    case special_id::lane_less_equal:
        return lane([](unsigned i) { return (2U << i) - 1; });
    case special_id::lane_greater:
        return lane([](unsigned i) { return ~((2U << i) - 1); });
    case special_id::lane_greater_equal:
        return lane([](unsigned i) { return ~((1U << i) - 1); });
    default:
        unsupported(m, "this special register");
    }
}

void pset(machine& m)
{
    const lane_mask result = predicate_logic(m).yes;
    const word yes = has(m, mod::boolean_float) ? 0x3f800000U : 0xffffffffU;
    const words value = map_lanes([&](unsigned i) { return ((result >> i) & 1U) != 0 ? yes : 0U; });
    write_result(m, value);
    set_codes(m, value);
}

void psetp(machine& m)
{
    const auto [yes, no] = predicate_logic(m);
    write_predicate(m, slot::pd, yes);
    write_predicate(m, slot::pq, no);
}

void vote(machine& m)
{
    enum function : unsigned { all, any };
    const lane_mask ballot = read_predicate(m, slot::ps) & m.lanes;
    const unsigned which = modifier(m, mod::function);
    const bool result = which == all   ? ballot == m.lanes
                        : which == any ? ballot != 0
                                       : ballot == 0 || ballot == m.lanes;
    write_result(m, broadcast(ballot));
    write_predicate(m, slot::pd, result ? all_lanes : 0);
}

} // namespace isbesim::isa::run
