#include "testbench/rtl/lockstep.h"

#include <algorithm>
#include <sstream>
#include <utility>

#include "testbench/rtl/story.h"

namespace isbesim::testbench {

std::string lockstep_line(const lockstep_totals& totals)
{
    return "lockstep: " + std::to_string(totals.transactions) + " transactions compared, " +
           std::to_string(totals.data_mismatches) + " data mismatches, " + std::to_string(totals.cycle_mismatches) +
           " cycle mismatches";
}

lockstep::lockstep(std::unique_ptr<rtl_block> block, const isbe_config& config, const cycle_clock& clock,
                   std::function<void()> stop)
    : clock_(std::move(block), config.ports, *this), time_(clock), stop_(std::move(stop))
{
}

void lockstep::begin_request(std::uint64_t id, unsigned port, const warp_op& op, std::uint64_t cycle)
{
    if (failed_) return;
    clock_.advance_to(cycle);
    if (failed_) return;
    auto& state = ports_[port];
    state.requesting = true;
    state.id = id;
    state.op = op;
    clock_.offer(port, op);
}

void lockstep::accept(std::uint64_t id, unsigned port, std::uint64_t cycle)
{
    if (failed_) return;
    clock_.advance_to(cycle);
    if (failed_) return;
    auto& state = ports_[port];
    state.requesting = false;
    state.accepted_now = true;
    state.accept_cycle = cycle;
    if (!clock_.request_ready(port)) {
        fail_cycle(1, "AT accepts the request in cycle " + std::to_string(cycle) + ", the RTL's req_ready is 0\n" +
                          describe_transaction(id, port, state.op));
    }
}

/// A cycle of the RTL is over: what it transferred must be what AT transferred in that cycle.
void lockstep::request_transferred(unsigned port, std::uint64_t cycle)
{
    auto& state = ports_[port];
    if (state.accepted_now && state.accept_cycle == cycle) {
        state.accepted_now = false;
        return;
    }
    fail_cycle(1, "the RTL accepts the request in cycle " + std::to_string(cycle) + ", AT has not by then\n" +
                      describe_transaction(state.id, port, state.op));
}

void lockstep::response(std::uint64_t id, unsigned port, const warp_op& op, const warp_result& result,
                        const transaction_times& times)
{
    if (failed_) return;
    clock_.advance_to(times.response);
    if (failed_) return;
    ports_[port].responding = true;
    if (!clock_.response_valid(port)) {
        fail_cycle(1, "AT responds in cycle " + std::to_string(times.response) + ", the RTL's resp_valid is 0\n" +
                          describe_transaction(id, port, op));
        return;
    }
    compare(id, port, op, result, times.response);
}

void lockstep::response_was_valid(unsigned port, std::uint64_t cycle, bool taken)
{
    auto& state = ports_[port];
    if (taken) {
        state.transferring = false;
        return;
    }
    if (state.responding && !state.transferring) return;
    if (state.transferring && state.transfer_cycle > cycle) return;
    std::ostringstream text;
    text << "the RTL responds on port " << port << " in cycle " << cycle << ", AT does not by then (response number "
         << state.answered << " of the port)\n";
    fail_cycle(1, text.str());
}

void lockstep::end_response(std::uint64_t, unsigned port, std::uint64_t cycle)
{
    if (failed_) return;
    clock_.advance_to(cycle);
    if (failed_) return;
    auto& state = ports_[port];
    state.responding = false;
    state.transferring = true;
    state.transfer_cycle = cycle;
    ++state.answered;
    clock_.take_response(port);
    ++totals_.transactions;
}

void lockstep::compare(std::uint64_t id, unsigned port, const warp_op& op, const warp_result& expected,
                       std::uint64_t cycle)
{
    clock_.read_response(port, got_);
    if (got_.data == expected.data && got_.status == expected.status && got_.error == expected.error &&
        got_.passes == expected.passes)
        return;
    ++totals_.data_mismatches;
    fail("response in cycle " + std::to_string(cycle) + " differs\n" + describe_transaction(id, port, op) +
         describe_difference(op, expected, got_));
}

void lockstep::fail_cycle(std::uint64_t error, const std::string& text)
{
    ++totals_.cycle_mismatches;
    totals_.max_cycle_error = std::max(totals_.max_cycle_error, error);
    fail(text);
}

void lockstep::fail(const std::string& text)
{
    if (failed_) return;
    failed_ = true;
    story_ = text;
    stop_();
}

void lockstep::finish()
{
    if (failed_) return;
    clock_.advance_to(time_.now() + 1);
    if (!failed_ && !clock_.idle()) fail_cycle(1, "the RTL still has operations in flight after AT answered all\n");
}

} // namespace isbesim::testbench
