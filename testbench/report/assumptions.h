// SPDX-License-Identifier: Apache-2.0
// Names the keys that a report's conclusions rest on, and counts the assumed ones.
#pragma once

#include <string>

#include <boost/json/object.hpp>

#include "testbench/system/config.h"

namespace isbesim::testbench {

/// "This answer depends on 7 machine keys: 4 assumed, not measured (isbe.banks, ...); 1 set by hand (...)." about the
/// keys in the report's sentences and behind the largest parts of the critical path. Empty if the report has no such
/// sentence. `report`: without estimates.
std::string assumptions_text(const boost::json::object& report, const key_sources& sources);

} // namespace isbesim::testbench
