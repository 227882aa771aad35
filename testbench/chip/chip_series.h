// SPDX-License-Identifier: Apache-2.0
// `series` of the report of a chip: those of its TPCs added up.
#pragma once

#include <cstdint>
#include <vector>

#include <boost/json/object.hpp>

namespace isbesim::testbench {

/// `series`: run_series's of each TPC, whose bins may differ; bins of the result are as wide as the widest, and cover
/// `cycles`. `tpc_warps` has the mean of resident warps for each TPC. Empty without series. `sms`: of a TPC.
boost::json::object series_of_chip(const std::vector<boost::json::object>& series, std::uint64_t cycles, unsigned sms);

} // namespace isbesim::testbench
