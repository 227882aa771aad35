// SPDX-License-Identifier: Apache-2.0
#include "models/attribute/layout.h"

#include <algorithm>

namespace isbesim {

std::vector<layout_row> layout_table(bool skew, const attribute_set& allocated, std::uint64_t vertices)
{
    std::vector<unsigned> ids;
    for (unsigned id = 0; id < mapped_attribute_ids; ++id)
        if (allocated.contains(id)) ids.push_back(id);

    const std::uint64_t group = skew ? vertices_per_line : 1;
    const std::uint64_t row_bytes = skew ? line_bytes : 4;
    std::vector<layout_row> rows;
    for (std::uint64_t first = 0; first < vertices; first += group)
        for (const unsigned id : ids) {
            const auto begin = rows.size() * row_bytes;
            rows.push_back({begin, begin + row_bytes, id, first, std::min(first + group, vertices) - 1, false});
        }
    return rows;
}

std::uint64_t mesh_layout::vertex_offset(unsigned id, unsigned vertex) const
{
    return attribute_offset(true, vertex_attributes.count(), vertex_attributes.rank(id), vertex);
}

std::uint64_t mesh_layout::primitive_offset(unsigned id, unsigned primitive) const
{
    return primitive_base() +
           attribute_offset(true, primitive_attributes.count(), primitive_attributes.rank(id), primitive);
}

std::vector<layout_row> mesh_layout::table() const
{
    auto rows = layout_table(true, vertex_attributes, max_vertices);
    for (auto row : layout_table(true, primitive_attributes, max_primitives)) {
        row.begin += primitive_base();
        row.end += primitive_base();
        row.per_primitive = true;
        rows.push_back(row);
    }
    return rows;
}

} // namespace isbesim
