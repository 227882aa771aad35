// SPDX-License-Identifier: Apache-2.0
// The runs of a cross-check in processes of their own, and their sums.
#pragma once

#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include "testbench/command_line/commands_at_once.h"
#include "testbench/crosscheck/traffic/coverage.h"
#include "testbench/report/result_folder.h"

namespace isbesim::testbench {

/// One of several runs of the command.
struct planned_run {
    std::uint64_t seed = 0;
    std::string phase;         ///< of the plan; empty: the command's own
    std::string configuration; ///< named; empty: the command's machine
    std::string folder() const;
    command_words words() const;
};

/// Runs the cross-check of `words` several times, and adds up its reports.
class crosscheck_runs {
public:
    /// `bins` must have no hits yet. Throws input_error.
    crosscheck_runs(const command_arguments& arguments, const command_words& words, coverage& bins, std::ostream& err);

    /// Returns the worst exit status. `go_on`: of runs that have failed, too.
    int run(const std::vector<planned_run>& runs, std::ostream& out, bool go_on, const deadline& until = {});

    boost::json::object report_of(const planned_run& run) const;
    /// The command line of one of the runs.
    std::string command_of(const planned_run& run) const;
    const std::optional<planned_run>& last_failed() const { return last_failed_; }

    std::uint64_t operations = 0, cycles = 0, failed = 0;
    boost::json::object transactions; ///< by opcode
    boost::json::object crosscheck;   ///< the report's
    boost::json::array rows;          ///< a run each
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
