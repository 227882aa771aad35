// SPDX-License-Identifier: Apache-2.0
// Interfaces that receive built draws: a listener, whether they run or not, and an executor, which runs them.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>

#include "models/pe/front_end/draw.h"
#include "testbench/gl/chip/gpu_memory.h"
#include "testbench/gl/draws/draw_programs.h"
#include "testbench/gl/draws/stream_out.h"

namespace isbesim::gl {

/// A draw with the bytes that it was built from.
struct built_draw {
    const draw_call& call;
    const std::map<stage, const uploaded_program*>& programs;
    /// Memory that its programs may read: the buffers of the submission. Empty if no program reads memory.
    const std::vector<memory_extent>& memory;
};

class draw_listener {
public:
    virtual ~draw_listener() = default;
    /// The program has been started.
    virtual void begin() {}
    /// Called before the draw runs. Throws draw_refused if it can't be kept; the draw runs nevertheless.
    virtual void draw(const built_draw& draw) = 0;
    /// The program has shown a frame.
    virtual void end_frame() = 0;
};

/// Result of a draw. Plain data: it is sent between processes.
struct draw_result {
    bool done = false;
    std::array<char, 240> text{}; ///< reason if not done
    std::uint64_t traps = 0;      ///< warp instructions that raised an error; the warps went on
    std::array<char, 80> trap{};  ///< description of the first trap
    std::uint32_t trap_turn = 0;  ///< of the TPC that raised it
    bool read_undrawn = false;    ///< gpu_memory::take_undrawn_was_read
    std::uint64_t cycles = 0;
    std::uint64_t primitives_in = 0;
    std::array<std::uint64_t, 4> primitives_out{}, vertices_out{}; ///< by stream, whether captured or not
    std::array<std::uint64_t, stage_count> invocations{};

    /// Adds the result of another part of the draw, which ran at the same time.
    void add(const draw_result& other);
};

class draw_executor {
public:
    virtual ~draw_executor() = default;
    /// Runs a draw, after those that were begun. Writes streamed-out vertices to `memory`; advances `position` if the
    /// draw completes.
    virtual draw_result run(const built_draw& draw, gpu_memory& memory, const stream_out_layout& layout,
                            stream_out_position& position) = 0;
    /// Begins a draw that does not access memory and streams nothing out, and may return before it has ended: `ended`
    /// receives its result then, in the order of the draws, at the latest in settle().
    using end_of_draw = std::function<void(const draw_result&)>;
    virtual void begin(const built_draw& draw, gpu_memory& memory, const end_of_draw& ended)
    {
        stream_out_position none;
        ended(run(draw, memory, {}, none));
    }
    /// True if draws may overlap (`pe.draws`).
    virtual bool overlaps() const { return false; }
    /// Waits until all draws have ended.
    virtual void settle() {}
    /// A copy of these bytes, between two draws: takes time only.
    virtual void transfer(std::uint64_t bytes) = 0;
    /// Simulated time of all draws and transfers so far; none if draws are not timed.
    virtual std::optional<std::uint64_t> nanoseconds() const = 0;
};

} // namespace isbesim::gl
