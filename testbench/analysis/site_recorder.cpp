// SPDX-License-Identifier: Apache-2.0
#include "testbench/analysis/site_recorder.h"

#include <algorithm>

#include "models/isbe/access/attribute_access.h"
#include "models/isbe/functional/lanes.h"
#include "tlm/byte_sum.h"

namespace isbesim::testbench {

site_recorder::site_recorder(run_hub& hub, const site_facts& facts)
    : hub_(hub), facts_(facts), ports_(facts.ports), warps_(facts.warps), resident_(facts.warps, 0)
{
}

// ---- ISBE -----------------------------------------------------------------------------------------------------------

/// On a shared port, the PE's operations are those that no instruction can encode.
bool site_recorder::asked_by_sm(unsigned port, const warp_op& op) const
{
    if (facts_.warps == 0 || port != 0) return false;
    if (facts_.ports > 1) return true;
    const bool raw = is_raw(op.op);
    return op.op != opcode::bind && !(raw && op.region == region::physical);
}

void site_recorder::begin_request(std::uint64_t, unsigned port, const warp_op& op, std::uint64_t cycle)
{
    if (!keeps_transactions()) return;
    auto& operations = ports_[port].operations;
    operations.push({});
    auto& event = operations.back();
    event.sm = facts_.sm;
    event.port = port;
    event.from_sm = asked_by_sm(port, op);
    event.op = op.op;
    event.space = op.space;
    event.region = op.region;
    event.form = op.form;
    event.size = op.size;
    event.context = op.context;
    event.lanes = op.lanes;
    event.address =
        op.lanes == 0 || op.op == opcode::bind || op.op == opcode::out ? 0 : byte_sum(op, first_lane(op.lanes));
    event.begin = cycle;
    if (event.from_sm && !submitted_.empty()) {
        const auto& oldest = submitted_.front();
        event.warp = oldest.warp;
        event.stage = oldest.stage;
        event.issued = oldest.issued;
        event.pc = oldest.pc;
        event.instruction = oldest.instruction;
        submitted_.pop();
    }
}

void site_recorder::accept(std::uint64_t, unsigned port, std::uint64_t cycle)
{
    if (!keeps_transactions()) return;
    auto& p = ports_[port];
    p.operations[p.accepted++].accept = cycle;
}

void site_recorder::granted(std::uint64_t, unsigned port, const warp_op&, const warp_result& result,
                            std::uint64_t cycle, const access_footprint& footprint)
{
    for (auto* listener : hub_.listeners()) listener->granted(cycle, result.passes, footprint);
    if (!keeps_transactions()) return;
    auto& p = ports_[port];
    auto& event = p.operations[p.granted++];
    event.grant = cycle;
    event.passes = result.passes;
    event.footprint = footprint;
}

void site_recorder::response(std::uint64_t, unsigned port, const warp_op&, const warp_result& result,
                             const transaction_times& times)
{
    if (!keeps_transactions()) return;
    auto& p = ports_[port];
    auto& event = p.operations[p.responded++];
    event.response = times.response;
    event.error = result.error;
    for (const auto status : result.status) event.status = static_cast<std::uint16_t>(event.status | status);
    if (facts_.transfers) return;
    ++p.ended;
    report_ended(p);
}

void site_recorder::end_response(std::uint64_t, unsigned port, std::uint64_t cycle)
{
    if (!keeps_transactions()) return;
    auto& p = ports_[port];
    p.operations[p.ended++].end = cycle;
    report_ended(p);
}

void site_recorder::report_ended(open_port& port)
{
    while (port.ended != 0) {
        const auto& event = port.operations.front();
        if (event.from_sm && event.written == no_value) return;
        for (auto* listener : hub_.transaction_listeners()) listener->transaction(event);
        port.operations.pop();
        --port.accepted;
        --port.granted;
        --port.responded;
        --port.ended;
    }
}

// ---- SM -------------------------------------------------------------------------------------------------------------

void site_recorder::launched(const warp_launch& launch, std::uint64_t cycle)
{
    auto& warp = warps_[launch.context];
    warp = {};
    warp.number = hub_.next_warp();
    warp.sm = facts_.sm;
    warp.slot = launch.context;
    warp.stage = launch.stage;
    warp.lanes = launch.lanes;
    warp.launched = warp.last_issue = cycle;
    warp.launch_order = hub_.next_order();
    hub_.warp_began();
    hub_.level({level_kind::warps, facts_.sm, cycle, 1});
    for (auto* listener : hub_.instruction_listeners()) listener->launched(warp);
    resident_[launch.context] = 1;
}

void site_recorder::completed(unsigned slot, const warp_completion& completion, std::uint64_t cycle)
{
    auto& warp = warps_[slot];
    warp.lost = completion.lost | completion.stale;
    warp.completed = cycle;
    warp.complete_order = hub_.next_order();
    hub_.warp_ended();
    hub_.level({level_kind::warps, facts_.sm, cycle, -1});
    resident_[slot] = 0;
    for (auto* listener : hub_.listeners()) listener->warp(warp);
}

void site_recorder::issued(const issue_event& issue)
{
    auto& warp = warps_[issue.slot];
    if (issue.attribute)
        ++warp.instructions[static_cast<unsigned>(*issue.attribute)];
    else
        ++warp.instructions_other;
    // The warp could issue again in the cycle after its last issue; delays count from there.
    const auto begin = warp.last_issue + 1;
    const auto stall_end = std::clamp(issue.stall_until, begin, issue.cycle);
    const auto scoreboard_end = std::clamp(issue.scoreboard_until, stall_end, issue.cycle);
    warp.stall_count_cycles += stall_end - begin;
    const auto pipe_end = std::clamp(issue.pipe_until, scoreboard_end, issue.cycle);
    warp.scoreboard_cycles += scoreboard_end - stall_end;
    warp.pipe_cycles += pipe_end - scoreboard_end;
    warp.issue_cycles += issue.cycle - pipe_end;
    warp.last_issue = issue.cycle;
    for (auto* listener : hub_.instruction_listeners())
        listener->instruction({facts_.sm, issue.slot, warp.number, warp.stage, issue.pc, begin, stall_end,
                               scoreboard_end, pipe_end, issue.cycle, issue.ready});
}

void site_recorder::submitted(const attribute_operation& operation)
{
    if (!keeps_transactions()) return;
    const auto& warp = warps_[operation.warp];
    submitted_.push(
        {warp.number, warp.stage, operation.issued, operation.pc, operation.instruction != nullptr && operation.last});
}

void site_recorder::responded(const attribute_operation&, const warp_result&, std::uint64_t cycle)
{
    if (!keeps_transactions()) return;
    auto& port = ports_[0];
    for (std::size_t i = 0; i < port.operations.size(); ++i) {
        auto& event = port.operations[i];
        if (!event.from_sm || event.written != no_value) continue;
        event.written = cycle;
        break;
    }
    report_ended(port);
}

void site_recorder::trapped(const trap_record& trap)
{
    const trap_event event{facts_.sm, warps_[trap.warp].number, trap};
    for (auto* listener : hub_.listeners()) listener->trap(event);
}

void site_recorder::stalled(unsigned number, stall_reason reason, std::uint64_t first, std::uint64_t cycles)
{
    if (number >= stalls_.size()) stalls_.resize(number + 1);
    auto& last = stalls_[number];
    if (last.cycles != 0 && last.reason == reason && last.first + last.cycles == first) {
        last.cycles += cycles;
        return;
    }
    report(last);
    last = {facts_.sm, number, reason, first, cycles};
}

void site_recorder::report(const stall_event& stall)
{
    if (stall.cycles == 0) return;
    for (auto* listener : hub_.listeners()) listener->stall(stall);
}

void site_recorder::finish()
{
    for (auto& stall : stalls_) {
        report(stall);
        stall.cycles = 0;
    }
    for (auto& port : ports_) {
        for (; !port.operations.empty(); port.operations.pop())
            for (auto* listener : hub_.transaction_listeners()) listener->transaction(port.operations.front());
        port = open_port();
    }
    for (std::size_t slot = 0; slot < warps_.size(); ++slot) {
        if (resident_[slot] == 0) continue;
        for (auto* listener : hub_.listeners()) listener->warp(warps_[slot]);
        resident_[slot] = 0;
    }
}

} // namespace isbesim::testbench
