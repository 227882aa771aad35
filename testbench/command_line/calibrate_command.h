// SPDX-License-Identifier: Apache-2.0
// isbesim calibrate: the machine that explains a block's observed traffic.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include <boost/program_options.hpp>

namespace isbesim::testbench {

boost::program_options::options_description calibrate_options();
int run_calibrate(const std::vector<std::string>& words, std::ostream& out, std::ostream& err);

} // namespace isbesim::testbench
