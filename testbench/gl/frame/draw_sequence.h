// SPDX-License-Identifier: Apache-2.0
// Successive draws on one machine, as in a frame: the subject of `pe.draws`.
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

/// When a draw was on the machine, in cycles from the first draw's begin.
struct draw_span {
    std::uint64_t begin = 0, end = 0;
};

struct sequence_result {
    std::vector<draw_span> draws;                         ///< as far as they ended
    std::string problem;                                  ///< why not all of them did, or empty
    std::array<std::uint64_t, stage_count> invocations{}; ///< threads launched, by stage
    std::uint64_t instructions = 0;                       ///< warp instructions issued
};

/// What draws run on. It refers to both.
struct sequence_machine {
    const machine_config& config;
    const testbench::isbe_backend& backend;
    sm_timing timing = sm_timing::by_cycle;
};

/// The draw at a place of the sequence.
using draw_loader = std::function<draw_call(std::size_t)>;
/// Draws of a capture by their numbers; both must outlive it. Throws what capture_reader::load() throws.
draw_loader draws_of(capture_reader& capture, const std::vector<std::size_t>& numbers);

/// Loads a draw when the one before it begins, so that few are in memory however many there are.
class draw_sequence final : private draw_events {
public:
    /// Where the vertices of the draw at a place go; it must stay until the run is over.
    using sink_source = std::function<vertex_sink&(std::size_t)>;

    /// What `machine` refers to must outlive this; `count` is at least 1.
    draw_sequence(draw_loader load, std::size_t count, const sequence_machine& machine);

    /// Once, before any other simulation of this process. Throws what loading and linking a draw throw.
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
    std::deque<draw_call> loaded_; ///< oldest first: those that have not ended, and the last one that has
    std::size_t next_ = 0;         ///< place of the next one to load
    sequence_result result_;
};

/// The same in a process of its own, which the vertices do not leave: a crash is a problem of the result.
sequence_result run_sequence_in_process(const draw_loader& load, std::size_t count, const sequence_machine& machine);

} // namespace isbesim::gl
