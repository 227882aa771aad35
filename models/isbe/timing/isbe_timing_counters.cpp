// SPDX-License-Identifier: Apache-2.0
#include "models/isbe/timing/isbe_timing_counters.h"

#include "models/statistics/statistic.h"

namespace isbesim {

std::vector<statistic<isbe_timing_counters>> port_statistics()
{
    using port = isbe_timing_counters;
    std::vector<statistic<port>> all;
    all.push_back(counted({port_section, "operations", "operations", "granted by the port"}, &port::operations)
                      .preferred(preference::none));
    all.push_back(
        counted({port_section, "busy_cycles", "cycles", "the pass engine worked for the port"}, &port::busy_cycles)
            .in_series("busy_cycles")
            .in_database("transactions.passes"));
    const auto stall = [&](stall_reason reason, const std::string& path, const char* description = nullptr) {
        const auto& row = stall_rows[static_cast<std::size_t>(reason)];
        const auto* text = description != nullptr ? description : row.description;
        all.push_back(
            counted_stall({port_section, path, "cycles", text}, &port::stalls, reason).needs(measured_by_port(reason)));
    };
    stall(stall_reason::bank_conflict, "bank_conflict_cycles");
    stall(stall_reason::port_contention, "contention_cycles",
          "cycles in which a request could have been granted, but the other port was");
    stall(stall_reason::queue_full, "queue_full_cycles");
    stall(stall_reason::response, "response_stall_cycles");
    return all;
}

} // namespace isbesim
