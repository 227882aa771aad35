// SPDX-License-Identifier: Apache-2.0
// Where the sample scenarios are, and what their expectations hold.
#pragma once

#include <algorithm>
#include <string>

#include "test_paths.h"
#include "testbench/files/checksum.h"
#include "tests/testbench/temporary_folder.h"
#include "tlm/hex.h"

namespace isbesim::testbench {

/// Their folder, with a final slash.
inline const std::string samples = ISBESIM_SOURCE_DIR "/testbench/scenarios/";

/// A sample's vertices as its expectation holds them: all rows, or as many as are there and a line for the rest.
inline std::string as_expected(const std::string& sample, const std::string& vertices)
{
    const auto expected = temporary_folder::read(samples + sample + "/expected.csv");
    const auto rest = expected.rfind("\nrest,");
    if (rest == std::string::npos) return vertices;
    std::size_t index = 0;
    for (auto kept = std::count(expected.begin(), expected.begin() + static_cast<std::ptrdiff_t>(rest) + 1, '\n');
         kept != 0 && index < vertices.size(); --kept)
        index = vertices.find('\n', index) + 1;
    checksum sum;
    sum.add_bytes(vertices.data() + index, vertices.size() - index);
    const auto rows = std::count(vertices.begin() + static_cast<std::ptrdiff_t>(index), vertices.end(), '\n');
    return vertices.substr(0, index) + "rest," + std::to_string(rows) + "," + hex(sum.value(), 16) + "\n";
}

} // namespace isbesim::testbench
