// SPDX-License-Identifier: Apache-2.0
#include "models/pe/front_end/vertex_fetch.h"

#include <algorithm>

#include "models/attribute/attribute_map.h"
#include "tlm/rounded_up.h"

namespace isbesim {

namespace {

constexpr std::uint64_t data_address = std::uint64_t{1} << 40U, index_address = std::uint64_t{1} << 41U;
constexpr std::uint64_t buffer_alignment = 256;

} // namespace

vertex_fetch::vertex_fetch(const draw_call& draw, const attribute_set& attributes)
    : index_bytes_(draw.indexed ? draw.index_bytes : 0), first_(draw.first_vertex), count_(draw.vertex_count)
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
    auto next = data_address;
    for (const auto& [address, source] : draw.attributes) {
        // Ids are generated, also where a draw lists them.
        if (address == attribute_address::vertex_id || address == attribute_address::instance_id) continue;
        const auto bytes = source.bytes == 0 ? 4 * source.components : source.bytes;
        const auto stride = source.stride == 0 ? bytes : source.stride;
        const auto base = source.address == 0 ? next : source.address;
        if (source.address == 0) {
            const auto size = source.words.size() / source.components * stride;
            next += rounded_up(size, buffer_alignment);
        }
        unsigned first = source.components, end = 0;
        for (const auto& each : components_) {
            if (each.source != &source) continue;
            first = std::min(first, each.offset);
            end = std::max(end, each.offset + 1);
        }
        // A packed format is read as a whole, of others the components that the stage reads.
        if (first < end && bytes != 4 * source.components) spans_.push_back({&source, base, stride, bytes});
        if (first < end && bytes == 4 * source.components)
            spans_.push_back({&source, base + 4 * first, stride, 4 * (end - first)});
    }
}

void vertex_fetch::touch(const batch& vertices, sector_list& touched) const
{
    for (const auto& each : spans_) {
        const auto elements = std::max<std::uint64_t>(each.source->words.size() / each.source->components, 1);
        const auto add = [&](std::uint64_t element) {
            touched.add(each.address + element % elements * each.stride, each.bytes);
        };
        if (each.source->per_instance)
            add(vertices.instance);
        else
            for (unsigned i = 0; i < vertices.vertex_count; ++i) add(vertices.vertex[i]);
    }
    if (index_bytes_ == 0 || count_ == 0) return;
    const auto first = vertices.first_position % count_; // every instance reads the same indices
    touched.add(index_address + index_bytes_ * (first_ + first),
                index_bytes_ * std::min(vertices.positions, count_ - first));
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
    return 4 * components + index_bytes_ * vertices.positions;
}

} // namespace isbesim
