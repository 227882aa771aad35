// SPDX-License-Identifier: Apache-2.0
// The counters of a part of the machine side by side: what figures are computed from.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "models/isbe/execution/isbe_core.h"
#include "models/isbe/timing/isbe_timing_counters.h"
#include "models/pe/counters.h"
#include "models/sm/sm_counters.h"

namespace isbesim {

/// Of one port, of an SM with its ISBE, or of all; inapplicable counters stay 0.
struct instance_counters {
    sm_counters sm;
    pe_site_counters pe;
    isbe_counters isbe;
    isbe_timing_counters ports;                  ///< all of the instance
    std::uint64_t shared_port_cycles = 0;        ///< requests waited because the other client used the one port
    std::array<time_weighted, 2> request_queues; ///< by port: isbe_timing_counters::queue
    pe_draw_counters draw;                       ///< of the whole run only

    /// All levels go on to `cycle` as they are. The queues of missing ports have none.
    void settle(std::uint64_t cycle, std::size_t existing_ports);
};

} // namespace isbesim
