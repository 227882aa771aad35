// SPDX-License-Identifier: Apache-2.0
// Control flow: the divergence stack of SM50, the paths of SM75 (control.h), jumps and calls.
//
// A stack entry holds lanes that continue at its target later. SSY, PBK, PCNT, PRET and CAL push the lanes that will
// meet there; SYNC, BRK, CONT and RET make lanes wait in the nearest entry of their kind, which already holds them. A
// divergent branch pushes the side that runs later. When no lane of the current path is left, the top entry's continue.
#include <algorithm>

#include "models/isa/execution/control.h"
#include "models/isa/execution/register_lanes.h"
#include "tlm/hex.h"

namespace isbesim::isa::run {

namespace {

using kind = divergence_entry::kind;

/// The target of a jump, or what an indexed jump adds to a register.
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

/// If the current path has no lane left, switches to the youngest entry that has live lanes.
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

/// Makes the executing lanes wait in the nearest entry of the kind, which already holds them. `misuse`: the error if
/// there is no such entry.
void leave_for(machine& m, kind what, const char* misuse)
{
    auto& stack = m.warp.stack;
    const auto entry =
        std::find_if(stack.rbegin(), stack.rend(), [&](const divergence_entry& e) { return e.what == what; });
    if (entry == stack.rend()) misused(m, misuse);
    // Entries pushed after this one never continue with these lanes.
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

namespace isbesim::isa {

namespace {

using kind = divergence_entry::kind;

/// Paths of a kind wait at a barrier until all live lanes that they expect wait there; then they may run.
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
    send(m, m.lanes & read_predicate(m, slot::ps), target_of(m));
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

namespace isbesim::isa::run {

// Jumps and calls to absolute and computed addresses, barrier registers of SM75, and control flow that is refused.

namespace {

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

/// The number of the barrier register that BMOV moves.
std::size_t moved_barrier(const machine& m)
{
    return m.now.at(slot::b).value;
}

} // namespace

// Also calls and returns of SM75, which has no call stack: a caller leaves the return address in a register.
void jump(machine& m)
{
    scatter(m, broadcast(target_of(m)));
}

void branch_indexed(machine& m)
{
    scatter(m, computed(m, m.warp.pc + target_of(m)));
}

void jump_indexed(machine& m)
{
    scatter(m, computed(m, target_of(m)));
}

void call_absolute(machine& m)
{
    check_target(m, target_of(m));
    m.warp.stack.push_back({kind::call, m.warp.pc, m.warp.active});
    m.warp.pc = target_of(m);
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
