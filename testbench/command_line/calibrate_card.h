// SPDX-License-Identifier: Apache-2.0
// Finds the machine of a card from the figures of isbesim_measure (testbench/measure).
#pragma once

#include <iosfwd>
#include <string>

#include "testbench/arguments/command_arguments.h"

namespace isbesim::testbench {

/// True if isbesim_measure has written the file.
bool is_card_measurement(const std::string& path);

/// Runs the same tests on variants of the chip's machine in `arguments` to find the keys that explain the measurement.
/// Exit status check_failed if a test takes other cycles there, or nothing was measured. Throws input_error.
int calibrate_card(const std::string& path, const command_arguments& arguments, std::ostream& out, std::ostream& err);

} // namespace isbesim::testbench
