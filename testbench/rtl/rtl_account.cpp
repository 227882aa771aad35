// SPDX-License-Identifier: Apache-2.0
#include "testbench/rtl/rtl_account.h"

#include <algorithm>

namespace isbesim::testbench {

rtl_account::rtl_account(const isbe_config& config) : engine_(config) {}

void rtl_account::report_to(const std::vector<transaction_observer*>& observers)
{
    observers_ = &observers;
    engine_.report_to(observers);
}

void rtl_account::accept(unsigned port, const port_operation& operation)
{
    if (!departed_) {
        engine_.advance_to(operation.accept);
        if (engine_.can_accept(port, operation.accept)) {
            auto copy = operation;
            copy.result = &scratch_;
            copy.because = nullptr;
            engine_.accept(port, copy);
            return;
        }
        depart();
    }
    counters_[port].stalls[stall_reason::queue_full] += operation.accept - operation.begin;
}

void rtl_account::respond(unsigned port, const port_operation& operation, std::uint64_t free, std::uint64_t now)
{
    if (!departed_) {
        engine_.advance_to(now);
        const auto* expected = engine_.response(port, now);
        if (expected != nullptr && std::max(expected->ready, free) == now) return;
        depart();
        if (expected != nullptr) return; // later than expected: it is executed and counts as handed out
    }
    if (carried_out_[port] != 0)
        --carried_out_[port];
    else
        carry_out(port, operation, now);
}

void rtl_account::carry_out(unsigned port, const port_operation& operation, std::uint64_t now)
{
    const auto& counted = engine_.functional.counters();
    const auto conflicts = counted.passes - counted.ideal_passes;
    access_footprint footprint;
    engine_.functional.execute(*operation.op, scratch_, footprint);
    const auto passes = operation.result->passes;
    auto& counters = counters_[port];
    ++counters.operations;
    counters.busy_cycles += passes;
    counters.stalls[stall_reason::bank_conflict] += counted.passes - counted.ideal_passes - conflicts;
    if (observers_ == nullptr) return;
    // As if the previous response had not delayed it.
    const auto grant = now - response_latency(engine_.functional.config(), operation.op->op) - passes;
    for (auto* observer : *observers_)
        observer->granted(operation.id, port, *operation.op, *operation.result, grant, footprint);
}

void rtl_account::transfer(unsigned port, std::uint64_t held, std::uint64_t now)
{
    if (departed_) {
        counters_[port].stalls[stall_reason::response] += held;
        return;
    }
    engine_.advance_to(now);
    engine_.transfer(port, now);
}

void rtl_account::depart()
{
    departed_ = true;
    for (unsigned port = 0; port < engine_.ports(); ++port) {
        // An operation whose response is on the channel was already reported.
        carried_out_[port] = engine_.granted(port) - (engine_.handed_out(port) ? 1 : 0);
        counters_[port] = engine_.counters(port);
    }
}

bool rtl_account::follows_page(std::uint64_t now)
{
    if (departed_) return false;
    engine_.advance_to(now);
    for (unsigned port = 0; port < engine_.ports(); ++port)
        if (engine_.next_response(port) < now) depart(); // the response did not come
    return !departed_;
}

std::vector<cycle_stack> rtl_account::stacks(std::uint64_t now)
{
    return follows_page(now) ? engine_.stacks(now) : std::vector<cycle_stack>();
}

const isbe_timing_counters& rtl_account::counters(unsigned port) const
{
    return departed_ ? counters_[port] : engine_.counters(port);
}

const isbe_counters& rtl_account::functional_counters(std::uint64_t now)
{
    if (!departed_) engine_.advance_to(now);
    return engine_.functional.counters();
}

} // namespace isbesim::testbench
