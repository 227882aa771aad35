// SPDX-License-Identifier: Apache-2.0
// JSON Schema of a machine file, from the table of its keys.
#pragma once

#include <boost/json/object.hpp>

namespace isbesim::testbench {

struct config_key;

boost::json::object machine_schema();

/// One of a machine's keys: its value as JSON, and where an object with its source may stand for it.
boost::json::object machine_key_schema(const config_key& key);

} // namespace isbesim::testbench
