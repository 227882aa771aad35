// SPDX-License-Identifier: Apache-2.0
#include "models/sm/sm_counters.h"

#include "models/statistics/statistic.h"

namespace isbesim {

namespace {

using list = std::vector<statistic<sm_counters>>;

void add_latencies(list& all)
{
    using histogram = latency_histogram;
    const auto add = [&](const char* path, const char* unit, const char* description, merge_rule merge, auto shape,
                         preference better = preference::lower) {
        all.push_back(shaped({"latency", path, unit, description}, merge, &sm_counters::latency,
                             [shape](const histogram& h, const figure_scope&) -> figure_value { return shape(h); })
                          .preferred(better)
                          .of_each(figure_range::opcode)
                          .in_database("latencies.cycles"));
        // Without an instruction there is no latency; 0 would be a short one.
        if (merge != merge_rule::sum)
            all.back().shown = [](const sm_counters& counters, unsigned i) { return counters.latency[i].count() != 0; };
    };
    add(
        "<opcode>.count", "warp instructions",
        "instructions with an active lane and without a trap, whose latency is known; in replay and crosscheck, "
        "operations at the port",
        merge_rule::sum, [](const histogram& h) { return h.count(); }, preference::none);
    add("<opcode>.min", "cycles",
        "shortest time from issue at the SM to write-back, for stores to the ISBE's response; in replay and "
        "crosscheck, "
        "from the request's appearance at the port to its response",
        merge_rule::minimum, [](const histogram& h) { return h.min(); });
    add("<opcode>.mean", "cycles", "mean of these times", merge_rule::weighted_mean,
        [](const histogram& h) { return h.mean(); });
    add("<opcode>.p50", "cycles", "median of these times; the maximum if it exceeds 65535", merge_rule::distribution,
        [](const histogram& h) { return h.percentile(50); });
    add("<opcode>.p90", "cycles", "90 % of the times are not above it", merge_rule::distribution,
        [](const histogram& h) { return h.percentile(90); });
    add("<opcode>.p99", "cycles", "99 % of the times are not above it", merge_rule::distribution,
        [](const histogram& h) { return h.percentile(99); });
    add("<opcode>.max", "cycles", "longest time", merge_rule::maximum, [](const histogram& h) { return h.max(); });
}

void add_histograms(list& all)
{
    all.push_back(distribution({"histograms", "latency.<opcode>", "warp instructions",
                                "by latency in cycles: first and last latency of a bin, and their number"},
                               &sm_counters::latency)
                      .of_each(figure_range::opcode));
    all.push_back(distribution({"histograms", "attribute_queue", "cycles", "by operations in the SM's attribute queue"},
                               &sm_counters::attribute_queue)
                      .needs(measured_by::sm_cycles));
    all.push_back(distribution({"histograms", "warps", "cycles", "by resident warps of an SM"}, &sm_counters::warps)
                      .needs(measured_by::sm_cycles));
}

} // namespace

void sm_counters::add_trap(const trap_record& trap)
{
    ++trap_count;
    if (traps.size() < trap_limit) traps.push_back(trap);
}

std::vector<statistic<sm_counters>> sm_statistics()
{
    list all;
    all.push_back(counted({"instructions", "<opcode>", "warp instructions",
                           "issued instructions of the attribute path, without the OUT that EXIT implies"},
                          &sm_counters::instructions)
                      .of_each(figure_range::opcode)
                      .in_database("warps.<opcode>"));
    all.push_back(counted({"instructions", "other", "warp instructions", "all other issued instructions"},
                          &sm_counters::instructions_other)
                      .in_database("warps.other"));
    add_latencies(all);
    for (const auto& row : stall_rows) {
        if (row.place != stall_place::scheduler) continue;
        all.push_back(counted_stall({"stalls", row.name, "cycles", row.description}, &sm_counters::stalls, row.reason)
                          .needs(measured_by::sm_cycles)
                          .in_series(std::string("stalls.") + row.name)
                          .in_database("stalls.cycles"));
        all.back().timeline = "a scheduler's stalls";
    }
    all.push_back(
        mean_level({"occupancy", "warps_mean", "warps", "mean number of resident warps over the cycles of the draw"},
                   &sm_counters::warps)
            .preferred(preference::higher)
            .in_series("warps")
            .in_database("warps.launched"));
    all.push_back(
        peak_level({"occupancy", "warps_peak", "warps", "largest number of resident warps"}, &sm_counters::warps)
            .in_database("warps.launch_order"));
    add_histograms(all);
    all.push_back(
        counted({"", "trap_count", "warp instructions", "instructions that raised an error"}, &sm_counters::trap_count)
            .in_database("traps.id"));
    return all;
}

} // namespace isbesim
