// SPDX-License-Identifier: Apache-2.0
// isbesim compile: GLSL in, a scenario folder out.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include <boost/program_options.hpp>

namespace isbesim::testbench {

boost::program_options::options_description compile_options();
int run_compile(const std::vector<std::string>& words, std::ostream& out, std::ostream& err);

} // namespace isbesim::testbench
