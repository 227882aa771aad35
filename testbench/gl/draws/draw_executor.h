// SPDX-License-Identifier: Apache-2.0
// Runs draws. One executor, whatever a draw comes from.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "models/pe/front_end/draw.h"
#include "testbench/gl/draws/draw_listener.h"
#include "testbench/gl/draws/stream_out.h"

namespace isbesim::gl {

/// What a draw did. Plain: it travels between processes.
struct draw_result {
    bool done = false;
    std::array<char, 240> text{}; ///< why not
    std::uint64_t traps = 0;      ///< warp instructions that raised an error; the warps went on
    std::array<char, 80> trap{};  ///< the first of them
    bool read_undrawn = false;    ///< gpu_memory::take_undrawn_was_read
    std::uint64_t cycles = 0;
    std::uint64_t primitives_in = 0;
    std::array<std::uint64_t, 4> primitives_out{}, vertices_out{}; ///< by stream, captured or not
    std::array<std::uint64_t, stage_count> invocations{};
};

class draw_executor {
public:
    virtual ~draw_executor() = default;
    /// What the draw streams out goes to `memory`; `position` moves on when the draw is done.
    virtual draw_result run(const built_draw& draw, gpu_memory& memory, const stream_out_layout& layout,
                            stream_out_position& position) = 0;
    /// Simulated time of all draws so far; none where draws are not timed.
    virtual std::optional<std::uint64_t> nanoseconds() const = 0;
};

} // namespace isbesim::gl
