// SPDX-License-Identifier: Apache-2.0
// The draws of a channel: built, executed and counted, one after the other.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "testbench/gl/channel/draw_target.h"
#include "testbench/gl/channel/tally.h"
#include "testbench/gl/draws/draw_builder.h"
#include "testbench/gl/draws/draw_executor.h"
#include "testbench/gl/draws/draw_group.h"
#include "testbench/gl/draws/stream_out.h"

namespace isbesim::gl {

struct number_range {
    std::uint64_t first = 0;
    std::uint64_t end = ~std::uint64_t{0}; ///< the first number after it
    bool contains(std::uint64_t number) const { return number >= first && number < end; }
};

/// Numbers in the session, from 0; selected draws are in both ranges.
struct draw_range {
    number_range draws, frames;
};

/// Objects that draws use. All of them outlive the session.
struct draw_parts {
    const gl::chip& chip;
    gpu_memory& memory;
    const upload_journal& journal;
    tally& counts;
    draw_executor* executor = nullptr; ///< null: draws are not run
    draw_listener* listener = nullptr; ///< or null
    draw_range range;                  ///< draws outside are neither run nor passed to the listener
};

class draw_session : public draw_target {
public:
    explicit draw_session(const draw_parts& parts) : parts_(parts), builder_(parts.chip, parts.memory, parts.journal) {}

    /// Sets the buffers that the submission names, by address: the memory that a capture holds.
    void set_reach(std::vector<std::uint64_t> buffers) { reach_ = std::move(buffers); }

    void draw(const three_d_state& state, const drawn_vertices& vertices) override;
    void separate() override;
    /// Waits until all draws have ended and are counted.
    void settle();
    void dispatch(const three_d_state& state, const launch_descriptor& what) override;
    std::uint64_t report(report_kind kind, unsigned stream_or_buffer) override;
    void clear(report_kind kind) override;
    void transfer(std::uint64_t bytes) override;
    std::uint64_t nanoseconds() override;
    void set_stream_out_offset(unsigned buffer, std::uint32_t offset) override;

private:
    /// Marks the pixels that the draw's fragments would write.
    void note_pixels(const three_d_state& state);
    void tell(const draw_call& draw);
    /// Facts of draws that their counts depend on.
    struct counted_draw {
        std::uint64_t vertices; ///< of all instances; without meaning for mesh draws, which have workgroups
        bool is_mesh, has_control, has_geometry, rasterizes;
    };
    /// Draws that overlap. Their facts are equal but for the vertices.
    struct counted_group {
        draw_group draws;
        counted_draw facts{};
        std::vector<std::uint64_t> vertices; ///< of each draw
    };
    /// Adds the draw to the group that it may overlap, or begins the group and makes another.
    void begin(draw_call& draw, const counted_draw& facts);
    counted_draw facts_of(const three_d_state& state, const draw_call& draw) const;
    void ended(const counted_draw& draw, const draw_result& result, std::uint64_t draws = 1);
    void count(const counted_draw& draw, const draw_result& result);

    draw_parts parts_;
    draw_builder builder_;
    std::vector<std::uint64_t> reach_;
    std::shared_ptr<counted_group> group_; ///< not begun; null without draws
    stream_out_position position_;
    /// Running counters that reports read, by report_kind.
    std::array<std::uint64_t, 32> counters_{};
    std::array<std::uint64_t, 4> generated_{}; ///< primitives by stream
};

} // namespace isbesim::gl
