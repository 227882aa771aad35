// SPDX-License-Identifier: Apache-2.0
// Captures on the command line: their contents, and the choice of draws to run.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include <boost/program_options.hpp>

#include "models/machine_config.h"
#include "testbench/arguments/command_arguments.h"
#include "testbench/gl/frame/draw_sequence.h"
#include "testbench/scenario/scenario.h"
#include "testbench/system/config.h"

namespace isbesim::testbench {

/// --draw and --frame of `run`.
void add_capture_options(boost::program_options::options_description& options);

/// The draw of a capture that --draw names, or its only one. Throws input_error.
scenario load_captured_draw(const std::string& file, const command_arguments& arguments);

/// Sets the machine of the capture's chip unless --config is given.
machine_programs use_machine_of_capture(const std::string& file, const command_arguments& arguments,
                                        machine_config& config);

/// True if `run` runs several draws: the file is a capture, and neither an option nor its size selects one draw.
bool is_captured_sequence(const std::string& file, const command_arguments& arguments);

/// Runs the draws of --frame, or all, each in a separate process with the options of `words`, `jobs` at a time. Results
/// of a draw are in draws/NNNN; report.json, draws.csv and frame.html are about all draws. `on`: the machine that runs
/// all draws in a row. Returns the worst exit status. Throws input_error.
int run_captured_sequence(const std::string& file, const command_arguments& arguments, const gl::sequence_machine& on,
                          const std::vector<std::string>& words, unsigned jobs, std::ostream& out, std::ostream& err);

} // namespace isbesim::testbench
