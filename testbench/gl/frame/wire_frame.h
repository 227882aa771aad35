// SPDX-License-Identifier: Apache-2.0
// Streamed-out primitives of a draw as lines of a picture.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <vector>

namespace isbesim::gl {

struct wire_frame {
    /// From x, y to x, y: normalised device coordinates (x and y divided by w), clamped to -4 to 4, times `unit`.
    static constexpr int unit = 4096;
    using edge = std::array<std::int16_t, 4>;

    std::vector<edge> edges;                 ///< a point is an edge of length 0
    std::vector<std::uint32_t> primitive_of; ///< primitive of each edge
    std::size_t primitives = 0;              ///< of stream 0
    std::size_t every = 1;                   ///< only primitives with a number divisible by this are in `edges`
    std::size_t behind_eye = 0;              ///< left out: w is not positive, or a coordinate is not finite
    bool has_positions = false;              ///< the vertices have attribute 0x70 to 0x7c
};

/// Reads the text of a vertices.csv. Leaves out primitives if there would be more than `most_edges` edges.
wire_frame read_wire_frame(std::istream& vertices, std::size_t most_edges);

} // namespace isbesim::gl
