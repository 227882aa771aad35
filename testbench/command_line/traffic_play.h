// SPDX-License-Identifier: Apache-2.0
// The common part of crosscheck and replay: traffic into a lone ISBE, its report and summary.
#pragma once

#include <functional>
#include <iosfwd>
#include <string>
#include <vector>

#include "testbench/arguments/command_arguments.h"
#include "testbench/crosscheck/traces/trace_recorder.h"
#include "testbench/crosscheck/traffic/coverage.h"
#include "testbench/crosscheck/traffic_run.h"
#include "testbench/report/traffic_report.h"

namespace isbesim::testbench {

struct traffic_play {
    const command_arguments& arguments;
    const std::vector<std::string>& words; ///< of the command
    const machine_config& config;
    const traffic_facts& facts;
    std::function<traffic_outcome(const traffic_request&)> run;
    trace_recorder* recorder = nullptr; ///< records the traffic; may be null
    coverage* bins = nullptr;           ///< may be null
};

/// `out`: the files in --out.
void add_play_options(boost::program_options::options_description& options, const char* out);

/// Completes the request, runs it, writes the report and prints the summary. Returns the exit status.
int play_traffic(const traffic_play& play, traffic_request& request, std::ostream& out, std::ostream& err);

/// Prints the counts of a comparison.
void print_totals(const lockstep_totals& totals, std::ostream& out);

/// Prints the bins and conditions that were hit, and the first missed ones; `corners`: those, too, and all by section
/// of the micro-architecture page.
void print_coverage(const coverage& bins, std::ostream& out, bool corners = false);

/// True, with a message on `err`, if --require-coverage or --require-conditions is not met.
bool misses_required(const command_arguments& arguments, const coverage& bins, std::ostream& err);

} // namespace isbesim::testbench
