// SPDX-License-Identifier: Apache-2.0
// `isbesim run FILE.capture [--frame N]`: draws of a capture.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "testbench/arguments/command_arguments.h"
#include "testbench/gl/frame/draw_sequence.h"

namespace isbesim::testbench {

/// Runs the draws of --frame, or all, each in a separate process with the options of `words`, `jobs` at a time. Results
/// of a draw are in draws/NNNN; report.json, draws.csv and frame.html are about all draws. `on`: the machine that runs
/// all draws in a row. Returns the worst exit status. Throws input_error.
int run_captured_sequence(const std::string& file, const command_arguments& arguments, const gl::sequence_machine& on,
                          const std::vector<std::string>& words, unsigned jobs, std::ostream& out, std::ostream& err);

} // namespace isbesim::testbench
