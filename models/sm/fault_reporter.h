// SPDX-License-Identifier: Apache-2.0
// Faults that do not stop a program: reports traps and suspicions to the SM's counters and
// to its observer.
#pragma once

#include "models/machine_config.h"
#include "models/sm/attribute_unit.h"
#include "models/sm/sm_counters.h"
#include "models/sm/sm_observer.h"

namespace isbesim {

class fault_reporter {
public:
    /// Both must outlive this.
    fault_reporter(const sm_config& config, sm_counters& counters) : config_(config), counters_(counters) {}
    void attach(sm_observer& observer) { observer_ = &observer; }

    void trap(const trap_record& trap);
    /// What the ISBE said about the lanes of an operation of a warp of `stage`, heard of in cycle `now`.
    void report(const attribute_operation& operation, const warp_result& result, isbesim::stage stage,
                std::uint64_t now);

private:
    const sm_config& config_;
    sm_counters& counters_;
    sm_observer* observer_ = nullptr;
};

} // namespace isbesim
