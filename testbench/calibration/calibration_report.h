// SPDX-License-Identifier: Apache-2.0
// The result of a calibration, for people and for programs.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include <boost/json.hpp>

#include "testbench/calibration/calibration.h"

namespace isbesim::testbench {

/// The keys with their values and all values that explain as much, the remaining error by opcode and port, and the
/// first unexplained operations. `input`: the file; `base`: the machine that differences are relative to.
boost::json::object calibration_json(const std::string& input, const observed_traffic& traffic,
                                     const calibration_result& result, const machine_config& base);

/// Prints rows of cells, the first with the columns' headings, and an empty line.
void print_table(std::ostream& out, const std::vector<std::vector<std::string>>& rows);

/// Prints the report of calibration_json().
void print_calibration(std::ostream& out, const boost::json::object& report);

/// Turns a key's value in a machine file into an object with the value and its source.
void put_source(boost::json::value& value, const std::string& source);

/// A file for --config: the ISBE that was found, with keys that change no cycle from `base`. Undetermined keys have a
/// `source` with the reason.
boost::json::object calibrated_machine(const std::string& input, const calibration_result& result,
                                       const machine_config& base);

} // namespace isbesim::testbench
