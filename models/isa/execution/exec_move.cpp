// SPDX-License-Identifier: Apache-2.0
// Moves and special registers.
#include "models/isa/execution/register_lanes.h"
#include "models/isa/special_register.h"
#include "tlm/vector_clones.h"

namespace isbesim::isa::run {

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
