// SPDX-License-Identifier: Apache-2.0
#include "testbench/crosscheck/traffic/at_issuer.h"

#include "tlm/has_process.h"
#include "tlm/process_guard.h"

namespace isbesim::testbench {

at_issuer::at_issuer(const sc_core::sc_module_name& name, const cycle_clock& clock, operation_producer& producer)
    : sc_module(name), clock_(clock), producer_(producer), initiator_("initiator", clock, 1, *this)
{
    ISBESIM_HAS_PROCESS(at_issuer);
    SC_METHOD(act);
    sensitive << wake_;
}

void at_issuer::act()
{
    guard_process([this] { issue(); });
}

void at_issuer::issue()
{
    const auto now = clock_.now();
    while (initiator_.can_send()) {
        const auto due = producer_.due(now);
        if (due > now) return wake_for(due, now);
        const auto issued = producer_.next(now, initiator_.prepare_over());
        if (!issued) return wake_.notify(sc_core::SC_ZERO_TIME);
        initiator_.send(issued->tag);
    }
}

void at_issuer::wake()
{
    if (!initiator_.can_send()) return; // the acceptance of the request issues the next one
    const auto now = clock_.now();
    wake_for(producer_.due(now), now);
}

void at_issuer::wake_for(std::uint64_t due, std::uint64_t now)
{
    if (due != operation_producer::never) wake_.notify(due > now ? clock_.until(due) : sc_core::SC_ZERO_TIME);
}

void at_issuer::accepted(std::uint64_t tag)
{
    producer_.accepted(tag, clock_.now(), clock_.now() + 1);
    wake();
}

void at_issuer::response(std::uint64_t tag, const warp_op& op, const warp_result& result,
                         const transaction_times& times)
{
    hold_ = producer_.responded(tag, op, result, times);
}

} // namespace isbesim::testbench
