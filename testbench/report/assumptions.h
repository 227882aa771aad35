// SPDX-License-Identifier: Apache-2.0
// Which keys a report's conclusions rest on, and how many of them are assumed.
#pragma once

#include <string>

#include <boost/json/object.hpp>

#include "testbench/system/config.h"

namespace isbesim::testbench {

/// "It rests on 7 keys; assumed: 4 (isbe.banks, ...); set by hand: 1 (...)." of the keys that stand in the sentences
/// and behind the largest parts of the critical path. Empty where the report has no sentence. `report` without
/// estimates.
std::string assumptions_text(const boost::json::object& report, const key_sources& sources);

} // namespace isbesim::testbench
