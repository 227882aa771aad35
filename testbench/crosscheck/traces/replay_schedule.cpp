// SPDX-License-Identifier: Apache-2.0
#include "testbench/crosscheck/traces/replay_schedule.h"

#include <algorithm>
#include <cstring>

namespace isbesim::testbench {

namespace {
constexpr std::uint64_t prefetch_distance = 4; ///< operations; they take several hundred nanoseconds
} // namespace

replay_schedule::replay_schedule(const trace_file& trace, style how, unsigned slots)
    : reader_(trace),
      style_(how),
      one_port_(trace.ports == 1),
      slots_(trace_window),
      operations_(trace_window),
      waiting_(1),
      names_(slots)
{
    last_.fill(none);
    users_.fill(none);
    fill();
}

void replay_schedule::fill()
{
    while (!exhausted_ && slot_of(loaded_).responded) {
        slot& s = slot_of(loaded_);
        if (loaded_ >= trace_window) old_response_ = std::max(old_response_, s.events[awaited_event::response].cycle);
        encoded_operation op;
        try {
            exhausted_ = !reader_.next(record_, op);
        } catch (const trace_error& error) { // called by processes, which must not throw
            failure_ = error.what();
            exhausted_ = true;
        }
        if (exhausted_) return;
        std::memcpy(operations_[loaded_ % trace_window].data(), op.bytes, op.size);
        plan(s, op);
    }
}

void replay_schedule::plan(slot& s, const encoded_operation& op)
{
    const auto& r = record_;
    const bool is_warp = r.stream >= 1 && r.stream < first_pe_stream;
    s.queue = r.stream >= first_pe_stream && op.op() == opcode::isberd ? 1 : 0;
    s.initiator = one_port_ ? (is_warp ? 0 : 1) : r.port;
    s.response_hold = r.response_hold;
    s.answer = r.answer;
    s.events = {};
    s.due = old_response_;
    s.waits = 0;
    s.responded = false;
    if (const auto before = last_[r.stream]; in_window(before)) wait_for(s, before, awaited_event::due, 0);
    for (unsigned i = 0; i < r.after.count; ++i) {
        const auto other = loaded_ - r.after.distance[i];
        wait_for(s, other, order_after(slot_of(other), s), 0);
    }
    for (unsigned i = 0; i < r.waits.count; ++i) {
        const auto& wait = r.waits.entries[i];
        if (wait.event == awaited_event::start)
            s.due = std::max(s.due, wait.gap);
        else
            wait_for(s, loaded_ - wait.distance, wait.event, wait.gap);
    }
    name_slot(s, op);
    last_[r.stream] = loaded_++;
    if (s.waits == 0) ready(loaded_ - 1);
}

void replay_schedule::name_slot(slot& s, const encoded_operation& op)
{
    s.context = op.context();
    const bool is_pe = record_.stream >= first_pe_stream;
    const bool binds = is_pe && op.op() == opcode::bind;
    if (record_.stream == 0 || binds != is_pe) return;
    s.context = binds ? names_.rename(s.context) : names_[s.context];
    if (s.context >= slot_names::most) return;
    auto& user = users_[s.context];
    if (binds && in_window(user)) wait_for(s, user, awaited_event::response, 0);
    user = loaded_;
}

// Operations of one queue that become due in order are requested in order: they are in one heap.
awaited_event replay_schedule::order_after(const slot& before, const slot& s)
{
    if (before.initiator != s.initiator) return awaited_event::response;
    return before.queue == s.queue ? awaited_event::due : awaited_event::request;
}

/// `s`, the newest operation, is not due before `event` of `other` plus `gap`.
void replay_schedule::wait_for(slot& s, std::uint64_t other, awaited_event event, std::uint64_t gap)
{
    auto& state = slot_of(other).events[event];
    if (state.cycle != never) {
        s.due = std::max(s.due, state.cycle + gap);
        return;
    }
    auto entry = free_waiting_;
    if (entry != 0) {
        free_waiting_ = waiting_[entry].next;
    } else {
        entry = static_cast<std::uint32_t>(waiting_.size());
        waiting_.emplace_back();
    }
    waiting_[entry] = {loaded_, gap, state.waiting};
    state.waiting = entry;
    ++s.waits;
}

void replay_schedule::happens(std::uint64_t number, awaited_event event, std::uint64_t cycle)
{
    auto& state = slot_of(number).events[event];
    state.cycle = cycle;
    while (state.waiting != 0) {
        const auto entry = state.waiting;
        const auto [waits, gap, next] = waiting_[entry];
        state.waiting = next;
        waiting_[entry].next = free_waiting_;
        free_waiting_ = entry;
        slot& s = slot_of(waits);
        s.due = std::max(s.due, cycle + gap);
        if (--s.waits == 0) ready(waits);
    }
}

/// The data of an operation have left the processor's caches between its reading and its request.
void replay_schedule::prefetch(std::uint64_t number) const
{
    constexpr std::size_t line = 64;
    constexpr std::size_t usual_bytes = 192; // of an operation
    for (std::size_t i = 0; i < sizeof(slot); i += line)
        __builtin_prefetch(reinterpret_cast<const std::uint8_t*>(&slot_of(number)) + i);
    const auto* const bytes = operations_[number % trace_window].data();
    for (std::size_t i = 0; i <= usual_bytes; i += line) __builtin_prefetch(bytes + i);
}

void replay_schedule::ready(std::uint64_t number)
{
    const slot& s = slot_of(number);
    if (style_ == style::by_initiator) {
        prefetch(number + prefetch_distance);
        auto& due = ready_[s.initiator][s.queue];
        due.push_back({s.due, number});
        std::push_heap(due.begin(), due.end(), std::greater<>());
        if (ready_call_ && due.front().number == number) ready_call_(s.initiator);
    }
    happens(number, awaited_event::due, s.due);
}

std::uint64_t replay_schedule::next_cycle(unsigned initiator) const
{
    auto cycle = never;
    for (const auto& due : ready_[initiator])
        if (!due.empty()) cycle = std::min(cycle, due.front().cycle);
    return cycle;
}

bool replay_schedule::read_is_next(const heap& writes, const heap& reads, std::uint64_t now)
{
    if (reads.empty() || writes.empty()) return writes.empty();
    const auto &write = writes.front(), &read = reads.front();
    if (write.cycle < now) return false;
    return read.cycle < now || write > read; // due in the same cycle: the lower number is already on the channel
}

std::uint64_t replay_schedule::next_operation(unsigned initiator, std::uint64_t now) const
{
    const auto& [writes, reads] = ready_[initiator];
    return (read_is_next(writes, reads, now) ? reads : writes).front().number;
}

bool replay_schedule::next_in_order(std::uint64_t& number, std::uint64_t& cycle) const
{
    if (responded_ == loaded_) return false;
    number = responded_;
    cycle = slot_of(number).due;
    return true;
}

void replay_schedule::requested(std::uint64_t number, std::uint64_t cycle)
{
    const slot& s = slot_of(number);
    if (style_ == style::by_initiator) {
        auto& due = ready_[s.initiator][s.queue];
        std::pop_heap(due.begin(), due.end(), std::greater<>());
        due.pop_back();
    }
    happens(number, awaited_event::request, cycle);
}

void replay_schedule::responded(std::uint64_t number, std::uint64_t cycle)
{
    slot_of(number).responded = true;
    ++responded_;
    happens(number, awaited_event::response, cycle);
    fill();
}

} // namespace isbesim::testbench
