// SPDX-License-Identifier: Apache-2.0
// Reports faults that do not stop a program: traps to the SM's counters and observer, warnings to the counters.
#pragma once

#include "models/machine_config.h"
#include "models/sm/attribute_unit.h"
#include "models/sm/sm_counters.h"
#include "models/sm/sm_observer.h"

namespace isbesim {

class fault_reporter {
public:
    struct warp_facts {
        isbesim::stage stage;
        const attribute_set* omap; ///< null: not known
    };

    /// Both must outlive the reporter.
    fault_reporter(const sm_config& config, sm_counters& counters) : config_(config), counters_(counters) {}
    void attach(sm_observer& observer) { observer_ = &observer; }

    void trap(const trap_record& trap);
    /// Reports errors and lane status of the ISBE's response, in cycle `now`, to an operation of a warp.
    void report(const attribute_operation& operation, const warp_result& result, const warp_facts& warp,
                std::uint64_t now);

private:
    const sm_config& config_;
    sm_counters& counters_;
    sm_observer* observer_ = nullptr;
};

} // namespace isbesim
