// SPDX-License-Identifier: Apache-2.0
// Compares streamed-out vertices with an expectation file; both are read row by row from disk.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "testbench/scenario/scenario.h"
#include "tlm/warp_op.h"

namespace isbesim::testbench {

/// The first difference, in the order of the expectation file.
struct vertex_difference {
    std::uint64_t row = 0; ///< data row, from 1; the header is row 0
    std::string column;    ///< header of the column; empty: a whole row or primitive
    std::string expected;
    std::string got;
    std::string text() const; ///< "row 3, column 0x80: expected 0x3f800000, got 0x00000000"
};

/// Throws input_error unless `expect.file` is a CSV of vertices: a header with each address at most once, rows of three
/// numbers and words, and optionally a last line "rest,<rows>,<checksum>" for rows that the file leaves out.
void check_expectation(const expectation& expect);

/// Compares `vertices` (written by vertex_csv) with `expect.file`. Words must be equal and in order unless the
/// expectation allows a difference. Throws input_error if the expectation file is no CSV of vertices.
std::optional<vertex_difference> compare_vertices(const std::string& vertices, const expectation& expect);

/// True if `got` matches `expected`: equal, or both floats (zero, or with a normal exponent) within the expectation's
/// units in the last place or tolerance. Words that would be denormal floats are integers, without slack.
bool word_matches(word got, word expected, const expectation& expect);

/// The same for fields of a CSV, which may be empty.
bool field_matches(std::string_view got, std::string_view expected, const expectation& expect);

/// A float, and the range of the numbers that match it.
struct float_bounds {
    double value;
    double lowest;
    double highest;
};
/// nullopt for a word without slack.
std::optional<float_bounds> float_range(word expected, const expectation& expect);

} // namespace isbesim::testbench
