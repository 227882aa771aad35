// SPDX-License-Identifier: Apache-2.0
// Where attributes lie inside the ATTR region: the skewed layout of HARDWARE.md D.2, the plain array of vertices for
// comparison, and the mesh layout with its three parts. Offsets are bytes from the base of the region.
#pragma once

#include <cstdint>
#include <vector>

#include "models/attribute/attribute_set.h"
#include "models/isbe/rules/attribute_offset.h"

namespace isbesim {

/// Size of a memory line, and the number of values of one attribute in it.
inline constexpr unsigned vertices_per_line = 32;
inline constexpr unsigned line_bytes = 128;

/// Offset of the attribute with `rank` among `n` allocated, at a vertex (or, in the mesh layout, a primitive).
constexpr std::uint64_t attribute_offset(bool skew, unsigned n, unsigned rank, std::uint64_t vertex)
{
    return rules::attribute_offset<std::uint64_t>(skew, n, rank, vertex);
}

/// Bytes that `vertices` vertices of `n` attributes occupy: whole lines when skewed, exact records otherwise.
constexpr std::uint64_t attribute_bytes(bool skew, unsigned n, std::uint64_t vertices)
{
    return skew ? (vertices + vertices_per_line - 1) / vertices_per_line * n * line_bytes : vertices * n * 4;
}

/// One row of a region table: the half-open byte range [begin, end) holds one attribute of vertices first..last.
struct layout_row {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    unsigned attribute = 0; ///< id
    std::uint64_t first = 0;
    std::uint64_t last = 0;
    bool per_primitive = false;
};

/// Table of a region for `vertices` vertices, in address order: a row per line when skewed (HARDWARE.md D.3), a row per
/// value otherwise. A last line that is not full still occupies 128 bytes.
std::vector<layout_row> layout_table(bool skew, const attribute_set& allocated, std::uint64_t vertices);

/// Output ATTR region of a mesh shader (always skewed): vertex attributes, primitive attributes, shared lines.
struct mesh_layout {
    attribute_set vertex_attributes;
    attribute_set primitive_attributes;
    unsigned max_vertices = 0;
    unsigned max_primitives = 0;

    std::uint64_t vertex_bytes() const { return attribute_bytes(true, vertex_attributes.count(), max_vertices); }
    std::uint64_t primitive_base() const { return vertex_bytes(); }
    std::uint64_t primitive_bytes() const
    {
        return attribute_bytes(true, primitive_attributes.count(), max_primitives);
    }
    std::uint64_t shared_base() const { return vertex_bytes() + primitive_bytes(); }

    /// `id` is a member of the respective set.
    std::uint64_t vertex_offset(unsigned id, unsigned vertex) const;
    std::uint64_t primitive_offset(unsigned id, unsigned primitive) const;
    std::vector<layout_row> table() const;
};

} // namespace isbesim
