// Moves and special registers.
#include "models/isa/execution/register_lanes.h"
#include "models/isa/text/special_register.h"

namespace isbesim::isa::run {

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

} // namespace isbesim::isa::run
