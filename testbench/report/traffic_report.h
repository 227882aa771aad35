// SPDX-License-Identifier: Apache-2.0
// report.json's object of traffic that goes straight into an ISBE: replay, crosscheck, traffic.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <boost/json/object.hpp>

#include "testbench/crosscheck/traffic/coverage.h"
#include "testbench/crosscheck/traffic_run.h"
#include "testbench/report/proxies.h"

namespace isbesim::testbench {

/// What the report says beside the counters.
struct traffic_facts {
    std::string command;
    std::string source; ///< the trace, or what made the traffic
    std::uint64_t seed = 0;
    std::uint64_t transactions = 0; ///< expected number; 0: unknown
    bool replayed = false;
    bool open_loop = false; ///< of a replay
    /// Of a replay: keys of the machine that are not as they were recorded.
    std::vector<std::string> changed = {};
};

/// "open loop", "closed loop".
const char* loop_name(const traffic_facts& facts);

/// How it ended, in a word and in words.
struct traffic_verdict {
    std::string status = "done";
    std::string text;
};
traffic_verdict verdict_of(const traffic_facts& facts, const traffic_outcome& outcome);

/// `coverage` of a report: how many bins there are, how many are hit, and how often each; the same of the conditions.
boost::json::object coverage_json(const coverage& bins);

/// Without `host`. `bins` null: no coverage. `series`: run_series's, may be empty.
boost::json::object make_report(const machine_config& config, const traffic_facts& facts, const std::string& backend,
                                const traffic_outcome& outcome, const coverage* bins, const traffic_verdict& result,
                                const coefficient_table& coefficients, boost::json::object series);

} // namespace isbesim::testbench
