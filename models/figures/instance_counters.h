// SPDX-License-Identifier: Apache-2.0
// All counters of a part of the machine, and the figures that are computed from them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/isbe/functional/isbe_counters.h"
#include "models/isbe/timing/isbe_timing_counters.h"
#include "models/pe/counters.h"
#include "models/sm/sm_counters.h"
#include "models/statistics/statistic.h"

namespace isbesim {

/// Counters of one port, of an SM with its ISBE, or of all; inapplicable counters stay 0.
struct instance_counters {
    sm_counters sm;
    pe_site_counters pe;
    isbe_counters isbe;
    isbe_timing_counters ports;           ///< all ports of the instance together
    std::uint64_t shared_port_cycles = 0; ///< cycles for which requests waited while the other client used the one port
    std::array<time_weighted, 2> request_queues; ///< by port: isbe_timing_counters::queue
    pe_draw_counters draw;                       ///< of the whole run only

    /// Advances all levels to `cycle` unchanged. The queues of missing ports have no level.
    void settle(std::uint64_t cycle, std::size_t existing_ports);
};

using figure = statistic<instance_counters>;
/// The figures of SM, PE and ISBE; those of a section are in the order in which a report shows them.
const std::vector<figure>& machine_figures();

/// Merges every counter that a figure shows. Traps and warnings are lists, not figures.
void merge(instance_counters& total, const instance_counters& one);
void merge(pe_draw_counters& total, const pe_draw_counters& one);
/// Subtracts the counts of `earlier`; the rest are the counts of the cycles since then. Levels over time are settled in
/// both. Peaks of levels stay those of the run.
void subtract(instance_counters& later, const instance_counters& earlier);

} // namespace isbesim
