// SPDX-License-Identifier: Apache-2.0
// The subcommands that drive the ISBE without SM and PE: crosscheck (random traffic) and replay (a recorded trace).
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include <boost/program_options.hpp>

namespace isbesim::testbench {

boost::program_options::options_description crosscheck_options();
int run_crosscheck(const std::vector<std::string>& words, std::ostream& out, std::ostream& err);

boost::program_options::options_description replay_options();
int run_replay(const std::vector<std::string>& words, std::ostream& out, std::ostream& err);

} // namespace isbesim::testbench
