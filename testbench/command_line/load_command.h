// SPDX-License-Identifier: Apache-2.0
// `isbesim traffic`: made traffic straight into an ISBE, at one load or at all of them up to saturation.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include <boost/program_options.hpp>

namespace isbesim::testbench {

boost::program_options::options_description load_options();
int run_load(const std::vector<std::string>& words, std::ostream& out, std::ostream& err);

} // namespace isbesim::testbench
