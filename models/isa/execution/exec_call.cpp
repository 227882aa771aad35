// SPDX-License-Identifier: Apache-2.0
// Jumps and calls to absolute and computed addresses, barrier registers of SM75, and control flow that is refused.
#include "models/isa/execution/register_lanes.h"
#include "tlm/hex.h"

namespace isbesim::isa::run {

namespace {

using kind = divergence_entry::kind;

std::uint32_t offset_of(const machine& m)
{
    return m.now.at(slot::extra).value;
}

void check_target(const machine& m, std::uint32_t target)
{
    if (m.warp.code->index_of(target) != program::npos) return;
    refuse(m, "goes to address " + hex(target, 4) +
                  ", where nothing is; the driver's routines come from the scenario's \"library\"");
}

/// Sends every executing lane to its own address. The lanes of one address continue at once, the others wait for their
/// turn like the sides of a divergent branch.
void scatter(machine& m, const words& targets)
{
    lane_mask left = m.lanes;
    m.warp.active &= ~m.lanes;
    if (m.warp.active != 0) m.warp.stack.push_back({kind::divergent, m.warp.pc, m.warp.active});
    while (left != 0) {
        const unsigned last = 31U - static_cast<unsigned>(__builtin_clz(left));
        const lane_mask together = left & where_lanes([&](unsigned i) { return targets[i] == targets[last]; });
        check_target(m, targets[last]);
        left &= ~together;
        if (left != 0) {
            m.warp.stack.push_back({kind::divergent, targets[last], together});
        } else {
            m.warp.active = together;
            m.warp.pc = targets[last];
        }
    }
}

/// `base` plus a register, for each lane.
words computed(const machine& m, std::uint32_t base)
{
    words targets = raw(m, m.now.at(slot::a));
    for (auto& target : targets) target += base;
    return targets;
}

/// Of BMOV.
std::size_t moved_barrier(const machine& m)
{
    return m.now.at(slot::b).value;
}

} // namespace

// Also calls and returns of SM75, which has no call stack: a caller leaves the return address in a register.
void jump(machine& m)
{
    scatter(m, broadcast(offset_of(m)));
}

void branch_indexed(machine& m)
{
    scatter(m, computed(m, m.warp.pc + offset_of(m)));
}

void jump_indexed(machine& m)
{
    scatter(m, computed(m, offset_of(m)));
}

void call_absolute(machine& m)
{
    check_target(m, offset_of(m));
    m.warp.stack.push_back({kind::call, m.warp.pc, m.warp.active});
    m.warp.pc = offset_of(m);
}

void read_barrier(machine& m)
{
    write_result(m, broadcast(m.warp.barriers[moved_barrier(m)]));
}

void clear_barrier(machine& m)
{
    read_barrier(m);
    m.warp.barriers[moved_barrier(m)] = 0;
}

void write_barrier(machine& m)
{
    const auto first = static_cast<unsigned>(__builtin_ctz(m.lanes));
    m.warp.barriers[moved_barrier(m)] = raw(m, m.now.at(slot::a))[first];
}

void needs_debugger(machine& m)
{
    refuse(m, "stops for a debugger or a trap handler, which do not exist here; no compiler of these stages emits it");
}

void needs_fragment(machine& m)
{
    refuse(m, "discards a fragment; no vertex, tessellation, geometry or mesh program has one");
}

void interpolate(machine& m)
{
    refuse(m, "interpolates for a fragment; no vertex, tessellation, geometry or mesh program has one");
}

void needs_long_jump(machine& m)
{
    refuse(m, "belongs to long jumps, which no compiler of these stages emits");
}

void needs_constant_target(machine& m)
{
    refuse(m, "takes its target from a constant bank; no compiler of these stages emits it");
}

} // namespace isbesim::isa::run
