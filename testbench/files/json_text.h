// SPDX-License-Identifier: Apache-2.0
// JSON for files that people also read: indented, with the shortest numbers. (Boost.JSON writes a single line and
// prints 0.5 as 5E-1.)
#pragma once

#include <cstddef>
#include <string>

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

namespace isbesim::testbench {

/// Objects and arrays that fit in `width` columns stay on one line.
std::string json_text(const boost::json::value& value, std::size_t width = 100);
/// The same without a copy of the object.
std::string json_text(const boost::json::object& object, std::size_t width = 100);

/// Shortest decimal that reads back as the same double; 0 for infinities and NaN.
std::string number_text(double value);

} // namespace isbesim::testbench
