// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "models/isa/execution/converge.h"
#include "models/isa/execution/register_lanes.h"

namespace isbesim::isa {

namespace {

using kind = divergence_entry::kind;

/// Paths of a kind that wait at a barrier continue once all live lanes that they expect wait there, too.
template <typename Expected>
void release(warp_state& warp, kind waiting, Expected expected)
{
    lane_mask here[std::tuple_size_v<decltype(warp_state::barriers)>] = {};
    for (const auto& path : warp.stack)
        if (path.what == waiting) here[path.barrier] |= path.lanes;
    for (auto& path : warp.stack)
        if (path.what == waiting && (expected(path) & warp.live & ~here[path.barrier]) == 0)
            path.what = kind::divergent;
}

} // namespace

bool choose_path(warp_state& warp)
{
    if (warp.active != 0) warp.stack.push_back({kind::divergent, warp.pc, warp.active});
    release(warp, kind::blocked, [&](const auto& path) { return warp.barriers[path.barrier]; });
    release(warp, kind::arrived, [](const auto&) { return all_lanes; });
    release(warp, kind::synchronized, [](const auto& path) { return path.expected; }); // at any address
    const std::uint32_t running = warp.pc;
    std::uint32_t lowest = ~0U;
    for (const auto& path : warp.stack)
        if (path.what == kind::divergent) lowest = std::min(lowest, path.target);
    warp.active = 0;
    for (const auto& path : warp.stack)
        if (path.what == kind::divergent && path.target == lowest) warp.active |= path.lanes;
    warp.pc = warp.active != 0 ? lowest : running;
    warp.stack.erase(std::remove_if(warp.stack.begin(), warp.stack.end(),
                                    [&](const divergence_entry& path) {
                                        return path.what == kind::divergent && path.target == lowest;
                                    }),
                     warp.stack.end());
    return warp.active != 0 || warp.live == 0;
}

namespace run {

namespace {

std::size_t barrier_of(const machine& m)
{
    return m.now.at(slot::a).value;
}

/// Moves lanes of the running path to another address.
void send(machine& m, lane_mask lanes, std::uint32_t target)
{
    if (lanes == 0) return;
    m.warp.active &= ~lanes;
    m.warp.stack.push_back({kind::divergent, target, lanes});
}

} // namespace

void branch(machine& m)
{
    send(m, m.lanes & read_predicate(m, slot::ps), m.now.at(slot::extra).value);
}

void leave(machine& m)
{
    const lane_mask ended = m.lanes & read_predicate(m, slot::ps);
    m.result.lanes = ended;
    if (ended == 0) return;
    m.warp.live &= ~ended;
    m.warp.active &= ~ended;
    m.result.kind = step_kind::exited;
}

void bssy(machine& m)
{
    m.warp.barriers[barrier_of(m)] = m.lanes;
}

void bsync(machine& m)
{
    const std::size_t barrier = barrier_of(m);
    if ((m.warp.barriers[barrier] & m.lanes) != m.lanes)
        refuse(m, "has no meaning for a lane that its BSSY did not name");
    m.warp.active &= ~m.lanes;
    m.warp.stack.push_back({kind::blocked, m.warp.pc, m.lanes, static_cast<std::uint8_t>(barrier)});
}

void break_barrier(machine& m)
{
    m.warp.barriers[barrier_of(m)] &= ~(m.lanes & read_predicate(m, slot::ps));
}

void bar(machine& m)
{
    m.result.kind = step_kind::barrier;
    if (m.lanes == m.warp.live) return;
    m.warp.active &= ~m.lanes;
    m.warp.stack.push_back({kind::arrived, m.warp.pc, m.lanes, static_cast<std::uint8_t>(barrier_of(m))});
}

// Paths merge by themselves as soon as they can; lanes of the mask that are elsewhere must arrive here first.
void warpsync(machine& m)
{
    const auto first = static_cast<unsigned>(__builtin_ctz(m.lanes));
    divergence_entry path{kind::synchronized, m.warp.pc, m.lanes};
    path.expected = raw(m, m.now.at(slot::b))[first];
    m.warp.active &= ~m.lanes;
    m.warp.stack.push_back(path);
}

} // namespace run
} // namespace isbesim::isa
