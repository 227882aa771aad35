// SPDX-License-Identifier: Apache-2.0
// Interface that runs draws.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "models/pe/front_end/draw.h"
#include "testbench/gl/draws/draw_listener.h"
#include "testbench/gl/draws/stream_out.h"

namespace isbesim::gl {

/// Result of a draw. Plain data: it is sent between processes.
struct draw_result {
    bool done = false;
    std::array<char, 240> text{}; ///< reason if not done
    std::uint64_t traps = 0;      ///< warp instructions that raised an error; the warps went on
    std::array<char, 80> trap{};  ///< description of the first trap
    bool read_undrawn = false;    ///< gpu_memory::take_undrawn_was_read
    std::uint64_t cycles = 0;
    std::uint64_t primitives_in = 0;
    std::array<std::uint64_t, 4> primitives_out{}, vertices_out{}; ///< by stream, whether captured or not
    std::array<std::uint64_t, stage_count> invocations{};
};

class draw_executor {
public:
    virtual ~draw_executor() = default;
    /// Writes streamed-out vertices to `memory`; advances `position` if the draw completes.
    virtual draw_result run(const built_draw& draw, gpu_memory& memory, const stream_out_layout& layout,
                            stream_out_position& position) = 0;
    /// A copy of these bytes, between two draws: takes time only.
    virtual void transfer(std::uint64_t bytes) = 0;
    /// Simulated time of all draws and transfers so far; none if draws are not timed.
    virtual std::optional<std::uint64_t> nanoseconds() const = 0;
};

} // namespace isbesim::gl
