// SPDX-License-Identifier: Apache-2.0
// How one tessellation level divides an edge of the domain: how many points lie on it and where, in 16.16 fixed point
// as the Direct3D 11.3 functional specification asks (7.11, "Tessellator": fixed point, ruler function splits).
//
// A level between two whole ones blends between the two divisions: the point that the larger one has in addition slides
// out of its neighbour. The second half of an edge mirrors the first, so an edge looks the same from both of its sides.
#pragma once

#include <cstdint>

namespace isbesim {

/// Coordinates of the domain, 16 fraction bits: 0x10000 is 1.
using fixed = std::uint32_t;
inline constexpr fixed fixed_one = 0x10000;

class edge_division {
public:
    edge_division() = default;
    /// `level`: 16.16, 1 .. 64, already clamped for its spacing. `odd`: the number of segments is odd, as it is with
    /// fractional_odd spacing and for an odd whole level; level 1 counts as 2 when it is not.
    edge_division(fixed level, bool odd);

    bool odd() const { return odd_; }
    /// Points on the edge, both ends included.
    unsigned points() const { return 2 * half_ + (odd_ ? 0 : 1); }
    /// Where a point lies: 0 for the first, 1.0 for the last.
    fixed position(unsigned point) const;
    /// Segments in one half of the edge; the middle segment of an odd division belongs to neither.
    unsigned half_segments() const { return half_ - (odd_ ? 1 : 0); }

private:
    bool odd_ = true;
    unsigned half_ = 1;         ///< points in the first half; without the middle one of an even division
    fixed fraction_ = 0;        ///< weight of the larger division
    unsigned split_ = ~0U;      ///< points after this one have moved up by one from the smaller to the larger division
    fixed smaller_ = fixed_one; ///< segment lengths of the two divisions
    fixed larger_ = fixed_one;
};

/// When the segment `place` (1 .. 32) of a half edge appears as its level grows: the numbers 1 .. 32 in another order.
/// Both edges of a strip are walked by it, so that triangles join points that appear together.
unsigned split_order(unsigned place);

} // namespace isbesim
