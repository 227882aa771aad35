// SPDX-License-Identifier: Apache-2.0
#include "testbench/gl/draws/stream_out.h"

#include <algorithm>
#include <cstring>

#include "models/attribute/attribute_map.h"
#include "testbench/gl/channel/three_d_methods.h"

namespace isbesim::gl {

stream_out_layout stream_out_layout_of(const three_d_state& state)
{
    constexpr std::uint32_t no_location = 0xf0; ///< this and larger values: nothing is written
    stream_out_layout layout;
    if ((state.at(three_d::stream_out_enable) & 1) == 0) return layout;
    for (unsigned i = 0; i < layout.size(); ++i) {
        auto& buffer = layout[i];
        const auto where = three_d::stream_out_buffer + 0x20 * i;
        const auto how = three_d::stream_out_layout + 0x10 * i;
        buffer.enabled = (state.at(where) & 1) != 0;
        if (!buffer.enabled) continue;
        buffer.address = state.address_at(where + 4);
        buffer.bytes = state.at(where + 0xc);
        buffer.stream = state.at(how) & 3;
        buffer.stride = state.at(how + 8);
        const auto words = std::min<std::uint32_t>(state.at(how + 4), 128);
        for (std::uint32_t word = 0; word < words; ++word) {
            const auto packed = state.at(three_d::stream_out_locations + 0x80 * i + word / 4 * 4);
            const auto location = (packed >> (8 * (word % 4))) & 0xff;
            buffer.attributes.push_back(location < no_location ? location * 4 : stream_out_buffer::no_attribute);
        }
    }
    return layout;
}

capture_list captured_columns(const stream_out_layout& layout)
{
    capture_list columns;
    for (const auto& buffer : layout) {
        if (!buffer.enabled) continue;
        auto& stream = columns[buffer.stream];
        for (const auto attribute : buffer.attributes)
            if (attribute != stream_out_buffer::no_attribute &&
                std::find(stream.begin(), stream.end(), attribute) == stream.end())
                stream.push_back(attribute);
        // Vertices without attributes take room too; only streams with a column are passed on.
        if (stream.empty()) stream.push_back(attribute_address::position);
    }
    return columns;
}

stream_out_writer::stream_out_writer(const gpu_memory& memory, const stream_out_layout& layout,
                                     const capture_list& columns, stream_out_position& position)
    : memory_(memory), layout_(layout), position_(position)
{
    for (unsigned i = 0; i < layout.size(); ++i) {
        const auto& stream = columns[layout[i].stream];
        for (const auto attribute : layout[i].attributes) {
            const auto found = std::find(stream.begin(), stream.end(), attribute);
            columns_[i].push_back(found == stream.end() ? stream_out_buffer::no_attribute
                                                        : static_cast<unsigned>(found - stream.begin()));
        }
    }
}

void stream_out_writer::vertex(unsigned stream, std::uint64_t primitive, unsigned, const word* values,
                               std::size_t count)
{
    if (vertices_ != 0 && (stream != stream_ || primitive != primitive_)) write_primitive();
    stream_ = stream;
    primitive_ = primitive;
    row_ = count;
    collected_.insert(collected_.end(), values, values + count);
    ++vertices_;
}

void stream_out_writer::finish()
{
    if (vertices_ != 0) write_primitive();
}

void stream_out_writer::write_primitive()
{
    bool room = true;
    for (unsigned i = 0; i < layout_.size(); ++i) {
        const auto& buffer = layout_[i];
        if (!buffer.enabled || buffer.stream != stream_) continue;
        const auto size = std::uint64_t{buffer.stride} * vertices_;
        room = room && position_.offset[i] + size <= buffer.bytes &&
               memory_.at(buffer.address + position_.offset[i], size) != nullptr;
    }
    ++position_.needed[stream_];
    if (room) ++position_.written[stream_];
    for (unsigned i = 0; room && i < layout_.size(); ++i) {
        const auto& buffer = layout_[i];
        if (!buffer.enabled || buffer.stream != stream_) continue;
        for (unsigned vertex = 0; vertex < vertices_; ++vertex) {
            auto* target = memory_.at(buffer.address + position_.offset[i], buffer.stride);
            const auto* row = collected_.data() + vertex * row_;
            for (std::size_t w = 0; w < columns_[i].size() && 4 * (w + 1) <= buffer.stride; ++w)
                if (columns_[i][w] != stream_out_buffer::no_attribute)
                    std::memcpy(target + 4 * w, row + columns_[i][w], 4);
            position_.offset[i] += buffer.stride;
        }
    }
    collected_.clear();
    vertices_ = 0;
}

} // namespace isbesim::gl
