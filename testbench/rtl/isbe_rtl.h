// SPDX-License-Identifier: Apache-2.0
// The Verilated RTL in the ISBE's place: TLM on one side, valid/ready pins on the other.
#pragma once

#include <memory>

#include "models/isbe/timing/four_phase_isbe.h"
#include "testbench/rtl/rtl_engine.h"

namespace isbesim::testbench {

/// While operations are in flight it wakes up in every cycle to clock the block; an idle block catches up later, or is
/// not clocked (rtl_clock). Debug transport can't access the RTL's memory: it copies nothing. A block that hangs
/// (rtl_clock::hung) is no longer clocked: the simulation then runs out of events, which is a deadlock.
class isbe_rtl : public four_phase_isbe<rtl_engine> {
public:
    isbe_rtl(const sc_core::sc_module_name& name, const isbe_config& config, const cycle_clock& clock,
             std::unique_ptr<rtl_block> block);

    isbe_counters functional_counters();
    /// Clocks an idle block up to the current cycle. Throws rtl_failure.
    void catch_up() { advance_to(); }
    /// The current cycle is the block's first one. To be called before the first operation.
    void begin_now() { engine_.begin_at(clock().now()); }
    std::vector<cycle_stack> stacks() override;

protected:
    unsigned debug(tlm::tlm_generic_payload& payload) override;
};

} // namespace isbesim::testbench
