// SPDX-License-Identifier: Apache-2.0
// The cross-check in many runs: seeds that follow each other, or the plan of phases (phases.h).
#pragma once

#include <iosfwd>
#include <string>

#include <boost/json/object.hpp>
#include <boost/program_options/options_description.hpp>

#include "testbench/arguments/command_arguments.h"
#include "testbench/command_line/commands_at_once.h"
#include "testbench/crosscheck/phases.h"
#include "testbench/crosscheck/traffic/coverage.h"
#include "testbench/system/config.h"

namespace isbesim::testbench {

struct crosscheck_job {
    const command_arguments& arguments;
    const command_words& words;
    const machine_config& config;
    const machine_programs& programs;
    const std::string& backend;
    coverage& bins; ///< without hits yet

    boost::json::object origin() const;
};

/// Adds --runs, --seconds and --jobs.
void add_run_options(boost::program_options::options_description& options);

/// Both return the worst exit status, and throw input_error.
///
/// For --runs: the seeds S, S + 1, ... Results of a seed are in seeds/S of the folder, report.json has the hits of all
/// runs, seeds.csv a line per run.
int run_seeds(const crosscheck_job& job, std::ostream& out, std::ostream& err);
/// Without --transactions and other options of one run: all phases, then the configurations, until one of them fails.
/// The report is that of the first random phase or of the failed run, with the comparison and coverage of all.
int run_plan(const crosscheck_job& job, std::ostream& out, std::ostream& err);

/// `transactions` of the phase's traffic. Returns the exit status. Throws input_error.
int run_phase(const crosscheck_job& job, const phase& planned, std::uint64_t transactions, std::ostream& out,
              std::ostream& err);

} // namespace isbesim::testbench
