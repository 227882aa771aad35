// SPDX-License-Identifier: Apache-2.0
// The machine of a card from what isbesim_measure found on it (testbench/measure).
#pragma once

#include <iosfwd>
#include <string>

#include "testbench/arguments/command_arguments.h"

namespace isbesim::testbench {

/// Whether isbesim_measure has written the file.
bool is_card_measurement(const std::string& path);

/// Runs the same tests on machines: the chip's of `arguments` with the keys that explain the measurement. Exit
/// status check_failed where a test takes other cycles there, or nothing was measured. Throws input_error.
int calibrate_card(const std::string& path, const command_arguments& arguments, std::ostream& out, std::ostream& err);

} // namespace isbesim::testbench
