// SPDX-License-Identifier: Apache-2.0
// Parts of a chip's report beside its figures: each TPC, the last TPC and its bottleneck, and the order of results.
#pragma once

#include <string>

#include <boost/json/object.hpp>

#include "models/machine_config.h"
#include "testbench/report/chip_account.h"

namespace isbesim::testbench {

/// Adds `chip` and `tpcs` to report.json, and their `covers`.
void add_chip(boost::json::object& report, boost::json::object& covers, const chip_account& chip,
              const machine_config& config);

/// Names the TPC that ends last and its bottleneck. Empty without stacks.
std::string bottleneck_text(const chip_account& chip, const machine_config& config);

} // namespace isbesim::testbench
