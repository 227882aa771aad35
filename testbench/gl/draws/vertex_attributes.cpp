// SPDX-License-Identifier: Apache-2.0
#include "testbench/gl/draws/vertex_attributes.h"

#include <algorithm>

#include "models/attribute/attribute_map.h"
#include "testbench/gl/channel/three_d_methods.h"
#include "testbench/gl/draws/array_end.h"
#include "testbench/gl/draws/draw_refused.h"
#include "testbench/gl/draws/vertex_format.h"

namespace isbesim::gl {

namespace {

constexpr unsigned first_attribute = 0x80; ///< generic attribute 0, 16 bytes each (HARDWARE.md A.1)

/// One attribute's array, or its constant value.
class attribute_array {
public:
    attribute_array(const attribute_parts& parts, unsigned number)
        : memory_(parts.memory), format_(vertex_format::of(parts.state.at(three_d::attribute_format + 4 * number)))
    {
        const auto& state = parts.state;
        const auto registers = three_d::vertex_array + 0x10 * format_.buffer;
        const auto fetch = state.at(registers);
        // A format that was never set has no array.
        format_.constant = format_.constant || format_.size == 0;
        constant_ = parts.state.attribute_values[number];
        enabled_ = !format_.constant && (fetch & (1U << 12)) != 0;
        if (!enabled_ && !format_.constant) constant_ = format_.defaults();
        if (!enabled_) return;
        const auto bytes = format_.bytes();
        if (!bytes)
            throw draw_refused("vertex attribute of format " + std::to_string(format_.size) + ", type " +
                               std::to_string(format_.type));
        bytes_ = *bytes;
        stride_ = fetch & 0xfff;
        address_ = state.address_at(registers + 4);
        limit_ = array_end(address_, state.address_at(parts.chip.limit_base + 8 * format_.buffer));
        per_instance_ = (state.at(three_d::per_instance + 4 * format_.buffer) & 1) != 0;
        divisor_ = state.at(registers + 0xc);
        instance_base_ = state.at(three_d::instance_base);
    }

    bool constant() const { return !enabled_; }
    bool per_instance() const { return per_instance_; }

    std::array<std::uint32_t, 4> element(std::uint64_t number) const
    {
        if (!enabled_) return constant_;
        const auto place = address_ + number * stride_ + format_.offset;
        const auto* bytes = place + bytes_ - 1 <= limit_ ? memory_.at(place, bytes_) : nullptr;
        return bytes != nullptr ? format_.decode(bytes) : format_.defaults();
    }
    /// Tells where the elements from `number` on are in memory.
    void place(std::uint64_t number, attribute_source& source) const
    {
        source.address = address_ + number * stride_ + format_.offset;
        source.stride = stride_;
        source.bytes = bytes_;
    }
    std::uint64_t number_of_instance(std::uint32_t instance) const
    {
        return std::uint64_t{divisor_ != 0 ? instance / divisor_ : 0} + instance_base_;
    }
    std::array<std::uint32_t, 4> of_instance(std::uint32_t instance) const
    {
        return element(number_of_instance(instance));
    }

private:
    const gpu_memory& memory_;
    vertex_format format_;
    bool enabled_ = false;
    bool per_instance_ = false;
    unsigned bytes_ = 0;
    std::uint32_t stride_ = 0, divisor_ = 1, instance_base_ = 0;
    std::uint64_t address_ = 0, limit_ = 0;
    std::array<std::uint32_t, 4> constant_{};
};

bool reads(const attribute_set& inputs, unsigned address, unsigned words)
{
    for (unsigned i = 0; i < words; ++i)
        if (inputs.contains(address / 4 + i)) return true;
    return false;
}

/// Elements of the arrays by their number in the draw.
std::vector<std::uint32_t> number_elements(vertex_stream& vertices, draw_call& draw)
{
    std::vector<std::uint32_t> elements;
    if (!vertices.indexed) {
        elements.resize(vertices.count);
        for (std::uint32_t i = 0; i < vertices.count; ++i) elements[i] = vertices.first + i;
        draw.vertex_count = vertices.count;
        return elements;
    }
    elements = vertices.positions;
    std::sort(elements.begin(), elements.end());
    elements.erase(std::unique(elements.begin(), elements.end()), elements.end());
    // No element has this number, whereas a position may be any number, since a base is added to the index.
    constexpr std::uint32_t restart = 0xffffffffU;
    draw.indexed = true;
    draw.index_bytes = vertices.index_bytes;
    draw.vertex_count = vertices.positions.size() + vertices.restarts.size();
    draw.indices.reserve(draw.vertex_count);
    auto next = vertices.restarts.begin();
    for (std::uint32_t i = 0; i < vertices.count; ++i) {
        for (; next != vertices.restarts.end() && *next == i; ++next) draw.indices.push_back(restart);
        draw.indices.push_back(static_cast<std::uint32_t>(
            std::lower_bound(elements.begin(), elements.end(), vertices.positions[i]) - elements.begin()));
    }
    draw.indices.resize(draw.vertex_count, restart);
    if (!vertices.restarts.empty()) draw.restart_index = restart;
    return elements;
}

void add_ids(const attribute_parts& parts, const drawn_vertices& drawn, const std::vector<std::uint32_t>& elements,
             bool indexed, draw_call& draw)
{
    const auto& state = parts.state;
    if (reads(parts.inputs, attribute_address::vertex_id, 1)) {
        auto& ids = draw.attributes[attribute_address::vertex_id];
        ids.components = 1;
        const auto replace = state.at(three_d::vertex_id_replace);
        if ((replace & 1) != 0) {
            // The x component of an attribute replaces the id.
            constexpr std::uint32_t words_to_number = 4;
            const attribute_array source(parts, (((replace >> 4) & 0xff) - first_attribute / 4) / words_to_number);
            for (const auto element : elements) ids.words.push_back(source.element(element)[0]);
        } else {
            const auto shift = indexed ? state.at(three_d::vertex_id_base) - state.at(three_d::element_base) : 0;
            for (const auto element : elements) ids.words.push_back(element + shift);
        }
    }
    if (drawn.first_instance != 0 && reads(parts.inputs, attribute_address::instance_id, 1)) {
        auto& ids = draw.attributes[attribute_address::instance_id];
        ids.components = 1;
        ids.per_instance = true;
        for (std::uint32_t i = 0; i < drawn.instances; ++i) ids.words.push_back(drawn.first_instance + i);
    }
}

} // namespace

void add_vertices(const attribute_parts& parts, const drawn_vertices& drawn, vertex_stream vertices, draw_call& draw)
{
    const auto elements = number_elements(vertices, draw);
    constexpr unsigned attributes = 16;
    for (unsigned number = 0; number < attributes; ++number) {
        const auto address = first_attribute + 16 * number;
        if (!reads(parts.inputs, address, 4)) continue;
        const attribute_array array(parts, number);
        auto& source = draw.attributes[address];
        const auto append = [&](const std::array<std::uint32_t, 4>& words) {
            source.words.insert(source.words.end(), words.begin(), words.end());
        };
        if (array.constant()) {
            source.repeat = true;
            append(array.element(0));
        } else if (array.per_instance()) {
            source.per_instance = true;
            array.place(array.number_of_instance(drawn.first_instance), source);
            for (std::uint32_t i = 0; i < drawn.instances; ++i) append(array.of_instance(drawn.first_instance + i));
        } else {
            source.words.reserve(elements.size() * 4);
            if (!elements.empty()) array.place(elements.front(), source);
            for (const auto element : elements) append(array.element(element));
        }
    }
    add_ids(parts, drawn, elements, vertices.indexed, draw);
}

} // namespace isbesim::gl
