// SPDX-License-Identifier: Apache-2.0
// JSON Schema of a machine file, from the table of its keys.
#pragma once

#include <boost/json/object.hpp>

namespace isbesim::testbench {

struct config_key;

boost::json::object machine_schema();

/// Schema of a key of a machine: its value, or an object with the value and its source.
boost::json::object machine_key_schema(const config_key& key);

} // namespace isbesim::testbench
