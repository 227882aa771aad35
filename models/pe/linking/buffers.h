// SPDX-License-Identifier: Apache-2.0
// Divides the lines of an ISBE among the stages of a draw: `pe.buffers`, HARDWARE.md F.2. README.md in this folder has
// a picture and shows why no division can deadlock or starve a stage.
#pragma once

#include <optional>
#include <vector>

#include "models/machine_config.h"
#include "tlm/stage.h"

namespace isbesim {

/// One stage's share of an ISBE. Lines are 128 bytes.
struct stage_share {
    unsigned warp = 0;    ///< of its largest warp: its output, and its own input unless `inputs` has that; may be 0
    unsigned first = 0;   ///< alpha_beta: first line of its ring
    unsigned lines = 0;   ///< alpha_beta: of its ring; unified: reserved for it. At least `warp`
    unsigned outputs = 0; ///< outputs that may be allocated at a time; 0: as many as fit
    unsigned inputs = 0;  ///< alpha_beta: lines of a ring for its own inputs alone, from line 0; 0: no such ring
    const char* key = ""; ///< configuration key of the size that limits its warps

    bool operator==(const stage_share& other) const
    {
        return warp == other.warp && first == other.first && lines == other.lines && outputs == other.outputs &&
               inputs == other.inputs;
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

/// A range of lines that cannot hold one warp of each of its stages.
struct line_shortage {
    const char* key = ""; ///< configuration key of the size that is too small
    unsigned needed = 0;
    unsigned available = 0;
    bool of_machine = false; ///< the configured sizes contradict each other, whatever the draw
};

/// A stage of a draw with the lines of its largest warp (stage_share::warp).
struct stage_need {
    isbesim::stage stage = stage::none;
    unsigned input = 0;    ///< lines of `warp` for an input of its own
    unsigned warp = 0;     ///< lines
    unsigned per_warp = 1; ///< warps per warp of the previous stage; 1 unless the draw determines it
};

/// `stages` by level.
std::optional<line_shortage> find_shortage(const machine_config& config, const std::vector<stage_need>& stages);
/// Requires that there is no shortage.
buffer_plan plan_buffers(const machine_config& config, const std::vector<stage_need>& stages);

} // namespace isbesim
