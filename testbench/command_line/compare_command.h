// SPDX-License-Identifier: Apache-2.0
// isbesim compare: results of the same draw side by side.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include <boost/program_options.hpp>

#include "testbench/compare/comparison.h"

namespace isbesim::testbench {

/// "2", "2%", "2.5%". Throws input_error.
cycle_limit read_cycle_limit(const std::string& text, const source_place& place);

boost::program_options::options_description compare_options();
int run_compare(const std::vector<std::string>& words, std::ostream& out, std::ostream& err);

} // namespace isbesim::testbench
