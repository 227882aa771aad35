// SPDX-License-Identifier: Apache-2.0
// JSON Schema of a machine file, from the table of its keys.
#pragma once

#include <boost/json/object.hpp>

namespace isbesim::testbench {

boost::json::object machine_schema();

} // namespace isbesim::testbench
