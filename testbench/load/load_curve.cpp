// SPDX-License-Identifier: Apache-2.0
#include "testbench/load/load_curve.h"

#include <algorithm>
#include <ostream>

#include "models/isbe/execution/isbe_core.h"
#include "models/isbe/functional/passes.h"

namespace isbesim::testbench {

namespace json = boost::json;

namespace {

/// Latency after the last pass, if all opcodes of the mix share it.
std::optional<unsigned> common_latency(const isbe_config& config, const load_profile& profile)
{
    std::optional<unsigned> common;
    for (unsigned i = 0; i < opcode_count; ++i) {
        if (profile.mix[i] <= 0) continue;
        const auto latency = response_latency(config, static_cast<opcode>(i));
        if (common && *common != latency) return std::nullopt;
        common = latency;
    }
    return common;
}

json::object point_json(const load_figures& point)
{
    json::object result = {{"load", point.load},
                           {"offered", point.offered},
                           {"accepted", point.accepted},
                           {"bytes_per_cycle", point.bytes_per_cycle},
                           {"mean", point.mean},
                           {"p50", point.p50},
                           {"p99", point.p99},
                           {"max", point.max},
                           {"saturated", point.saturated}};
    if (point.expected_mean) result["expected_mean"] = *point.expected_mean;
    return result;
}

/// The load at which the mean latency first is twice the unloaded one, interpolated between two points by their
/// accepted loads, since chance may offer more or less than requested. The mean of a saturated point keeps growing and
/// can't be interpolated: before it, waits grow as load / (1 - load).
std::optional<double> doubling_load(const load_curve& curve)
{
    const double doubled = 2 * curve.unloaded;
    const auto load_of = [&](const load_figures& point) { return point.accepted / curve.saturation.accepted; };
    const load_figures* before = nullptr;
    for (const auto& point : curve.points) {
        if (point.mean >= doubled) {
            if (before == nullptr) return std::nullopt;
            if (point.saturated) {
                const double slope = (before->mean - curve.unloaded) * (1 - load_of(*before)) / load_of(*before);
                return curve.unloaded / (curve.unloaded + std::max(0.0, slope));
            }
            const double part = (doubled - before->mean) / (point.mean - before->mean);
            return load_of(*before) + part * (load_of(point) - load_of(*before));
        }
        before = &point;
    }
    return std::nullopt;
}

} // namespace

std::optional<double> unloaded_latency(const isbe_config& config, const load_profile& profile, double passes)
{
    const auto latency = common_latency(config, profile);
    if (!latency) return std::nullopt;
    return 1 + passes + *latency;
}

std::optional<double> expected_latency(const isbe_config& config, const load_profile& profile, double rate,
                                       double passes, double square_passes)
{
    const auto alone = unloaded_latency(config, profile, passes);
    const double busy = rate * passes;
    const bool one_port = profile.second_port <= 0 || profile.second_port >= 1;
    // The operations in flight between grant and response.
    const double in_flight = alone ? 1 + *alone / std::max(1.0, passes) : 0;
    if (!alone || !one_port || !profile.poisson || profile.burst != 1 || busy >= 1) return std::nullopt;
    if (config.request_queue_depth < 2 || config.response_queue_depth < in_flight) return std::nullopt;
    return *alone + rate * square_passes / (2 * (1 - busy));
}

load_figures figures_of(const load_site& site, const machine_config& config, const load_profile& profile,
                        const load_level& level)
{
    constexpr double all_but_ends = 0.97;
    const auto& meter = site.meter();
    load_figures result;
    result.offered = level.rate;
    result.accepted = meter.accepted();
    result.bytes_per_cycle = meter.bytes_per_cycle();
    result.mean = meter.total().mean();
    result.p50 = meter.total().percentile(50);
    result.p99 = meter.total().percentile(99);
    result.max = meter.total().max();
    result.in_block = meter.in_block();
    result.in_flight = meter.in_flight();
    if (level.outstanding != 0) return result;
    result.saturated = meter.kept_up() < all_but_ends;
    if (result.saturated) result.in_flight.reset();
    // Close to saturation 1 % of the rate is a fifth of the wait: use the actual rate, not the requested one.
    if (!result.saturated)
        result.expected_mean =
            expected_latency(config.isbe, profile, result.accepted, meter.mean_passes(), meter.mean_square_passes());
    return result;
}

std::vector<double> curve_loads(unsigned points)
{
    std::vector<double> loads = {0.01};
    for (unsigned i = 1; i < points; ++i) loads.push_back(static_cast<double>(i) / points);
    for (const double late : {0.98, 1.1}) loads.push_back(late);
    return loads;
}

load_curve run_curve(std::vector<std::unique_ptr<load_site>>& sites, const machine_config& config,
                     const load_profile& profile, const std::vector<double>& loads)
{
    load_curve curve;
    const load_level all = {0, config.isbe.request_queue_depth + config.isbe.response_queue_depth + 2};
    sites.front()->run(all);
    curve.saturation = figures_of(*sites.front(), config, profile, all);
    for (std::size_t i = 0; i < loads.size(); ++i) {
        const load_level level = {loads[i] * curve.saturation.accepted, 0};
        sites[i + 1]->run(level);
        curve.points.push_back(figures_of(*sites[i + 1], config, profile, level));
        curve.points.back().load = loads[i];
    }
    curve.unloaded = curve.points.front().mean;
    curve.doubling = doubling_load(curve);
    return curve;
}

json::object load_json(const load_site& site, const load_figures& figures, const load_level& level)
{
    json::object load = {
        {"operations", site.meter().operations()},
        {"cycles", site.meter().cycles()},
        {"accepted", figures.accepted},
        {"bytes_per_cycle", figures.bytes_per_cycle},
        {"mean_passes", site.meter().mean_passes()},
        {"latency", {{"mean", figures.mean}, {"p50", figures.p50}, {"p99", figures.p99}, {"max", figures.max}}}};
    if (level.outstanding != 0) {
        load["outstanding"] = level.outstanding;
    } else {
        load["offered"] = level.rate;
        load["saturated"] = figures.saturated;
    }
    if (figures.in_flight) load["in_flight"] = *figures.in_flight;
    load["in_block"] = figures.in_block;
    if (figures.expected_mean) load["expected_mean"] = *figures.expected_mean;
    return load;
}

json::object curve_json(const load_curve& curve)
{
    json::array points;
    for (const auto& point : curve.points) points.push_back(point_json(point));
    json::object result = {
        {"unloaded", curve.unloaded},
        {"saturation",
         {{"accepted", curve.saturation.accepted}, {"bytes_per_cycle", curve.saturation.bytes_per_cycle}}},
        {"points", std::move(points)}};
    if (curve.doubling) result["doubling_load"] = *curve.doubling;
    return result;
}

void write_curve_csv(std::ostream& out, const load_curve& curve)
{
    out << "load,offered,accepted,bytes_per_cycle,mean,p50,p99,max,expected_mean,saturated\n";
    for (const auto& point : curve.points) {
        out << point.load << ',' << point.offered << ',' << point.accepted << ',' << point.bytes_per_cycle << ','
            << point.mean << ',' << point.p50 << ',' << point.p99 << ',' << point.max << ',';
        if (point.expected_mean) out << *point.expected_mean;
        out << ',' << (point.saturated ? "true" : "false") << '\n';
    }
}

} // namespace isbesim::testbench
