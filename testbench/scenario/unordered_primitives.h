// SPDX-License-Identifier: Apache-2.0
// Pairs the primitives of two files of vertices independently of their order.
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

    /// Chooses the rotation that sorts first, as the representative of all rotations.
    void normalise();
    bool operator<(const primitive& other) const;
    std::string text() const; ///< vertices in order, "a,b | c,d"
};

/// A primitive without a partner in the other file when the others are paired; the other pointer is null.
struct unpaired_primitive {
    const primitive* got = nullptr;
    const primitive* want = nullptr;
};

/// Looks for a pairing of all primitives of both sides, each normalised: words equal or within the slack of `expect`,
/// vertices up to rotation. Returns nullopt if there is such a pairing, whichever partners it uses; otherwise a
/// primitive without a partner, if possible the first of `want` in its file's order.
std::optional<unpaired_primitive> find_unpaired(const std::vector<primitive>& got, const std::vector<primitive>& want,
                                                const expectation& expect);

} // namespace isbesim::testbench
