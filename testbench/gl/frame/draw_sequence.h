// SPDX-License-Identifier: Apache-2.0
// Runs successive draws on one machine, as in a frame; `pe.draws` controls how they overlap.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <vector>

#include "models/machine_config.h"
#include "testbench/gl/capture/capture_reader.h"
#include "testbench/system/system.h"

namespace isbesim::gl {

/// Time of a draw on the machine, in cycles from the begin of the first draw.
struct draw_span {
    std::uint64_t begin = 0, end = 0;
};

struct sequence_result {
    std::vector<draw_span> draws;                         ///< those that ended
    std::string problem;                                  ///< reason if not all draws ended, else empty
    std::array<std::uint64_t, stage_count> invocations{}; ///< threads launched, by stage
    std::uint64_t instructions = 0;                       ///< warp instructions issued
};

/// The machine of a sequence. The referenced objects must outlive it.
struct sequence_machine {
    const machine_config& config;
    const testbench::isbe_backend& backend;
    sm_timing timing = sm_timing::by_cycle;
};

/// Loads the draw at a place of the sequence.
using draw_loader = std::function<draw_call(std::size_t)>;
/// Loads draws of a capture by number; both arguments must outlive it. Throws as capture_reader::load() does.
draw_loader draws_of(capture_reader& capture, const std::vector<std::size_t>& numbers);

/// Runs a sequence. Each draw is loaded when the previous draw begins, so only a few are in memory.
class draw_sequence final : private draw_events {
public:
    /// Receiver of the vertices of the draw at a place; must outlive the run.
    using sink_source = std::function<vertex_sink&(std::size_t)>;

    /// The objects to which `machine` refers must outlive this; `count` is at least 1.
    draw_sequence(draw_loader load, std::size_t count, const sequence_machine& machine);

    /// To be called once, before any other simulation in this process. Throws as loading and linking a draw do.
    sequence_result run(const sink_source& sink_of);

private:
    void draw_begins(const draw_call& draw) override;
    void draw_ended(const draw_run& run) override;
    bool load_next();

    draw_loader load_;
    std::size_t count_;
    sequence_machine machine_;
    const sink_source* sink_of_ = nullptr;
    testbench::simulated_system* system_ = nullptr;
    std::deque<draw_call> loaded_; ///< oldest first: draws that have not ended, and the last ended draw
    std::size_t next_ = 0;         ///< place of the next draw to load
    sequence_result result_;
};

/// The same in a separate process, without the vertices: a crash becomes the `problem` of the result.
sequence_result run_sequence_in_process(const draw_loader& load, std::size_t count, const sequence_machine& machine);

} // namespace isbesim::gl
