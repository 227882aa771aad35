#include "testbench/crosscheck/traces/replay_schedule.h"

#include <algorithm>

namespace isbesim::testbench {

replay_schedule::replay_schedule(const trace_file& trace, style how)
    : reader_(trace), style_(how), ports_(trace.ports), slots_(trace_window), loosely_timed_(trace.loosely_timed)
{
    last_.fill(none);
    fill();
}

void replay_schedule::fill()
{
    while (!exhausted_ && at(loaded_).responded) {
        slot& s = at(loaded_);
        if (loaded_ >= trace_window) {
            old_recorded_ = std::max(old_recorded_, s.record.response);
            old_response_ = std::max(old_response_, s.response);
        }
        try {
            exhausted_ = !reader_.next(s.record);
        } catch (const trace_error& error) { // processes call this
            failure_ = error.what();
            exhausted_ = true;
        }
        if (exhausted_) return;
        plan(s);
    }
}

void replay_schedule::plan(slot& s)
{
    const auto& r = s.record;
    s.before = last_[r.stream];
    s.events = old_response_;
    s.waits = 0;
    s.requested = s.responded = false;
    std::uint64_t recorded = old_recorded_ <= r.request ? old_recorded_ : 0;
    if (in_window(s.before)) {
        wait_request(s, s.before, recorded);
        auto earlier = s.before;
        while (in_window(earlier) && at(earlier).record.response > r.request) earlier = at(earlier).before;
        if (in_window(earlier)) wait_response(s, earlier, recorded);
    }
    for (unsigned i = 0; i < r.after.count; ++i) {
        const auto other = loaded_ - r.after.distance[i];
        if (at(other).record.port == r.port)
            wait_request(s, other, recorded);
        else
            wait_response(s, other, recorded);
    }
    s.gap = sent(r, recorded) - recorded;
    last_[r.stream] = loaded_++;
    if (s.waits == 0) ready(loaded_ - 1);
}

// When the recorded request began to wait for its port, `event` being the last one that it waited for before.
std::uint64_t replay_schedule::sent(const trace_record& record, std::uint64_t event)
{
    if (loosely_timed_) return record.request; // nobody waits there
    port_state& port = port_states_[record.port];
    const bool waited = port.used && record.request <= port.busy_until + 1;
    if (!waited) port.busy_since = record.request;
    port.sent = std::min(std::max({port.sent, port.busy_since, event}), record.request);
    port.busy_until = record.accept;
    port.used = true;
    return port.sent;
}

// An event that the recorded request did not wait for says nothing about its gap.
void replay_schedule::wait_request(slot& s, std::uint64_t other, std::uint64_t& recorded)
{
    slot& o = at(other);
    if (o.record.request <= s.record.request) recorded = std::max(recorded, o.record.request);
    if (o.requested) {
        s.events = std::max(s.events, o.request);
    } else {
        o.on_request.push_back(loaded_);
        ++s.waits;
    }
}

void replay_schedule::wait_response(slot& s, std::uint64_t other, std::uint64_t& recorded)
{
    slot& o = at(other);
    if (o.record.response <= s.record.request) recorded = std::max(recorded, o.record.response);
    if (o.responded) {
        s.events = std::max(s.events, o.response);
    } else {
        o.on_response.push_back(loaded_);
        ++s.waits;
    }
}

void replay_schedule::came(std::uint64_t number, std::uint64_t cycle)
{
    slot& s = at(number);
    s.events = std::max(s.events, cycle);
    if (--s.waits == 0) ready(number);
}

void replay_schedule::ready(std::uint64_t number)
{
    if (style_ == style::in_order) return;
    const slot& s = at(number);
    auto& heap = ready_[s.record.port];
    heap.push_back({s.events + s.gap, number});
    std::push_heap(heap.begin(), heap.end(), std::greater<>());
    if (ready_call_) ready_call_(s.record.port);
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
        auto& heap = ready_[s.record.port];
        std::pop_heap(heap.begin(), heap.end(), std::greater<>());
        heap.pop_back();
    }
    s.requested = true;
    s.request = cycle;
    for (const auto waiting : s.on_request) came(waiting, cycle);
    s.on_request.clear();
}

void replay_schedule::responded(std::uint64_t number, std::uint64_t cycle)
{
    slot& s = at(number);
    s.responded = true;
    s.response = cycle;
    ++responded_;
    for (const auto waiting : s.on_response) came(waiting, cycle);
    s.on_response.clear();
    fill();
}

} // namespace isbesim::testbench
