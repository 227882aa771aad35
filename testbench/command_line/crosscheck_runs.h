// SPDX-License-Identifier: Apache-2.0
// `isbesim crosscheck --runs N`: runs the cross-check with several seeds in parallel.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include <boost/program_options.hpp>

#include "testbench/crosscheck/traffic/coverage.h"

namespace isbesim::testbench {

class command_arguments;

/// Adds --runs and --jobs.
void add_run_options(boost::program_options::options_description& options);

/// For --runs: runs the cross-check of `words` with the seeds S, S + 1, ..., each in a separate process. Results of a
/// seed are in seeds/S of the folder, report.json has the hits of all runs, seeds.csv a line per run. `bins` must have
/// no hits yet. Returns the worst exit status. Throws input_error.
int run_seeds(const command_arguments& arguments, const std::vector<std::string>& words, coverage& bins,
              std::ostream& out, std::ostream& err);

} // namespace isbesim::testbench
