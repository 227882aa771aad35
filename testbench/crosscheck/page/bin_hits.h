// SPDX-License-Identifier: Apache-2.0
// Coverage bins, and how often each was hit.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace isbesim::testbench {

/// Index into bin_hits; 0: no bin.
using coverage_bin = std::uint16_t;
using bin_hits = std::vector<std::uint64_t>;
/// Adds a bin with a name and returns its index.
using bin_namer = std::function<coverage_bin(const std::string&)>;

} // namespace isbesim::testbench
