// SPDX-License-Identifier: Apache-2.0
// The fixed-function tessellation generator: levels of a patch -> points of its domain and the primitives between them
// (conformance PIPE-03, AST-10).
//
// The positions of points and the points of each primitive follow the Direct3D 11 tessellator, which refines the
// requirements of the OpenGL specification (4.6 core, 11.2.2). OpenGL and Vulkan leave the order of points and
// primitives free. Here it is also that of the Direct3D 11 tessellator: points and triangles along the outer edges from
// edge 0 on, then along each ring from its edge 0 on; lines by rising v; point primitives in the order of the points.
#pragma once

#include <cstdint>
#include <vector>

#include "models/pe/tessellation/tessellation.h"

namespace isbesim {

/// Coordinates of the domain, 16 fraction bits: 0x10000 is 1.
using fixed = std::uint32_t;
inline constexpr fixed fixed_one = 0x10000;

/// Divides an edge of the domain by one tessellation level: number and positions of its points, in 16.16 fixed point as
/// the Direct3D 11.3 functional specification requires (7.11, "Tessellator": fixed point, ruler function splits).
///
/// A level between two whole levels blends their divisions: the additional point of the larger division slides out of
/// its neighbour. The second half of an edge mirrors the first, so an edge looks the same from both of its sides.
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

struct domain_point {
    fixed u = 0;
    fixed v = 0;
};

struct tessellated_patch {
    std::vector<domain_point> points;    ///< each once
    std::vector<std::uint16_t> vertices; ///< vertex i of primitive p at p * k + i: index into `points`
};

class tessellator {
public:
    explicit tessellator(const tessellation_state& state) : state_(state) {}

    /// Replaces `result`, reusing its storage. Empty if the patch is culled because an outer level of the domain is not
    /// above 0 or is not a number.
    void tessellate(const tessellation_levels& levels, tessellated_patch& result);
    /// Patches that were culled.
    std::uint64_t culled() const { return culled_; }

private:
    using sequence = std::vector<std::uint16_t>;
    enum class diagonals { mirrored, towards_outside, towards_outside_except_middle };

    bool is_integer() const { return state_.spacing == tess_spacing::equal; }
    edge_division outer_edge(float level) const;
    /// Finds the divisions of the inside, 1 or 2. Returns false if the whole patch is undivided.
    bool inner_edges(const float* levels, unsigned count, bool outer_is_one, edge_division* edges) const;
    float clamp(float level, float lowest) const;

    void isolines(const tessellation_levels& levels);
    void triangles(const tessellation_levels& levels);
    void quads(const tessellation_levels& levels);
    void quad_inside(const edge_division& u, const edge_division& v, const edge_division* outer);
    void triangle_inside(const edge_division& inner, const edge_division* outer);

    std::uint16_t add_point(fixed u, fixed v);
    void add_triangle(unsigned a, unsigned b, unsigned c);
    void join_transition(const sequence& outside, const edge_division& outer, const sequence& inside,
                         const edge_division& inner);
    void join_ring(const sequence& outside, const sequence& inside);
    void join_cells(const std::uint16_t* outside, const sequence& inside, diagonals rule);

    tessellation_state state_;
    std::uint64_t culled_ = 0;
    tessellated_patch* result_ = nullptr;
    sequence ring_[2][4]; ///< points along the edges of the ring being joined and of the ring inside it
    sequence scratch_;
    sequence grid_; ///< points inside a quad
};

} // namespace isbesim
