// SPDX-License-Identifier: Apache-2.0
#include "models/pe/front_end/vertex_fetch.h"

#include "models/attribute/attribute_map.h"

namespace isbesim {

vertex_fetch::vertex_fetch(const draw_call& draw, const attribute_set& attributes) : indexed_(draw.indexed)
{
    for (unsigned id = 0; id < mapped_attribute_ids; ++id) {
        if (!attributes.contains(id)) continue;
        component found{id, nullptr, 0};
        // Explicit data wins over the generated value. If sources of the scenario overlap, the last one wins.
        for (const auto& [address, source] : draw.attributes)
            if (id >= address / 4 && id < address / 4 + source.components) found = {id, &source, id - address / 4};
        if (found.source != nullptr) ++(found.source->per_instance ? per_instance_ : per_vertex_);
        components_.push_back(found);
    }
}

void vertex_fetch::read(const component& which, const batch& vertices, per_lane<word>& values) const
{
    const auto count = vertices.vertex_count;
    if (which.source == nullptr) {
        const auto instance = which.attribute == attribute_address::instance_id / 4;
        for (unsigned i = 0; i < count; ++i) values[i] = instance ? vertices.instance : vertices.vertex[i];
        return;
    }
    const auto& source = *which.source;
    const auto elements = source.words.size() / source.components;
    const auto word_of = [&](std::uint64_t element) {
        return source.words[element * source.components + which.offset];
    };
    if (source.per_instance) {
        values.fill(word_of(vertices.instance % elements));
        return;
    }
    std::uint64_t element = 0;
    for (unsigned i = 0; i < count; ++i) {
        // Vertices are usually consecutive, which saves the division.
        if (i != 0 && vertices.vertex[i] != 0 && vertices.vertex[i - 1] == vertices.vertex[i] - 1U)
            element = element + 1 == elements ? 0 : element + 1;
        else
            element = vertices.vertex[i] % elements;
        values[i] = word_of(element);
    }
}

std::uint64_t vertex_fetch::bytes(const batch& vertices) const
{
    const auto components = std::uint64_t{per_vertex_} * vertices.vertex_count + per_instance_;
    return 4 * (components + (indexed_ ? vertices.positions : 0));
}

} // namespace isbesim
