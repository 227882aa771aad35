// SPDX-License-Identifier: Apache-2.0
// Divides an edge of the domain by one tessellation level: number and positions of its points, in 16.16 fixed point as
// the Direct3D 11.3 functional specification requires (7.11, "Tessellator": fixed point, ruler function splits).
//
// A level between two whole levels blends their divisions: the additional point of the larger division slides out of
// its neighbour. The second half of an edge mirrors the first, so an edge looks the same from both of its sides.
#pragma once

#include <cstdint>

namespace isbesim {

/// Coordinates of the domain, 16 fraction bits: 0x10000 is 1.
using fixed = std::uint32_t;
inline constexpr fixed fixed_one = 0x10000;

class edge_division {
public:
    edge_division() = default;
    /// `level`: 16.16, 1 .. 64, already clamped for its spacing. `odd`: the number of segments is odd, as with
    /// fractional_odd spacing and for an odd whole level; if it is not odd, level 1 counts as 2.
    edge_division(fixed level, bool odd);

    bool odd() const { return odd_; }
    /// Points on the edge, both ends included.
    unsigned points() const { return 2 * half_ + (odd_ ? 0 : 1); }
    /// Position of a point: 0 for the first, 1.0 for the last.
    fixed position(unsigned point) const;
    /// Segments in one half of the edge; the middle segment of an odd division belongs to neither.
    unsigned half_segments() const { return half_ - (odd_ ? 1 : 0); }

private:
    bool odd_ = true;
    unsigned half_ = 1;         ///< points in the first half, without the middle point of an even division
    fixed fraction_ = 0;        ///< weight of the larger division
    unsigned split_ = ~0U;      ///< later points have an index higher by one in the larger division
    fixed smaller_ = fixed_one; ///< segment lengths of the two divisions
    fixed larger_ = fixed_one;
};

/// Rank at which the segment `place` (1 .. 32) of a half edge appears as its level grows: the numbers 1 .. 32 in
/// another order. Both edges of a strip are walked by this rank, so that triangles join points that appear together.
unsigned split_order(unsigned place);

} // namespace isbesim
