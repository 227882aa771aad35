// SPDX-License-Identifier: Apache-2.0
#include "testbench/gl/draws/strip_order.h"

namespace isbesim::gl {

namespace {

using namespace primitive_code;

using numbers = std::vector<std::uint32_t>;

void split_strip(const numbers& v, numbers& out)
{
    for (std::size_t i = 0; i + 2 < v.size(); ++i) {
        const auto odd = i % 2;
        out.insert(out.end(), {v[i], v[i + 1 + odd], v[i + 2 - odd]});
    }
}

void split_fan(const numbers& v, numbers& out)
{
    for (std::size_t i = 1; i + 1 < v.size(); ++i) out.insert(out.end(), {v[i], v[i + 1], v[0]});
}

/// The vertex beyond the outer edge of the last triangle is the strip's last vertex.
void split_adjacency(const numbers& v, numbers& out)
{
    const auto count = v.size() < 6 ? 0 : (v.size() - 4) / 2;
    for (std::size_t i = 0; i < count; ++i) {
        const auto* at = v.data() + 2 * i;
        const auto before = i == 0 ? at[1] : *(at - 2);
        const auto beyond = i + 1 == count ? at[5] : at[6];
        if (i % 2 == 0)
            out.insert(out.end(), {at[0], before, at[2], beyond, at[4], at[3]});
        else
            out.insert(out.end(), {at[0], at[3], at[4], beyond, at[2], before});
    }
}

} // namespace

void put_provoking_first(std::uint32_t& primitive, vertex_stream& vertices)
{
    void (*split)(const numbers&, numbers&) = nullptr;
    if (primitive == triangle_strip) split = split_strip;
    if (primitive == triangle_fan) split = split_fan;
    if (primitive == strip_adjacency) split = split_adjacency;
    if (split == nullptr) return;
    primitive = primitive == strip_adjacency ? triangles_adjacency : triangles;
    make_list(vertices, split);
}

} // namespace isbesim::gl
