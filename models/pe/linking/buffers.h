// SPDX-License-Identifier: Apache-2.0
// How the lines of an ISBE are divided among the stages of a draw: `pe.buffers`, HARDWARE.md F.2.
// README.md beside this has the picture, and why no division can deadlock or starve a stage.
#pragma once

#include <optional>
#include <vector>

#include "models/machine_config.h"
#include "tlm/stage.h"

namespace isbesim {

/// What one stage has of an ISBE. Lines are 128 bytes.
struct stage_share {
    unsigned warp = 0;    ///< of its largest warp: its output, of the first stage with its input; 0 where it needs none
    unsigned first = 0;   ///< alpha_beta: first line of its ring
    unsigned lines = 0;   ///< alpha_beta: the ring; unified: what the others leave to it. At least `warp`
    unsigned outputs = 0; ///< warps whose lines may be allocated at a time; 0: as many as fit

    bool operator==(const stage_share& other) const
    {
        return warp == other.warp && first == other.first && lines == other.lines && outputs == other.outputs;
    }
};

/// By level: position in the pipeline.
struct buffer_plan {
    buffer_rule rule = buffer_rule::unified;
    allocation_rule policy = allocation_rule::first_fit;
    unsigned lines = 0; ///< of the ISBE
    std::vector<stage_share> stages;

    bool operator==(const buffer_plan& other) const
    {
        return rule == other.rule && policy == other.policy && lines == other.lines && stages == other.stages;
    }
};

/// What a draw asks for and does not get: one warp of each of some stages does not fit.
struct line_shortage {
    const char* key = ""; ///< of the size that is too small
    unsigned needed = 0;
    unsigned available = 0;
    bool of_machine = false; ///< its own sizes do not fit, whatever the draw
};

/// A stage of a draw with the lines of its largest warp (stage_share::warp).
struct stage_need {
    isbesim::stage stage = stage::none;
    unsigned input = 0;    ///< lines of it that are its own input
    unsigned warp = 0;     ///< lines
    unsigned per_warp = 1; ///< warps for one of the stage before, as far as the draw says
};

/// `stages` by level.
std::optional<line_shortage> find_shortage(const machine_config& config, const std::vector<stage_need>& stages);
/// Without a shortage.
buffer_plan plan_buffers(const machine_config& config, const std::vector<stage_need>& stages);

} // namespace isbesim
