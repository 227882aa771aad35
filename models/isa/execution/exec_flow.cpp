// SPDX-License-Identifier: Apache-2.0
// Branches and the divergence stack of SM50.
//
// A stack entry holds lanes that wait for its target. SSY, PBK, PCNT and CAL push the lanes that will meet there; SYNC,
// BRK, CONT and RET send lanes to the nearest entry of their kind, which already holds them. A divergent branch pushes
// the side that runs later. When no lane of the current path is left, the top entry's lanes continue.
#include <algorithm>

#include "models/isa/execution/register_lanes.h"

namespace isbesim::isa::run {

namespace {

using kind = divergence_entry::kind;

std::uint32_t target_of(const machine& m)
{
    return m.now.at(slot::extra).value;
}

void push(machine& m, kind what)
{
    m.warp.stack.push_back({what, target_of(m), m.warp.active});
}

/// Refuses a program without a meaning, which no compiler makes.
[[noreturn]] void misused(const machine& m, const char* how)
{
    refuse(m, std::string("has no meaning here: ") + how);
}

/// Switches to the youngest entry that still has live lanes.
void resume(machine& m)
{
    warp_state& warp = m.warp;
    while (warp.active == 0 && !warp.stack.empty()) {
        const divergence_entry top = warp.stack.back();
        warp.stack.pop_back();
        warp.active = top.lanes & warp.live;
        if (warp.active != 0) warp.pc = top.target;
    }
    if (warp.active == 0 && warp.live != 0) misused(m, "it leaves lanes behind that nothing waits for");
}

/// Lets the executing lanes wait in the nearest entry of the kind, which holds them since they entered.
void leave_for(machine& m, kind what, const char* opener)
{
    auto& stack = m.warp.stack;
    const auto entry =
        std::find_if(stack.rbegin(), stack.rend(), [&](const divergence_entry& e) { return e.what == what; });
    if (entry == stack.rend()) misused(m, opener);
    // Structures inside this entry never see these lanes again.
    for (auto inner = stack.rbegin(); inner != entry; ++inner) inner->lanes &= ~m.lanes;
    m.warp.active &= ~m.lanes;
    resume(m);
}

} // namespace

void bra(machine& m)
{
    const lane_mask others = m.warp.active & ~m.lanes;
    if (others == 0) {
        m.warp.pc = target_of(m);
        return;
    }
    m.warp.stack.push_back({kind::divergent, target_of(m), m.lanes});
    m.warp.active = others;
}

void ssy(machine& m)
{
    push(m, kind::ssy);
}
void pbk(machine& m)
{
    push(m, kind::pbk);
}
void pcnt(machine& m)
{
    push(m, kind::pcnt);
}
void pret(machine& m)
{
    push(m, kind::call);
}

void cal(machine& m)
{
    m.warp.stack.push_back({kind::call, m.warp.pc, m.warp.active});
    m.warp.pc = target_of(m);
}

void sync(machine& m)
{
    leave_for(m, kind::ssy, "a SYNC without SSY");
}
void brk(machine& m)
{
    leave_for(m, kind::pbk, "a BRK without PBK");
}
void cont(machine& m)
{
    leave_for(m, kind::pcnt, "a CONT without PCNT");
}
void ret(machine& m)
{
    leave_for(m, kind::call, "a RET without CAL");
}

// Manual gradients (GM107LoweringPass): between SAM and RAM all lanes of a quad run, even those that have ended or
// never started. Nothing diverges in between.
void set_active_mask(machine& m)
{
    lane_mask quads = m.warp.active;
    quads |= (quads & 0x55555555U) << 1 | (quads >> 1 & 0x55555555U);
    quads |= (quads & 0x33333333U) << 2 | (quads >> 2 & 0x33333333U);
    m.warp.stack.push_back({kind::quads, m.warp.pc, m.warp.active});
    m.warp.active = quads;
}

void restore_active_mask(machine& m)
{
    auto& stack = m.warp.stack;
    if (stack.empty() || stack.back().what != kind::quads) misused(m, "a RAM without SAM");
    m.warp.active = stack.back().lanes & m.warp.live;
    stack.pop_back();
}

void exit(machine& m)
{
    m.warp.live &= ~m.lanes;
    m.warp.active &= ~m.lanes;
    m.result.kind = step_kind::exited;
    resume(m);
}

// On this architecture a warp arrives as a whole, no matter which of its lanes get here (PTX ISA, bar).
void barrier(machine& m)
{
    m.result.kind = step_kind::barrier;
}

} // namespace isbesim::isa::run
