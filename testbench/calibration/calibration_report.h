// SPDX-License-Identifier: Apache-2.0
// What a calibration found, for people and for programs.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include <boost/json.hpp>

#include "testbench/calibration/calibration.h"

namespace isbesim::testbench {

/// The keys with their values and those that explain as much, the remaining error by opcode and port, the first
/// operations that are not explained. `input` is the file, `base` the machine that differences are counted from.
boost::json::object calibration_json(const std::string& input, const observed_traffic& traffic,
                                     const calibration_result& result, const machine_config& base);

/// Rows of cells, the first of them the heads of the columns, and an empty line.
void print_table(std::ostream& out, const std::vector<std::vector<std::string>>& rows);

/// The same as text.
void print_calibration(std::ostream& out, const boost::json::object& report);

/// Makes a key's value in a machine file an object that says where the value is from.
void put_source(boost::json::value& value, const std::string& source);

/// A file for --config: the ISBE that was found, keys that change no cycle as in `base`. Undetermined
/// keys have a `source` with the reason.
boost::json::object calibrated_machine(const std::string& input, const calibration_result& result,
                                       const machine_config& base);

} // namespace isbesim::testbench
