// SPDX-License-Identifier: Apache-2.0
// Writes streamed-out vertices to the program's buffers.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "testbench/gl/chip/gpu_memory.h"
#include "testbench/gl/draws/stream_out_layout.h"

namespace isbesim::gl {

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
