// SPDX-License-Identifier: Apache-2.0
// Builds report.json's object for traffic into a lone ISBE: replay, crosscheck, traffic.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <boost/json/object.hpp>

#include "testbench/crosscheck/traffic/coverage.h"
#include "testbench/crosscheck/traffic_run.h"
#include "testbench/report/proxies.h"

namespace isbesim::testbench {

/// Contents of the report besides the counters.
struct traffic_facts {
    std::string command;
    std::string source; ///< the trace, or the generator of the traffic
    std::uint64_t seed = 0;
    std::uint64_t transactions = 0; ///< expected number; 0: unknown
    bool data_only = false;         ///< the cross-check of data and status, in any cycles
    bool replayed = false;
    bool open_loop = false; ///< replays only
    /// Replays only: keys of the machine that differ from the recording.
    std::vector<std::string> changed = {};
    bool loosely_recorded = false; ///< replays only: the cycles of the recording are estimates
    boost::json::object origin{};  ///< origin_json()
};

/// "open loop", "closed loop".
const char* loop_name(const traffic_facts& facts);

/// The end of the run, as a word and as a text.
struct traffic_verdict {
    std::string status = "done";
    std::string text;
};
traffic_verdict verdict_of(const traffic_facts& facts, const traffic_outcome& outcome);

/// `coverage` of a report: the number of bins, the number of hit bins, and the hits of each; conditions likewise.
boost::json::object coverage_json(const coverage& bins);

/// Without `host`. `bins` null: no coverage. `series`: run_series's, may be empty.
boost::json::object make_report(const machine_config& config, const traffic_facts& facts, const std::string& backend,
                                const traffic_outcome& outcome, const coverage* bins, const traffic_verdict& result,
                                const coefficient_table& coefficients, boost::json::object series);

} // namespace isbesim::testbench
