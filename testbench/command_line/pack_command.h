// SPDX-License-Identifier: Apache-2.0
// `isbesim pack`: varying declarations to addresses, headers, access sequences and scenarios.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include <boost/program_options.hpp>

namespace isbesim::testbench {

boost::program_options::options_description pack_options();
int run_pack(const std::vector<std::string>& words, std::ostream& out, std::ostream& err);

} // namespace isbesim::testbench
