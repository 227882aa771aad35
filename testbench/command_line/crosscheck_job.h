// SPDX-License-Identifier: Apache-2.0
// The job of `isbesim crosscheck`: one run of a phase, runs with consecutive seeds, or the plan of phases (phases.h).
#pragma once

#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/program_options/options_description.hpp>

#include "testbench/arguments/command_arguments.h"
#include "testbench/command_line/commands_at_once.h"
#include "testbench/crosscheck/phases.h"
#include "testbench/crosscheck/traffic/coverage.h"
#include "testbench/report/result_folder.h"
#include "testbench/system/config.h"

namespace isbesim::testbench {

/// Values of the command's own options.
struct crosscheck_choices {
    std::string isbe = "lockstep", phase_name = usual_phase, rtl, record;
    std::uint64_t seed = 1;
    std::optional<std::uint64_t> transactions, runs, seconds;
    bool data_only = false, list_conditions = false;

    boost::program_options::options_description options();
};

struct crosscheck_job : crosscheck_choices {
    /// Throws input_error.
    explicit crosscheck_job(const command_words& own_words);

    command_words words;
    command_arguments arguments;
    machine_config config;
    machine_programs programs;
    const phase* planned = nullptr; ///< the phase of a single run; null if a list is wanted

    boost::json::object origin() const;
};

// These return the worst exit status, and throw input_error. `bins` have no hits yet.

/// For --runs: the seeds S, S + 1, ... Results of a seed are in seeds/S of the folder, report.json has the hits of all
/// runs, seeds.csv a line per run.
int run_seeds(const crosscheck_job& job, coverage& bins, std::ostream& out, std::ostream& err);
/// Without --transactions and other options of one run: all phases, then the configurations, until one of them fails.
/// The report is that of the first random phase or of the failed run, with the comparison and coverage of all.
int run_plan(const crosscheck_job& job, coverage& bins, std::ostream& out, std::ostream& err);
/// One run of the phase.
int run_phase(const crosscheck_job& job, coverage& bins, std::ostream& out, std::ostream& err);

/// One of several runs of the command.
struct planned_run {
    std::uint64_t seed = 0;
    std::string phase;         ///< of the plan; empty: the command's own
    std::string configuration; ///< named; empty: the command's machine
    std::string folder() const;
    command_words words() const;
};

/// Runs the cross-check several times, and adds up its reports.
class crosscheck_runs {
public:
    /// Throws input_error.
    crosscheck_runs(const crosscheck_job& job, coverage& bins, std::ostream& err);

    /// Returns the worst exit status. `go_on`: a failed run does not stop the others.
    int run(const std::vector<planned_run>& runs, std::ostream& out, bool go_on, const deadline& until = {});

    boost::json::object report_of(const planned_run& run) const;
    /// The command line of one of the runs.
    std::string command_of(const planned_run& run) const;
    const std::optional<planned_run>& last_failed() const { return last_failed_; }

    std::uint64_t operations = 0, cycles = 0, failed = 0;
    boost::json::object transactions; ///< by opcode
    boost::json::object crosscheck;   ///< the report's
    boost::json::array rows;          ///< one for each run
    result_folder folder;

private:
    void add(const planned_run& run, int status, const boost::json::object& report);

    const command_arguments& arguments_;
    command_words kept_;
    coverage& bins_;
    std::ostream& err_;
    std::optional<planned_run> last_failed_;
};

} // namespace isbesim::testbench
