// SPDX-License-Identifier: Apache-2.0
// Numbers of a report.
#pragma once

#include <boost/json/value.hpp>

namespace isbesim::testbench {

/// The value of any kind of number; throws for other values.
inline double number(const boost::json::value& value)
{
    return value.to_number<double>();
}

} // namespace isbesim::testbench
