// SPDX-License-Identifier: Apache-2.0
// Compares results of the same work and finds the figures that changed: compare.json's object. The first result is the
// base of all others.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json/object.hpp>

#include "testbench/compare/compared_result.h"

namespace isbesim::testbench {

/// "--fail-above 2.5%": exact, so that a change of exactly this size is not above it.
struct cycle_limit {
    std::uint64_t percent = 0; ///< the percentage times `scale`
    std::uint64_t scale = 1;   ///< a power of ten

    /// True if `cycles` exceed `base` by more than this limit.
    bool is_exceeded(std::uint64_t base, std::uint64_t cycles) const;
    double value() const { return static_cast<double>(percent) / static_cast<double>(scale); }
};

/// "2", "2%", "2.5%", of --fail-above. Throws input_error.
cycle_limit read_cycle_limit(const std::string& text, const source_place& place);

/// The differences in work between two results, "topology (triangles and points), programs.geometry"; empty if there
/// are none.
std::string different_work(const boost::json::object& report, const boost::json::object& other);

/// Compares at least two results of the same work. `values` of a row are in the order of the results, null if not
/// measured.
boost::json::object compare_results(const std::vector<compared_result>& results);

/// True for parts of a stack in which the resource is idle: they grow in any longer run.
bool is_idle_part(std::string_view part);

/// "+3.00 %": the change from `before` to `after`; empty if `before` is 0.
std::string change_text(double before, double after);

} // namespace isbesim::testbench
