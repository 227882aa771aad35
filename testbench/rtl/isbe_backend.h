// SPDX-License-Identifier: Apache-2.0
// The implementations of the ISBE, by name. A new back end adds a row to the table.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "models/isbe/functional/isbe_counters.h"
#include "models/isbe/timing/isbe_module.h"
#include "models/machine_config.h"
#include "testbench/rtl/lockstep.h"
#include "testbench/rtl/waveform.h"
#include "tlm/clock.h"
#include "tlm/warp_initiator.h"

namespace isbesim::testbench {

/// One ISBE.
struct isbe_instance {
    std::unique_ptr<isbe_module> module;
    std::function<isbe_counters()> counters; ///< up to the current cycle
    std::unique_ptr<lockstep> comparison;    ///< of the lockstep back end, else null
    // The RTL's, see isbe_rtl; other back ends do nothing. A comparison catches up by itself.
    std::function<void()> catch_up = [] {};
    std::function<void()> begin_now = [] {};
};

struct isbe_backend {
    const char* name;
    const char* description;
    warp_initiator::style style; ///< how SM and PE access it
    /// Throws std::invalid_argument if `make_block`, usually require_rtl_block, has no RTL for the configuration.
    /// `wave`, unless null, shows the ISBE's ports and the RTL's signals.
    isbe_instance (*make)(const char* module_name, const isbe_config& config, const cycle_clock& clock,
                          const rtl_block_maker& make_block, waveform* wave);
};

/// Back ends of this build.
const std::vector<isbe_backend>& isbe_backends();
/// Null if this build has no such back end.
const isbe_backend* find_isbe_backend(const std::string& name);

} // namespace isbesim::testbench
