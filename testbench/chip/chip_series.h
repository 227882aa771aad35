// SPDX-License-Identifier: Apache-2.0
// `series` of a chip's report: the sum of its TPCs' series.
#pragma once

#include <cstdint>
#include <vector>

#include <boost/json/object.hpp>

namespace isbesim::testbench {

/// `series`: from run_series, one per TPC; their bins may differ. The bins of the result are as wide as the widest and
/// cover `cycles`. `tpc_warps` has the mean of resident warps of each TPC. Empty without series. `sms`: SMs per TPC.
boost::json::object series_of_chip(const std::vector<boost::json::object>& series, std::uint64_t cycles, unsigned sms);

} // namespace isbesim::testbench
