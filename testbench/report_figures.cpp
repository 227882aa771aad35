#include "testbench/report_figures.h"

#include <cstdio>

#include <sys/resource.h>

namespace isbesim::testbench {

namespace json = boost::json;

double ratio(double part, double whole, double otherwise)
{
    return whole > 0 ? part / whole : otherwise;
}

json::object latency_json(const latency_histogram& latency)
{
    return {{"count", latency.count()},      {"min", latency.min()},          {"mean", latency.mean()},
            {"p50", latency.percentile(50)}, {"p90", latency.percentile(90)}, {"p99", latency.percentile(99)},
            {"max", latency.max()}};
}

json::object bandwidth_json(const isbe_counters& isbe, std::uint64_t cycles, double peak)
{
    const auto direction = [&](std::uint64_t bytes) {
        const double rate = ratio(static_cast<double>(bytes), static_cast<double>(cycles));
        return json::object{{"bytes", bytes}, {"bytes_per_cycle", rate}, {"peak_fraction", ratio(rate, peak)}};
    };
    return {{"read", direction(isbe.bytes_read)}, {"write", direction(isbe.bytes_written)}};
}

json::object conflicts_json(const isbe_counters& isbe)
{
    return {{"accesses", isbe.accesses},
            {"passes", isbe.passes},
            {"ideal_passes", isbe.ideal_passes},
            {"efficiency", ratio(static_cast<double>(isbe.ideal_passes), static_cast<double>(isbe.passes), 1.0)}};
}

json::object discarded_json(const isbe_counters& isbe)
{
    return {{"bmap", isbe.discarded_bmap},
            {"out_of_range", isbe.discarded_out_of_range},
            {"patch_conflict", isbe.discarded_patch_conflict},
            {"gs_overflow", isbe.discarded_gs_overflow}};
}

json::object host_json(std::uint64_t operations, double wall_s)
{
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return {{"wall_s", wall_s},
            {"transactions_per_s", ratio(static_cast<double>(operations), wall_s)},
            {"peak_memory_mb", static_cast<double>(usage.ru_maxrss) / 1024.0}};
}

const char* const conflicts_cover =
    "Operations that touched the storage, the cycles they held its banks, and the cycles they would have held them "
    "without conflicts; efficiency = ideal / passes. Operations that do not touch it (BIND, AL2P, OUT, accesses "
    "without "
    "a word in range) hold the pass engine too, but not the banks: they are not here.";

const char* const discarded_cover =
    "bmap, out_of_range, gs_overflow: stored words (gs_overflow also OUT tokens) that were dropped; patch_conflict: "
    "lanes that lost bytes to another lane of the same operation.";

const char* const host_covers =
    "wall_s: from the end of reading the input until all results but these reports are on disk: building the machine, "
    "simulating, comparing, vertices.csv, --record, --wave, --database and --timeline. transactions_per_s: operations "
    "of all ISBE ports in that time. peak_memory_mb: of the process. These figures differ from run to run.";

std::string bandwidth_covers(double peak)
{
    char text[400];
    std::snprintf(
        text, sizeof text,
        "Bytes that lanes read from or wrote to the storage, all clients, over all cycles; peak_fraction is of "
        "%g bytes per cycle and ISBE, one conflict-free pass a cycle. Lanes that read the same word count "
        "each, and loosely timed ports do not wait for each other: both can bring it above 1.",
        peak);
    return text;
}

json::object crosscheck_json(const lockstep_totals& totals)
{
    return {{"transactions", totals.transactions},
            {"data_mismatches", totals.data_mismatches},
            {"cycle_mismatches", totals.cycle_mismatches},
            {"max_cycle_error", totals.max_cycle_error}};
}

} // namespace isbesim::testbench
