// SPDX-License-Identifier: Apache-2.0
#include "models/isbe/timing/grant_scheduler.h"

#include <algorithm>
#include <cassert>
#include <string>

#include "models/isbe/execution/isbe_core.h"
#include "tlm/operation_table.h"

namespace isbesim {

namespace {

path_reason latency_reason(opcode op)
{
    static constexpr std::array reasons{path_reason::pipeline_latency, path_reason::write_latency,
                                        path_reason::al2p_latency, path_reason::out_latency};
    static_assert(reasons.size() == latency_classes);
    return reasons[static_cast<unsigned>(row_of(op).latency)];
}

} // namespace

void port_account::go_on(std::uint64_t now, const port_state& state, std::uint64_t busy_end, bool own)
{
    // In the order in which a port goes through these uses while no event changes its state.
    const auto spend = [this, now](port_use use, std::uint64_t end) {
        end = std::min(end, now);
        if (end <= until_) return;
        uses_[use] += end - until_;
        until_ = end;
    };
    if (own) spend(port_use::passes, busy_end);
    spend(port_use::response, std::min(state.transferred_until, state.queued_from));
    spend(state.in_flight ? port_use::latency : port_use::idle, std::min(state.response_from, state.queued_from));
    spend(port_use::response, state.queued_from);
    spend(port_use::responses_full, state.blocked_until);
    spend(port_use::other_port, busy_end);
    spend(port_use::grant, now);
}

grant_scheduler::grant_scheduler(isbe_core& core)
    : core_(core),
      channels_(core.config().ports),
      ports_(core.config().ports),
      queue_depth_(core.config().request_queue_depth),
      response_depth_(core.config().response_queue_depth),
      fixed_priority_(core.config().arbitration == arbitration_rule::fixed_priority),
      last_port_(core.config().ports - 1) // after reset port 0 comes first
{
    for (unsigned op = 0; op < opcode_count; ++op)
        latency_[op] = unloaded_latency(core.config(), static_cast<opcode>(op), 0) - 1;
}

void grant_scheduler::accept(unsigned port, const port_operation& operation)
{
    channel& c = channels_[port];
    assert(can_accept(port, operation.accept) && next_grant_ >= operation.accept);
    account(port, operation.accept);
    if (operation.because != nullptr && *operation.because) accept_event(c, operation);
    c.operations.push(operation);
    c.counters.queue.add(operation.accept + 1, 1);
    c.accept_free = operation.accept + 1;
    c.counters.stalls[stall_reason::queue_full] += operation.accept - operation.begin;
    if (c.queued() == 1) plan(c);
}

port_operation grant_scheduler::transfer(unsigned port, std::uint64_t now)
{
    channel& c = channels_[port];
    assert(c.handed_out && next_grant_ >= now);
    const port_operation operation = c.operations.front();
    account(port, now);
    if (operation.because != nullptr) {
        if (operation.because->cycle() < now) *operation.because = operation.because->then(now, path_reason::consumer);
        c.last_transfer = *operation.because;
    }
    c.counters.stalls[stall_reason::response] += now - std::max(operation.ready, c.response_free);
    const bool was_full = c.granted == response_depth_;
    if (was_full) {
        c.unblocked = now + 1; // the place is free from the next cycle on
        c.unblocking = c.last_transfer;
    }
    c.operations.pop();
    --c.granted;
    c.handed_out = false;
    c.response_free = now + 1;
    if (was_full) plan_anew(c);
    return operation;
}

void grant_scheduler::plan_anew(channel& changed)
{
    changed.candidate = candidate_from(changed);
    std::uint64_t first = never;
    for (const channel& c : channels_) first = std::min(first, earliest_grant(c));
    next_grant_ = first;
}

unsigned grant_scheduler::winner(std::uint64_t cycle) const
{
    unsigned port = fixed_priority_ ? ports() - 1 : last_port_;
    for (;;) {
        port = port + 1 == ports() ? 0 : port + 1;
        if (channels_[port].candidate <= cycle) return port;
    }
}

void grant_scheduler::grant()
{
    const std::uint64_t cycle = next_grant_;
    const unsigned port = winner(cycle);
    channel& c = channels_[port];
    port_operation& operation = c.operations[c.granted];
    const std::uint64_t conflicts = core_.counters().passes - core_.counters().ideal_passes;
    if (observers_ == nullptr || observers_->empty())
        core_.execute(*operation.op, *operation.result);
    else
        carry_out(port, operation, cycle);
    const unsigned passes = operation.result->passes;
    for (unsigned other = 0; other < ports(); ++other)
        if (other != port && channels_[other].candidate <= cycle)
            channels_[other].counters.stalls[stall_reason::port_contention] += passes;

    account_grant(port, cycle);
    const auto beyond_ideal = core_.counters().passes - core_.counters().ideal_passes - conflicts;
    if (operation.because != nullptr && *operation.because) grant_event(c, operation, cycle, beyond_ideal);
    operation.ready = cycle + passes + latency_[static_cast<unsigned>(operation.op->op)];
    ++c.granted;
    c.counters.queue.subtract(cycle + 1, 1);
    ++c.counters.operations;
    c.counters.busy_cycles += passes;
    c.counters.stalls[stall_reason::bank_conflict] += beyond_ideal;
    passes_ += passes - beyond_ideal;
    conflicts_ += beyond_ideal;
    last_conflicts_ = beyond_ideal;
    last_port_ = port;
    engine_free_ = cycle + passes;
    busy_end_ = engine_accounted_ = engine_free_ + 1;
    plan_anew(c);
}

void grant_scheduler::accept_event(channel& c, const port_operation& operation)
{
    cause& because = *operation.because;
    const auto now = operation.accept;
    const auto place = because.place();
    if (operation.begin < now) // only a full queue makes a request wait at the port
        because = event_of(c.last_grant, c.last_grant.cycle() + 1, path_reason::request_queue, now, place);
    else if (because.cycle() < c.accept_free)
        because = event_of(c.last_accept, c.accept_free, path_reason::request_channel, now, place);
    else if (because.cycle() < now)
        because = because.then(now, path_reason::unexplained);
    c.last_accept = because;
}

void grant_scheduler::grant_event(channel& c, const port_operation& operation, std::uint64_t cycle,
                                  std::uint64_t beyond_ideal)
{
    cause& because = *operation.because;
    const auto place = because.place();
    const auto queued = operation.accept + 1;
    if (last_pass_.cycle() == cycle)
        c.last_grant = last_pass_; // engine free
    else if (queued < c.unblocked)
        c.last_grant = event_of(c.unblocking, c.unblocked, path_reason::responses_full, cycle, place);
    else
        c.last_grant = event_of(because, queued, path_reason::grant, cycle, place);
    const auto end = cycle + operation.result->passes;
    because = c.last_grant.then(end - beyond_ideal, path_reason::passes, place);
    if (beyond_ideal != 0) because = because.then(end, path_reason::bank_conflict);
    last_pass_ = because;
}

cause grant_scheduler::response_event(const channel& c, const port_operation& operation, std::uint64_t cycle)
{
    const auto& because = *operation.because;
    if (operation.ready < c.response_free)
        return event_of(c.last_transfer, c.response_free, path_reason::response_channel, cycle, because.place());
    return event_of(because, operation.ready, latency_reason(operation.op->op), cycle, because.place());
}

port_state grant_scheduler::state_of(const channel& c) const
{
    port_state state;
    if (c.queued() != 0) state.queued_from = c.operations[c.granted].accept + 1;
    state.blocked_until = c.granted >= response_depth_ ? never : c.unblocked;
    state.in_flight = c.granted != 0;
    if (state.in_flight) state.response_from = std::max(c.operations.front().ready, c.response_free);
    state.transferred_until = c.response_free;
    return state;
}

void grant_scheduler::account(unsigned port, std::uint64_t now)
{
    channel& c = channels_[port];
    c.account.advance_to(now, busy_end_, port == last_port_, [&c, this] { return state_of(c); });
}

void grant_scheduler::account_idle_engine(std::uint64_t cycle)
{
    if (cycle <= engine_accounted_) return;
    // Queued operations are not granted while too many operations are in flight.
    auto queued = cycle;
    for (const channel& c : channels_)
        if (c.queued() != 0) queued = std::min(queued, c.operations[c.granted].accept + 1);
    queued = std::max(queued, engine_accounted_);
    no_request_ += queued - engine_accounted_;
    full_ += cycle - queued;
    engine_accounted_ = cycle;
}

void grant_scheduler::account_grant(unsigned winner, std::uint64_t cycle)
{
    const bool idle = cycle >= busy_end_;
    for (unsigned port = 0; port < ports(); ++port) {
        if (idle && port != winner && channels_[port].candidate <= cycle) {
            account(port, cycle);
            channels_[port].account.lost(cycle);
        } else {
            account(port, cycle + 1);
        }
    }
    account_idle_engine(cycle);
    if (idle) ++grants_;
}

std::vector<cycle_stack> grant_scheduler::stacks(std::uint64_t now)
{
    account_idle_engine(now);
    // If a run is given up: passes that are still to come; those beyond the ideal are the last of them.
    const auto to_come = engine_accounted_ - now;
    const auto conflicts_to_come = std::min(to_come, last_conflicts_);
    std::vector<cycle_stack> result = {{"pass_engine",
                                        now,
                                        2,
                                        {{"passes", passes_ - (to_come - conflicts_to_come)},
                                         {name_of(stall_reason::bank_conflict), conflicts_ - conflicts_to_come},
                                         {"grant", grants_},
                                         {"responses_full", full_},
                                         {"no_request", no_request_}}}};
    for (unsigned port = 0; port < ports(); ++port) {
        account(port, now);
        cycle_stack stack{"port" + std::to_string(port), now, 1, {}};
        const auto& uses = channels_[port].account.uses();
        for (std::size_t i = 0; i < port_use_names.size(); ++i)
            stack.parts.push_back({port_use_names[i], uses.values[i]});
        result.push_back(std::move(stack));
    }
    return result;
}

// Executes the operation and reports it to the observers.
void grant_scheduler::carry_out(unsigned port, const port_operation& operation, std::uint64_t cycle)
{
    access_footprint footprint;
    core_.execute(*operation.op, *operation.result, footprint);
    for (unsigned other = 0; other < ports(); ++other)
        if (other != port && channels_[other].candidate <= cycle) footprint.contention += operation.result->passes;
    for (transaction_observer* observer : *observers_)
        observer->granted(operation.id, port, *operation.op, *operation.result, cycle, footprint);
}

std::uint64_t grant_scheduler::next_accept(unsigned port) const
{
    const channel& c = channels_[port];
    if (c.queued() < queue_depth_) return c.accept_free;
    const std::uint64_t freed = earliest_grant(c);
    return freed == never ? never : freed + 1;
}

} // namespace isbesim
