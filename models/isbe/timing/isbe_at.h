// SPDX-License-Identifier: Apache-2.0
// The approximately timed ISBE: accept, grant, passes and response of micro-architecture section 5, cycle for cycle.
#pragma once

#include "models/isbe/execution/isbe_core.h"
#include "models/isbe/timing/four_phase_isbe.h"
#include "models/isbe/timing/grant_scheduler.h"

namespace isbesim {

/// A separate base class for the core, which must be constructed before the scheduler that uses it.
struct at_core {
    explicit at_core(const isbe_config& config) : functional(config) {}
    isbe_core functional;
};

class at_engine : public at_core, public grant_scheduler {
public:
    explicit at_engine(const isbe_config& config) : at_core(config), grant_scheduler(functional) {}
};

/// Needs one event per operation of a stream, two for a lone operation of several passes.
class isbe_at : public four_phase_isbe<at_engine> {
public:
    isbe_at(const sc_core::sc_module_name& name, const isbe_config& config, const cycle_clock& clock);

    /// The core after all grants before the current cycle.
    isbe_core& core();
    std::vector<cycle_stack> stacks() override;
    bool tells_causes() const override { return true; }

protected:
    unsigned debug(tlm::tlm_generic_payload& payload) override;
};

} // namespace isbesim
