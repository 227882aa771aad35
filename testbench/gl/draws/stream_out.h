// SPDX-License-Identifier: Apache-2.0
// Attributes that stream-out writes and their places, and the writer of vertices to the program's buffers.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "models/pe/front_end/draw.h"
#include "testbench/gl/channel/three_d_state.h"
#include "testbench/gl/chip/gpu_memory.h"

namespace isbesim::gl {

struct stream_out_buffer {
    static constexpr unsigned no_attribute = 0xffffffffU;

    bool enabled = false;
    unsigned stream = 0;
    std::uint64_t address = 0;
    std::uint32_t bytes = 0, stride = 0;
    std::vector<unsigned> attributes; ///< by word of the vertex; no_attribute: not written
};

using stream_out_layout = std::array<stream_out_buffer, 4>;

/// All buffers are disabled if stream-out is.
stream_out_layout stream_out_layout_of(const three_d_state& state);

/// Columns for the draw: for each stream, the attributes of its buffers, once each.
capture_list captured_columns(const stream_out_layout& layout);

/// Positions in the buffers and counts so far. Plain data: it is sent between processes.
struct stream_out_position {
    std::array<std::uint32_t, 4> offset{};  ///< bytes, by buffer
    std::array<std::uint64_t, 4> written{}; ///< primitives, by stream
    std::array<std::uint64_t, 4> needed{};  ///< primitives that arrived with stream-out enabled, by stream
};

/// Takes the vertices of one draw. A primitive is written completely, or not at all if a buffer of its stream has no
/// room.
class stream_out_writer : public vertex_sink {
public:
    stream_out_writer(const gpu_memory& memory, const stream_out_layout& layout, const capture_list& columns,
                      stream_out_position& position);

    void vertex(unsigned stream, std::uint64_t primitive, unsigned vertex, const word* values,
                std::size_t count) override;
    /// To be called after the last vertex.
    void finish();

private:
    void write_primitive();

    const gpu_memory& memory_;
    const stream_out_layout& layout_;
    stream_out_position& position_;
    /// Column by buffer and word of the vertex, or no_attribute.
    std::array<std::vector<unsigned>, 4> columns_;
    unsigned stream_ = 0;
    std::uint64_t primitive_ = 0;
    unsigned vertices_ = 0;       ///< of the current primitive
    std::vector<word> collected_; ///< rows of the current primitive
    std::size_t row_ = 0;         ///< words of a row
};

} // namespace isbesim::gl
