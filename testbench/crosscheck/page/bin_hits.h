// SPDX-License-Identifier: Apache-2.0
// Bins of coverage and how often each was hit.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace isbesim::testbench {

/// A place in bin_hits; 0 is no bin.
using coverage_bin = std::uint16_t;
using bin_hits = std::vector<std::uint64_t>;
/// Gives a bin its name, and room in the hits.
using bin_namer = std::function<coverage_bin(const std::string&)>;

} // namespace isbesim::testbench
