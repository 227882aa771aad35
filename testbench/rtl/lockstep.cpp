// SPDX-License-Identifier: Apache-2.0
#include "testbench/rtl/lockstep.h"

#include <algorithm>
#include <sstream>
#include <utility>
#include <variant>

#include "models/statistics/statistic.h"
#include "testbench/rtl/mismatch_report.h"
#include "testbench/rtl/rtl_engine.h"
#include "tlm/count_text.h"
#include "tlm/warp_fields.h"

namespace isbesim::testbench {

namespace {

std::string cycles(std::uint64_t count)
{
    return std::to_string(count) + (count == 1 ? " cycle" : " cycles");
}

} // namespace

std::vector<statistic<lockstep_totals>> lockstep_statistics()
{
    using totals = lockstep_totals;
    std::vector<statistic<totals>> all;
    const auto add = [&](const char* path, const char* unit, const char* description, std::uint64_t totals::*count,
                         preference better = preference::lower, merge_rule merge = merge_rule::sum) -> auto&
    {
        all.push_back(counted({"crosscheck", path, unit, description}, count, merge).preferred(better));
        return all.back();
    };
    const auto has_resets = [](const totals& counts, unsigned) { return counts.resets != 0; };
    add("transactions", "operations", "compared between model and RTL", &totals::transactions, preference::none);
    add("data_mismatches", "operations", "whose data, lane status, error or passes differ", &totals::data_mismatches);
    add("cycle_mismatches", "operations", "whose cycles differ", &totals::cycle_mismatches);
    add("max_cycle_error", "cycles", "largest difference of a cycle", &totals::max_cycle_error, preference::lower,
        merge_rule::maximum);
    add("resets", "resets", "of the reset test, before the transactions", &totals::resets, preference::none).shown =
        has_resets;
    add("reset_cycles", "cycles", "of the reset test: all pins are compared in each", &totals::reset_cycles,
        preference::none)
        .shown = has_resets;
    return all;
}

lockstep_totals& lockstep_totals::operator+=(const lockstep_totals& other)
{
    for (const auto& f : lockstep_statistics()) {
        auto& total = *std::get<std::uint64_t*>(f.counter(*this, 0));
        const auto more = std::get<std::uint64_t>(f.value(other, {}, 0));
        total = f.merge == merge_rule::maximum ? std::max(total, more) : total + more;
    }
    return *this;
}

std::string lockstep_line(const lockstep_totals& totals)
{
    return "lockstep: " + count_text(totals.transactions, "transaction") + " compared, " +
           count_text(totals.data_mismatches, "data mismatch", "data mismatches") + ", " +
           count_text(totals.cycle_mismatches, "cycle mismatch", "cycle mismatches");
}

lockstep::lockstep(std::unique_ptr<rtl_block> block, const isbe_config& config, const cycle_clock& clock,
                   std::function<void()> stop)
    : clock_(std::move(block), config.ports, *this), ports_in_use_(config.ports), time_(clock), stop_(std::move(stop))
{
}

std::string lockstep::verb_of(event kind)
{
    return kind == event::accept ? "takes a request" : "answers";
}

void lockstep::begin_request(std::uint64_t id, unsigned port, const warp_op& op, std::uint64_t cycle)
{
    if (failed_) return;
    clock_.advance_to(cycle);
    if (failed_) return;
    auto& state = ports_[port];
    state.id = id;
    state.op = op;
    clock_.offer(port, op);
}

void lockstep::accept(std::uint64_t id, unsigned port, std::uint64_t cycle)
{
    if (failed_) return follow(event::accept, port, cycle);
    clock_.advance_to(cycle);
    if (failed_) return follow(event::accept, port, cycle);
    auto& state = ports_[port];
    state.accepted_now = true;
    state.accept_cycle = cycle;
    if (!clock_.request_ready(port)) {
        fail_late(event::accept, port, cycle,
                  "AT accepts the request in cycle " + std::to_string(cycle) + ", the RTL's req_ready is 0\n" +
                      describe_transaction(id, port, state.op));
    }
}

/// A cycle of the RTL is over: AT must have transferred the same in that cycle.
void lockstep::request_transferred(unsigned port, std::uint64_t cycle)
{
    if (failed_) return;
    auto& state = ports_[port];
    if (state.accepted_now && state.accept_cycle == cycle) {
        state.accepted_now = false;
        return;
    }
    fail_early(event::accept, port, cycle,
               "the RTL accepts the request in cycle " + std::to_string(cycle) + ", AT has not by then\n" +
                   describe_transaction(state.id, port, state.op));
}

void lockstep::response(std::uint64_t id, unsigned port, const warp_op& op, const warp_result& result,
                        const transaction_times& times)
{
    if (failed_) return follow(event::response, port, times.response);
    clock_.advance_to(times.response);
    if (failed_) return follow(event::response, port, times.response);
    ports_[port].responding = true;
    if (!clock_.response_valid(port)) {
        fail_late(event::response, port, times.response,
                  "AT responds in cycle " + std::to_string(times.response) + ", the RTL's resp_valid is 0\n" +
                      describe_transaction(id, port, op));
        return;
    }
    auto& state = ports_[port];
    state.response_cycle = times.response;
    if (compare(id, port, op, result, times.response)) state.shown = got_;
}

void lockstep::response_was_valid(unsigned port, std::uint64_t cycle, bool taken)
{
    if (taken) ++answers_;
    if (failed_) return;
    auto& state = ports_[port];
    if (taken) {
        state.transferring = false;
        return;
    }
    if (state.responding && !state.transferring) return;
    if (state.transferring && state.transfer_cycle > cycle) return;
    std::ostringstream text;
    text << "the RTL responds on port " << port << " in cycle " << cycle << ", AT does not by then (response number "
         << state.responded << " of the port)\n";
    fail_early(event::response, port, cycle, text.str());
}

void lockstep::response_withdrawn(unsigned port, std::uint64_t cycle)
{
    if (failed_) return;
    ++totals_.cycle_mismatches;
    totals_.max_cycle_error = 1; // at least
    fail(cycle, "the RTL withdraws its response\n  number " + std::to_string(ports_[port].responded) + " of port " +
                    std::to_string(port) + ", valid from cycle " + std::to_string(ports_[port].response_cycle) +
                    ", not taken, is not valid in cycle " + std::to_string(cycle) + "\n");
}

void lockstep::block_failed(std::uint64_t cycle, const std::string& text)
{
    if (!failed_) fail(cycle, failure_line(cycle, text));
}

void lockstep::end_response(std::uint64_t id, unsigned port, std::uint64_t cycle)
{
    if (failed_) return;
    clock_.advance_to(cycle);
    if (failed_) return;
    auto& state = ports_[port];
    if (cycle != state.response_cycle && !compare(id, port, {}, state.shown, cycle, true)) return;
    state.responding = false;
    state.transferring = true;
    state.transfer_cycle = cycle;
    ++state.responded;
    clock_.take_response(port);
    ++totals_.transactions;
}

bool lockstep::compare(std::uint64_t id, unsigned port, const warp_op& op, const warp_result& expected,
                       std::uint64_t cycle, bool changed)
{
    clock_.read_response(port, got_);
    if (got_ == expected) return true;
    ++totals_.data_mismatches;
    fail(cycle, "response in cycle " + std::to_string(cycle) + " differs\n" +
                    (changed ? "  expected: what it was in cycle " + std::to_string(ports_[port].response_cycle) + "\n"
                             : describe_transaction(id, port, op)) +
                    describe_difference(op, expected, got_));
    name_kind((changed ? "changes a response that is held back: " : "answers with ") + different_parts(expected, got_));
    clock_.advance_to(cycle + cycles_after_mismatch);
    return false;
}

/// The RTL had the event in `cycle`; the run goes on until AT has it too.
void lockstep::fail_early(event kind, unsigned port, std::uint64_t cycle, const std::string& text)
{
    ++totals_.cycle_mismatches;
    totals_.max_cycle_error = 1; // at least
    failed_ = true;
    mismatch_report_ = text;
    difference_cycle_ = cycle;
    early_ = {kind, port, cycle};
}

/// AT has the event in `cycle`; the RTL alone is clocked on until it has it too.
void lockstep::fail_late(event kind, unsigned port, std::uint64_t cycle, const std::string& text)
{
    ++totals_.cycle_mismatches;
    fail(cycle, text);
    std::uint64_t late = 0;
    do {
        advance_alone(kind == event::response ? port : rtl_clock::max_ports);
        ++late;
    } while (late < timeout && !(kind == event::accept ? clock_.request_ready(port) : clock_.response_valid(port)));
    totals_.max_cycle_error = late;
    if (late < timeout) {
        mismatch_report_ += "  the RTL follows in cycle " + std::to_string(cycle + late) + "\n";
        if (kind == event::accept && ready_waits_for_valid(port))
            mismatch_report_ =
                "req_ready waits for req_valid on port " + std::to_string(port) + "\n" + mismatch_report_;
        else
            name_kind(verb_of(kind) + ", " + cycles(late) + " later than the model");
        return;
    }
    mismatch_report_ += "  the RTL does not follow within " + std::to_string(timeout) + " cycles\n";
    const bool takes_no_more = kind == event::accept && clock_.unanswered() == 0;
    name_kind((takes_no_more ? "stopped taking requests after operation " : "stopped answering after operation ") +
              std::to_string(answers_));
}

void lockstep::advance_alone(unsigned except)
{
    for (unsigned port = 0; port < rtl_clock::max_ports; ++port)
        if (port != except && port < ports_in_use_ && clock_.response_valid(port)) clock_.take_response(port);
    clock_.advance_to(clock_.cycle() + 1);
}

/// The request of `port` is about to be taken. Tells whether the block is never ready without a request even when it is
/// idle: a queue with room shows req_ready (micro-architecture section 5.1).
bool lockstep::ready_waits_for_valid(unsigned port)
{
    clock_.clock_when_idle();
    std::uint64_t waited = 0;
    for (; waited < timeout && !clock_.idle(); ++waited) advance_alone(rtl_clock::max_ports);
    if (!clock_.idle()) return false;
    for (waited = 0; waited < timeout && !clock_.request_ready(port); ++waited) advance_alone(rtl_clock::max_ports);
    return waited == timeout;
}

void lockstep::fail(std::uint64_t cycle, const std::string& text)
{
    failed_ = true;
    difference_cycle_ = cycle;
    mismatch_report_ = text;
    stop_();
}

/// An event of AT after a failure: ends the run if it is the event that the RTL had early.
void lockstep::follow(event kind, unsigned port, std::uint64_t cycle)
{
    if (!early_) return;
    const auto error = cycle - early_->cycle;
    if (error >= timeout) {
        mismatch_report_ += "  AT does not follow within " + std::to_string(timeout) + " cycles\n";
        end_early(timeout);
    } else if (kind == early_->kind && port == early_->port) {
        mismatch_report_ += "  AT follows in cycle " + std::to_string(cycle) + "\n";
        end_early(error);
    }
}

void lockstep::end_early(std::uint64_t error)
{
    totals_.max_cycle_error = error;
    if (error < timeout)
        name_kind(verb_of(early_->kind) + ", " + cycles(error) + " earlier than the model");
    else
        name_kind(verb_of(early_->kind) + (early_->kind == event::accept ? " that the model does not take"
                                                                         : " what the model does not answer"));
    early_.reset();
    stop_();
}

void lockstep::finish()
{
    if (early_) {
        mismatch_report_ += "  AT ends without it\n";
        end_early(timeout);
    }
    if (failed_) return;
    clock_.advance_to(time_.now() + 1);
    if (failed_ || clock_.idle()) return;
    ++totals_.cycle_mismatches;
    totals_.max_cycle_error = timeout;
    fail(time_.now(), "  operations are still in flight after AT's last response\n");
    name_kind("stopped answering after operation " + std::to_string(answers_));
}

} // namespace isbesim::testbench
