// SPDX-License-Identifier: Apache-2.0
#include "models/pe/counters.h"

#include "models/statistics/statistic.h"

namespace isbesim {

std::vector<statistic<pe_site_counters>> pe_site_statistics()
{
    using site = pe_site_counters;
    std::vector<statistic<site>> all;
    all.push_back(counted({"invocations", "<stage>", "threads",
                           "threads launched; a vertex that several primitives of a batch share counts once per batch"},
                          &site::invocations)
                      .of_each(figure_range::stage)
                      .in_database("warps.threads"));
    for (const auto& row : stall_rows)
        if (row.place == stall_place::pe)
            all.push_back(counted_stall({"stalls", row.name, "cycles", row.description}, &site::stalls, row.reason)
                              .in_database(std::string("waits.") + row.name));
    all.push_back(
        peak_level({"occupancy", "isbe_lines_peak", "128-byte lines", "most ISBE lines allocated at any one time"},
                   &site::lines)
            .in_database("spaces.lines"));
    all.push_back(mean_level({"occupancy", "isbe_lines_mean", "128-byte lines",
                              "ISBE lines allocated, averaged over the cycles of the draw"},
                             &site::lines)
                      .in_series("isbe_lines")
                      .in_database("spaces.lines"));
    all.push_back(distribution({"histograms", "isbe_lines", "cycles", "by allocated lines of an ISBE"}, &site::lines)
                      .needs(measured_by::sm_cycles));
    return all;
}

} // namespace isbesim
