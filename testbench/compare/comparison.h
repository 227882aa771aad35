// SPDX-License-Identifier: Apache-2.0
// What results of the same work have in common and what moved between them: compare.json's object. The first result is
// the base of all others.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json/object.hpp>

#include "testbench/compare/compared_result.h"

namespace isbesim::testbench {

/// "--fail-above 2.5%": exact, so that a change of just so much is not above it.
struct cycle_limit {
    std::uint64_t percent = 0; ///< times `scale`
    std::uint64_t scale = 1;   ///< a power of ten

    /// Whether `cycles` are more than so many percent above `base`.
    bool is_exceeded(std::uint64_t base, std::uint64_t cycles) const;
    double value() const { return static_cast<double>(percent) / static_cast<double>(scale); }
};

/// What makes one the result of other work than the other, "topology (triangles and points), program of geometry";
/// empty where nothing does.
std::string different_work(const boost::json::object& report, const boost::json::object& other);

/// Of at least two results of the same work. `values` of a row are in the order of the results, null where one did not
/// measure it.
boost::json::object compare_results(const std::vector<compared_result>& results);

/// Parts of a stack in which the resource has nothing to do: they grow with every run that takes longer.
bool is_idle_part(std::string_view part);

/// "+3.00 %" of `to` against `from`; empty of nothing.
std::string change_text(double from, double to);

} // namespace isbesim::testbench
