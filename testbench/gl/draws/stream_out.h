// SPDX-License-Identifier: Apache-2.0
// Streamed-out vertices to the buffers that the program reads.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "testbench/gl/chip/gpu_memory.h"
#include "testbench/gl/draws/stream_out_layout.h"

namespace isbesim::gl {

/// Where each buffer goes on, and the size written so far. Plain: it travels between processes.
struct stream_out_position {
    std::array<std::uint32_t, 4> offset{};  ///< bytes, by buffer
    std::array<std::uint64_t, 4> written{}; ///< primitives, by stream
    std::array<std::uint64_t, 4> needed{};  ///< primitives that came with stream-out on, by stream
};

/// Takes the vertices of one draw. A primitive is written whole, or not at all where a buffer of its stream has no
/// room.
class stream_out_writer : public vertex_sink {
public:
    stream_out_writer(const gpu_memory& memory, const stream_out_layout& layout, const capture_list& columns,
                      stream_out_position& position);

    void vertex(unsigned stream, std::uint64_t primitive, unsigned vertex, const word* values,
                std::size_t count) override;
    /// After the last vertex.
    void finish();

private:
    void write_primitive();

    const gpu_memory& memory_;
    const stream_out_layout& layout_;
    stream_out_position& position_;
    /// By buffer and word of the vertex: the column, or no_attribute.
    std::array<std::vector<unsigned>, 4> columns_;
    unsigned stream_ = 0;
    std::uint64_t primitive_ = 0;
    unsigned vertices_ = 0;       ///< of the primitive that is being collected
    std::vector<word> collected_; ///< its rows
    std::size_t row_ = 0;         ///< words of one
};

} // namespace isbesim::gl
