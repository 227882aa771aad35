// SPDX-License-Identifier: Apache-2.0
// Receives a channel's draws and launches, and provides the counters that it reads back.
#pragma once

#include <cstdint>
#include <numeric>
#include <vector>

#include "testbench/gl/channel/launch_descriptor.h"
#include "testbench/gl/channel/three_d_state.h"

namespace isbesim::gl {

/// A run of vertices between BEGIN and END.
struct vertex_run {
    enum class source : std::uint8_t { arrays, index_buffer, inline_indices };
    source from = source::arrays;
    std::uint32_t first = 0;              ///< vertex, or position in the index buffer
    std::uint32_t count = 0;              ///< of inline indices: their number
    std::vector<std::uint32_t> indices{}; ///< of inline indices

    bool operator==(const vertex_run& other) const
    {
        return from == other.from && first == other.first && count == other.count && indices == other.indices;
    }
};

/// One draw; its runs form a single sequence of vertices.
struct drawn_vertices {
    std::uint32_t primitive = 0; ///< BEGIN's code
    std::uint32_t first_instance = 0, instances = 1;
    std::vector<vertex_run> runs{};
    bool mesh = false; ///< the run's vertices are workgroups

    /// Vertices of an instance, including restart indices.
    std::uint64_t count() const
    {
        return std::accumulate(runs.begin(), runs.end(), std::uint64_t{0},
                               [](std::uint64_t sum, const vertex_run& run) { return sum + run.count; });
    }
};

/// A report's counter (QUERY_GET bits 27:23), running since the channel was made.
enum class report_kind : std::uint8_t {
    none = 0,
    vertices = 1,
    samples = 2, ///< 32 bits wide
    primitives = 3,
    vertex_invocations = 5,
    stream_out_overflow = 6, ///< needed minus written primitives of a stream
    geometry_invocations = 7,
    geometry_primitives = 9,
    stream_out_written = 11,
    stream_out_needed = 13,
    clipper_in = 15,
    clipper_out = 17,
    primitives_generated = 18,
    fragment_invocations = 19,
    stream_out_offset = 26,   ///< of a buffer, in bytes; 32 bits wide
    control_invocations = 27, ///< patches
    evaluation_invocations = 29,
    any_stream_out_overflow = 30,
};

/// Condition of draws and launches. Modes: 0 never, 1 always; others compare two reports at the address.
struct render_condition {
    std::uint64_t address = 0;
    std::uint32_t mode = 1;
};

/// Where a macro reads the words of a draw.
struct indirect_record {
    std::uint64_t address = 0;
    std::uint32_t bytes = 0; ///< 0: nowhere
    std::uint64_t call = 0;  ///< of a macro
};

class draw_target {
public:
    virtual ~draw_target() = default;
    render_condition condition; ///< of all classes of the channel; each class has its own in addition
    indirect_record record;     ///< of the draws that come while a macro runs
    /// Draws from here on do not overlap earlier ones.
    virtual void separate() = 0;
    virtual void draw(const three_d_state& state, const drawn_vertices& vertices) = 0;
    /// `state`: the registers of the compute class.
    virtual void dispatch(const three_d_state& state, const launch_descriptor& what) = 0;
    virtual std::uint64_t report(report_kind kind, unsigned stream_or_buffer) = 0;
    /// Resets the counter to 0, for all streams.
    virtual void clear(report_kind kind) = 0;
    /// The copy engine has written these bytes.
    virtual void transfer(std::uint64_t bytes) = 0;
    /// Time for reports, from an arbitrary start; never decreases.
    virtual std::uint64_t nanoseconds() = 0;
    /// Stream-out continues at this byte of the buffer.
    virtual void set_stream_out_offset(unsigned buffer, std::uint32_t offset) = 0;
};

} // namespace isbesim::gl
