// SPDX-License-Identifier: Apache-2.0
// What a report says of a chip beside its figures: TPC by TPC, which was last and why, and the order of results.
#pragma once

#include <string>

#include <boost/json/object.hpp>

#include "models/machine_config.h"
#include "testbench/report/chip_account.h"

namespace isbesim::testbench {

/// `chip` and `tpcs` of report.json, and what they cover.
void add_chip(boost::json::object& report, boost::json::object& covers, const chip_account& chip,
              const machine_config& config);

/// Which TPC ends last and what it waits for. Empty without stacks.
std::string bottleneck_text(const chip_account& chip, const machine_config& config);

} // namespace isbesim::testbench
