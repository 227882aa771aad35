#include "testbench/report_figures.h"

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

json::object crosscheck_json(const lockstep_totals& totals)
{
    return {{"transactions", totals.transactions},
            {"data_mismatches", totals.data_mismatches},
            {"cycle_mismatches", totals.cycle_mismatches},
            {"max_cycle_error", totals.max_cycle_error}};
}

} // namespace isbesim::testbench
