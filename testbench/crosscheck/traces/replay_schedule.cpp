// SPDX-License-Identifier: Apache-2.0
#include "testbench/crosscheck/traces/replay_schedule.h"

#include <algorithm>
#include <cstring>

namespace isbesim::testbench {

namespace {
constexpr std::uint64_t soon = 4; ///< so many operations later is after some hundred nanoseconds
} // namespace

replay_schedule::replay_schedule(const trace_file& trace, style how)
    : reader_(trace),
      style_(how),
      ports_(trace.ports),
      slots_(trace_window),
      operations_(trace_window),
      waiting_(1),
      loosely_timed_(trace.loosely_timed)
{
    last_.fill(none);
    fill();
}

void replay_schedule::fill()
{
    while (!exhausted_ && at(loaded_).responded) {
        slot& s = at(loaded_);
        if (loaded_ >= trace_window) {
            old_recorded_ = std::max(old_recorded_, s.recorded_response);
            old_response_ = std::max(old_response_, s.response);
        }
        encoded_operation op;
        try {
            exhausted_ = !reader_.next(record_, op);
        } catch (const trace_error& error) { // processes call this
            failure_ = error.what();
            exhausted_ = true;
        }
        if (exhausted_) return;
        std::memcpy(operations_[loaded_ % trace_window].data(), op.bytes, op.size);
        plan(s);
    }
}

void replay_schedule::plan(slot& s)
{
    const auto& r = record_;
    s.port = r.port;
    s.recorded_request = r.request;
    s.recorded_response = r.response;
    s.response_hold = r.response_hold;
    s.answer = r.answer;
    s.before = last_[r.stream];
    s.events = old_response_;
    s.waits = 0;
    s.requested = s.responded = false;
    std::uint64_t recorded = old_recorded_ <= r.request ? old_recorded_ : 0;
    if (in_window(s.before)) {
        wait_request(s, s.before, recorded);
        auto earlier = s.before;
        while (in_window(earlier) && at(earlier).recorded_response > r.request) earlier = at(earlier).before;
        if (in_window(earlier)) wait_response(s, earlier, recorded);
    }
    for (unsigned i = 0; i < r.after.count; ++i) {
        const auto other = loaded_ - r.after.distance[i];
        if (at(other).port == r.port)
            wait_request(s, other, recorded);
        else
            wait_response(s, other, recorded);
    }
    s.gap = sent(recorded) - recorded;
    last_[r.stream] = loaded_++;
    if (s.waits == 0) ready(loaded_ - 1);
}

// When the newest recorded request began to wait for its port, `event` being the last one that it waited for before.
std::uint64_t replay_schedule::sent(std::uint64_t event)
{
    if (loosely_timed_) return record_.request; // no request waits there
    port_state& port = port_states_[record_.port];
    const bool waited = port.used && record_.request <= port.busy_until + 1;
    if (!waited) port.busy_since = record_.request;
    port.sent = std::min(std::max({port.sent, port.busy_since, event}), record_.request);
    port.busy_until = record_.accept;
    port.used = true;
    return port.sent;
}

// An event that the recorded request did not wait for says nothing about its gap.
void replay_schedule::wait_request(slot& s, std::uint64_t other, std::uint64_t& recorded)
{
    slot& o = at(other);
    if (o.recorded_request <= s.recorded_request) recorded = std::max(recorded, o.recorded_request);
    if (o.requested) {
        s.events = std::max(s.events, o.request);
    } else {
        wait_in(o.on_request);
        ++s.waits;
    }
}

void replay_schedule::wait_response(slot& s, std::uint64_t other, std::uint64_t& recorded)
{
    slot& o = at(other);
    if (o.recorded_response <= s.recorded_request) recorded = std::max(recorded, o.recorded_response);
    if (o.responded) {
        s.events = std::max(s.events, o.response);
    } else {
        wait_in(o.on_response);
        ++s.waits;
    }
}

/// The newest operation, in a list of those that wait.
void replay_schedule::wait_in(std::uint32_t& list)
{
    auto entry = free_waiting_;
    if (entry != 0) {
        free_waiting_ = waiting_[entry].next;
    } else {
        entry = static_cast<std::uint32_t>(waiting_.size());
        waiting_.emplace_back();
    }
    waiting_[entry] = {loaded_, list};
    list = entry;
}

void replay_schedule::end_waiting(std::uint32_t& list, std::uint64_t cycle)
{
    while (list != 0) {
        const auto entry = list;
        const auto number = waiting_[entry].number;
        list = waiting_[entry].next;
        waiting_[entry].next = free_waiting_;
        free_waiting_ = entry;
        came(number, cycle);
    }
}

void replay_schedule::came(std::uint64_t number, std::uint64_t cycle)
{
    slot& s = at(number);
    s.events = std::max(s.events, cycle);
    if (--s.waits == 0) ready(number);
}

/// What an operation of the window is asked for when it is requested has been out of the caches since it was read.
void replay_schedule::prefetch(std::uint64_t number) const
{
    constexpr std::size_t line = 64;
    constexpr std::size_t usual_bytes = 192; // of an operation
    __builtin_prefetch(&at(number));
    __builtin_prefetch(reinterpret_cast<const std::uint8_t*>(&at(number)) + line);
    const auto* const bytes = operations_[number % trace_window].data();
    for (std::size_t i = 0; i <= usual_bytes; i += line) __builtin_prefetch(bytes + i);
}

void replay_schedule::ready(std::uint64_t number)
{
    if (style_ == style::in_order) return;
    prefetch(number + soon);
    const slot& s = at(number);
    auto& heap = ready_[s.port];
    heap.push_back({s.events + s.gap, number});
    std::push_heap(heap.begin(), heap.end(), std::greater<>());
    if (ready_call_ && heap.front().number == number) ready_call_(s.port);
}

bool replay_schedule::next_in_order(std::uint64_t& number, std::uint64_t& cycle) const
{
    if (responded_ == loaded_) return false;
    number = responded_;
    const slot& s = slots_[number % trace_window];
    cycle = s.events + s.gap;
    return true;
}

void replay_schedule::requested(std::uint64_t number, std::uint64_t cycle)
{
    slot& s = at(number);
    if (style_ == style::by_port) {
        auto& heap = ready_[s.port];
        std::pop_heap(heap.begin(), heap.end(), std::greater<>());
        heap.pop_back();
    }
    s.requested = true;
    s.request = cycle;
    end_waiting(s.on_request, cycle);
}

void replay_schedule::responded(std::uint64_t number, std::uint64_t cycle)
{
    slot& s = at(number);
    s.responded = true;
    s.response = cycle;
    ++responded_;
    end_waiting(s.on_response, cycle);
    fill();
}

} // namespace isbesim::testbench
