// SPDX-License-Identifier: Apache-2.0
// `isbesim crosscheck --runs N`: the same with other seeds, as many at a time as one likes.
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

/// --runs was given: crosscheck with the seeds S, S + 1, ... of `words`, each in a process of its own: its results are
/// in seeds/S of the folder, report.json has what all hit together, seeds.csv a line for each. `bins` has no hits yet.
/// Returns the worst exit status. Throws input_error.
int run_seeds(const command_arguments& arguments, const std::vector<std::string>& words, coverage& bins,
              std::ostream& out, std::ostream& err);

} // namespace isbesim::testbench
