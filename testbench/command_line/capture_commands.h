// SPDX-License-Identifier: Apache-2.0
// Captures on the command line: their contents, and the choice of draws to run.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "models/machine_config.h"
#include "testbench/arguments/command_arguments.h"
#include "testbench/scenario/scenario.h"
#include "testbench/system/config.h"

namespace isbesim::testbench {

struct run_request;

/// The draw of a capture that --draw names, or its only one. Throws input_error.
scenario load_captured_draw(const run_request& request);

/// Sets the machine of the capture's chip unless --config is given.
machine_programs use_machine_of_capture(const std::string& file, const command_arguments& arguments,
                                        machine_config& config);

/// True if `run` runs several draws: the file is a capture, and neither an option nor its size selects one draw.
bool is_captured_sequence(const run_request& request);

/// Runs the draws of --frame, or all, each in a separate process with the options of `words`; then all draws in a row
/// on one machine. Results of a draw are in draws/NNNN; report.json, draws.csv and frame.html cover all draws.
/// Returns the worst exit status. Throws input_error.
int run_captured_sequence(const run_request& request, const std::vector<std::string>& words, std::ostream& out,
                          std::ostream& err);

} // namespace isbesim::testbench
