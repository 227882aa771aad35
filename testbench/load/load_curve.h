// SPDX-License-Identifier: Apache-2.0
// Measures latency over accepted bandwidth: the same traffic at growing rates, up to saturation.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <vector>

#include <boost/json/object.hpp>

#include "testbench/load/load_site.h"

namespace isbesim::testbench {

/// Figures of one load level. Rates are per cycle, latencies in cycles from arrival to response.
struct load_figures {
    double load = 0;    ///< offered, as a share of the accepted rate at saturation; 0: not measured
    double offered = 0; ///< operations; 0: closed loop
    double accepted = 0;
    double bytes_per_cycle = 0;
    double in_block = 0; ///< operations requested at a port and without response, mean
    std::optional<double>
        in_flight; ///< those that wait in front of a port, too; without a mean if it grows (saturated)
    double mean = 0;
    std::uint64_t p50 = 0;
    std::uint64_t p99 = 0;
    std::uint64_t max = 0;
    std::optional<double> expected_mean; ///< at the accepted rate, where a closed form applies
    bool saturated = false;              ///< less was accepted than offered: latencies keep growing
};

struct load_curve {
    load_figures saturation; ///< closed loop, every queue full
    std::vector<load_figures> points;
    double unloaded = 0;            ///< mean latency at the smallest load
    std::optional<double> doubling; ///< accepted share of saturation at which the mean latency is twice that
};

/// Latency of an operation on an idle ISBE: accept, passes, the latency of its opcode (micro-architecture section 5).
std::optional<double> unloaded_latency(const isbe_config& config, const load_profile& profile, double passes);
/// Mean latency in an open loop with random arrivals at one port, by Pollaczek and Khinchine's formula (M/G/1; M/D/1 if
/// all operations take the same passes). Empty where it does not hold: bursts, regular arrivals, two ports, opcodes of
/// different latencies, queues that hold up operations before the engine does.
std::optional<double> expected_latency(const isbe_config& config, const load_profile& profile, double rate,
                                       double passes, double square_passes);

load_figures figures_of(const load_site& site, const machine_config& config, const load_profile& profile,
                        const load_level& level);

/// Load levels of a curve, as shares of saturation.
std::vector<double> curve_loads(unsigned points);
/// Runs one site after the other: the first at saturation, the others at `loads`. There are loads + 1 sites.
load_curve run_curve(std::vector<std::unique_ptr<load_site>>& sites, const machine_config& config,
                     const load_profile& profile, const std::vector<double>& loads);

boost::json::object load_json(const load_site& site, const load_figures& figures, const load_level& level);
boost::json::object curve_json(const load_curve& curve);
void write_curve_csv(std::ostream& out, const load_curve& curve);

} // namespace isbesim::testbench
