// SPDX-License-Identifier: Apache-2.0
// The streamed-out primitives of a draw as lines of a picture.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <vector>

namespace isbesim::gl {

struct wire_frame {
    /// From x, y to x, y: positions divided by w, `unit` for 1 of normalised device coordinates, cut off at 4 of it.
    static constexpr int unit = 4096;
    using edge = std::array<std::int16_t, 4>;

    std::vector<edge> edges;                 ///< a point is an edge of length 0
    std::vector<std::uint32_t> primitive_of; ///< of each edge
    std::size_t primitives = 0;              ///< of stream 0
    std::size_t every = 1;                   ///< of so many primitives the first is in `edges`
    std::size_t behind_eye = 0;              ///< left out: a w that is not positive, or a place that is no number
    bool has_positions = false;              ///< the vertices have attribute 0x70 to 0x7c
};

/// From the text of a vertices.csv. At most `most_edges`: where there are more, some primitives are left out.
wire_frame read_wire_frame(std::istream& vertices, std::size_t most_edges);

} // namespace isbesim::gl
