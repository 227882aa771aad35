// SPDX-License-Identifier: Apache-2.0
// Primitives of two files of vertices, paired whatever their order is.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "testbench/scenario/scenario.h"

namespace isbesim::testbench {

/// A primitive as text fields, vertex after vertex, without its numbers.
struct primitive {
    std::uint64_t first_row = 0; ///< data row of the file, from 1
    std::string stream;
    std::vector<std::vector<std::string>> vertices;

    /// Takes the rotation that sorts first, which stands for all of them.
    void normalise();
    bool operator<(const primitive& other) const;
    std::string text() const; ///< vertices in order, "a,b | c,d"
};

/// A primitive that none of the other file stands for, as far as the others can be paired; the other pointer is null.
struct unpaired_primitive {
    const primitive* got = nullptr;
    const primitive* want = nullptr;
};

/// Looks for pairs that take every primitive of both sides, each normalised: words equal or within the slack of
/// `expect`, vertices up to rotation. nullopt when there are such pairs, whichever of several partners a primitive has;
/// else a primitive that stays alone, of `want` in its file's order if it has one.
std::optional<unpaired_primitive> find_unpaired(const std::vector<primitive>& got, const std::vector<primitive>& want,
                                                const expectation& expect);

} // namespace isbesim::testbench
