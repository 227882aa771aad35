// SPDX-License-Identifier: Apache-2.0
#include "testbench/crosscheck/traces/trace_recorder.h"

#include <algorithm>

namespace isbesim::testbench {

trace_recorder::trace_recorder(const std::string& path, const recorded_machine& machine, wait_tracker* waits)
    : machine_(machine),
      waits_(waits),
      trace_(path, machine.json, machine.config.ports, machine.loosely_timed),
      order_(machine.config),
      responses_(trace_window),
      ports_of_(trace_window)
{
}

void trace_recorder::begin_request(std::uint64_t, unsigned port, const warp_op&, std::uint64_t cycle)
{
    ports_[port].requests.push({cycle, cycle});
}

void trace_recorder::accept(std::uint64_t, unsigned port, std::uint64_t cycle)
{
    ports_[port].requests.back().accept = cycle;
}

void trace_recorder::granted(std::uint64_t, unsigned port, const warp_op& op, const warp_result&, std::uint64_t,
                             const access_footprint&)
{
    port_state& p = ports_[port];
    p.granted.push(first_ + entries_.size());
    entries_.push({});
    trace_record& record = entries_.back().record;
    record.port = static_cast<std::uint8_t>(port);
    record.request = p.requests.front().request;
    record.accept = p.requests.front().accept;
    p.requests.pop();
    record.op = op;
    if (waits_ != nullptr) {
        entries_.back().place = waits_->carried_out(p.granted[p.granted.size() - 1], record);
    } else {
        record.stream = record.port;
        record.waits.count = 1;
        record.waits.entries[0] = {0, awaited_event::start, record.request};
    }
    ports_of_[p.granted[p.granted.size() - 1] % trace_window] = record.port;
    order_.next(record.stream, op, record.after, waits_ != nullptr);
    if (!machine_.shows_grants) check_order(record);
}

// If grants are known only from responses, two operations of different ports that were in flight together may have been
// executed in either order.
void trace_recorder::check_order(const trace_record& record)
{
    const auto number = first_ + entries_.size() - 1;
    for (unsigned i = 0; i < record.after.count; ++i) {
        const auto other = number - record.after.distance[i];
        if (ports_of_[other % trace_window] == record.port || !unknown_order_.empty()) continue;
        if (responses_[other % trace_window] <= record.request) continue;
        unknown_order_ = "operations " + std::to_string(other) + " and " + std::to_string(number) +
                         " were on their way on both ports at the same time and need the same words, and the RTL does "
                         "not show which was first: record with --isbe at or lockstep";
    }
}

void trace_recorder::response(std::uint64_t, unsigned port, const warp_op& op, const warp_result& result,
                              const transaction_times& times)
{
    port_state& p = ports_[port];
    const auto number = p.granted[p.responded++];
    trace_record& record = entry_of(number).record;
    // The initiator sees responses in the order of the port, even if a loosely timed target responds sooner.
    p.last_response = std::max({p.last_response, times.response, record.request});
    record.response = p.last_response;
    record.answer = answer_of(op, result);
    responses_[number % trace_window] = record.response;
    if (waits_ != nullptr) waits_->responded(entry_of(number).place, record.response);
    if (machine_.loosely_timed) finish(port);
}

void trace_recorder::end_response(std::uint64_t, unsigned port, std::uint64_t cycle)
{
    trace_record& record = entry_of(ports_[port].granted.front()).record;
    record.response_hold = static_cast<std::uint32_t>(cycle - record.response);
    finish(port);
}

void trace_recorder::finish(unsigned port)
{
    port_state& p = ports_[port];
    entry_of(p.granted.front()).finished = true;
    p.granted.pop();
    --p.responded;
    for (; !entries_.empty() && entries_.front().finished; ++first_) {
        trace_.write(entries_.front().record);
        entries_.pop();
    }
}

void trace_recorder::close()
{
    if (!unknown_order_.empty()) throw trace_error(unknown_order_); // the file remains without its end
    trace_.close();
}

} // namespace isbesim::testbench
