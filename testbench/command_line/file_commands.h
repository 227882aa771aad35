// SPDX-License-Identifier: Apache-2.0
// The subcommands that only look at files: disasm, asm, layout.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include <boost/program_options.hpp>

#include "models/isa/program.h"

namespace isbesim::testbench {

class command_arguments;

/// What --arch says. Throws input_error where it is missing or no architecture.
isa::architecture architecture_of(const command_arguments& arguments);

boost::program_options::options_description disasm_options();
int run_disasm(const std::vector<std::string>& words, std::ostream& out, std::ostream& err);

boost::program_options::options_description asm_options();
int run_asm(const std::vector<std::string>& words, std::ostream& out, std::ostream& err);

boost::program_options::options_description layout_options();
int run_layout(const std::vector<std::string>& words, std::ostream& out, std::ostream& err);

} // namespace isbesim::testbench
