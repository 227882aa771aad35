// SPDX-License-Identifier: Apache-2.0
// A result for `isbesim compare`: a folder of `run` or `replay`, or a point of a sweep.
#pragma once

#include <cstdint>
#include <string>

#include <boost/json/object.hpp>

#include "testbench/files/input_error.h"

namespace isbesim::testbench {

struct compared_result {
    std::string name; ///< "A": its name in columns
    std::string path; ///< as given by the user
    boost::json::object report;

    std::uint64_t cycles() const { return report.at("cycles").to_number<std::uint64_t>(); }
    bool is_estimate() const { return report.contains("estimate"); }
    /// "B", "B (estimate)".
    std::string label() const { return name + (is_estimate() ? " (estimate)" : ""); }
};

/// Reads report.json of a folder, or such a file. Checks all values that a comparison reads for presence and type;
/// refuses aborted runs and reports of another version. Throws input_error.
compared_result read_result(const std::string& name, const std::string& path, const source_place& asked_at);

} // namespace isbesim::testbench
