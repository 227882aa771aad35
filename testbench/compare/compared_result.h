// SPDX-License-Identifier: Apache-2.0
// A result that `isbesim compare` sets beside others: a folder of `run` or `replay`, or a point of a sweep.
#pragma once

#include <cstdint>
#include <string>

#include <boost/json/object.hpp>

#include "testbench/files/input_error.h"

namespace isbesim::testbench {

struct compared_result {
    std::string name; ///< "A": what columns call it
    std::string path; ///< as it was named
    boost::json::object report;

    std::uint64_t cycles() const { return report.at("cycles").to_number<std::uint64_t>(); }
    bool is_estimate() const { return report.contains("estimate"); }
    /// "B", "B (estimate)".
    std::string label() const { return name + (is_estimate() ? " (estimate)" : ""); }
};

/// Reads report.json of a folder, or a file that holds one. What a comparison reads is there and has its type; a run
/// that was given up, and what another version wrote, is refused. Throws input_error.
compared_result read_result(const std::string& name, const std::string& path, const source_place& asked_at);

} // namespace isbesim::testbench
