// SPDX-License-Identifier: Apache-2.0
// `isbesim serve`: one process for many runs, each in a copy of it.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include <boost/program_options.hpp>

namespace isbesim::testbench {

boost::program_options::options_description serve_options();
int run_serve(const std::vector<std::string>& words, std::ostream& out, std::ostream& err);

} // namespace isbesim::testbench
