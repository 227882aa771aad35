// Moves, special registers, predicate logic.
#include "models/isa/execution/register_lanes.h"
#include "models/isa/text/special_register.h"

namespace isbesim::isa::run {

namespace {

/// (pa op pb) next ps, and the same with the opposite of pa alone.
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
    write_truth(m, predicate_logic(m).yes);
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

void shfl(machine& m)
{
    enum function : unsigned { idx, up, down };
    const unsigned which = modifier(m, mod::function);
    const words a = raw(m, m.now.at(slot::a)), b = raw(m, m.now.at(slot::b)), c = raw(m, m.now.at(slot::c));
    words value;
    lane_mask inside = 0;
    for (unsigned i = 0; i < warp_lanes; ++i) {
        // c: limit in bits 4:0, and in bits 12:8 the lane bits that name a segment, which no lane leaves.
        const int limit = static_cast<int>(c[i] & 31U), segment = static_cast<int>(c[i] >> 8 & 31U);
        const int lane = static_cast<int>(i), step = static_cast<int>(b[i] & 31U);
        const int first = lane & segment, last = first | (limit & ~segment);
        const int from = which == idx    ? first | (step & ~segment)
                         : which == up   ? lane - step
                         : which == down ? lane + step
                                         : lane ^ step;
        const bool in_range = which == up ? from >= last : from <= last;
        value[i] = a[in_range ? static_cast<unsigned>(from) & 31U : i];
        inside |= static_cast<lane_mask>(in_range ? 1U : 0U) << i;
    }
    write_result(m, value);
    write_predicate(m, slot::pd, inside);
}

} // namespace isbesim::isa::run
