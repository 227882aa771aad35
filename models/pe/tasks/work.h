// SPDX-License-Identifier: Apache-2.0
// The units of work that move through the PE: a batch with the space that its stages hand on, and one warp of a stage.
#pragma once

#include <cstdint>
#include <vector>

#include "models/isa/execution/warp_launch.h"
#include "models/isbe/functional/context.h"
#include "models/pe/front_end/batches.h"
#include "models/pe/linking/allocator.h"
#include "models/pe/stream_out/output_order.h"
#include "models/pe/tasks/patch_points.h"

namespace isbesim {

class stage_step;
class draw_run;

/// A space that one stage wrote and the warps of the next stage read. The last of them releases its lines, unless its
/// own output lies there too: then it hands them on.
struct handed_space {
    space_layout layout; ///< as_input() (connectivity.h); `enabled` is the reader's business
    extent lines;
};

/// Mesh workgroups that one task launches, and the part of its shared memory that they all see.
struct workgroup_grid {
    std::uint32_t workgroups = 0;
    std::vector<word> payload;
};

/// A batch on one SM with the space that holds it: from the fetch, or from the tessellation stages, which make new
/// vertices, to the release of that space.
struct batch_work {
    draw_run* run = nullptr; ///< the draw that it is of
    batch vertices;          ///< of a mesh draw one vertex, the workgroup
    handed_space space;      ///< output of the stage that made the vertices, input of the next
    patch_points patches;    ///< patches that a TS stage reads: the part left to evaluate
    domain_points points;    ///< vertices that a TS stage makes: what they stand for
    workgroup_grid grid;     ///< what a task stage launches
    unsigned warps = 0;      ///< warps that refer to this
};

enum class task_state : std::uint8_t {
    waiting,   ///< for ISBE lines or a warp slot
    preparing, ///< input is being written, BIND has not responded yet
    running,   ///< on the SM
    reading,   ///< its output is being read back
};

/// One warp of one stage, from its place in the output order to its last read. Reused through a pool. What only some
/// stages need of a warp is with their steps (per_task.h).
struct warp_task {
    std::uint32_t index = 0; ///< in the pool; the tag of its transactions, the place of its part in its step
    stage_step* step = nullptr;
    task_state state = task_state::waiting;
    unsigned site = 0;            ///< SM and ISBE
    batch_work* work = nullptr;   ///< what it reads; of the first stage what it shades
    batch_work* result = nullptr; ///< what the next stage reads; none after a geometry stage
    output_order::ticket ticket;
    unsigned threads = 0;
    bool shares = false; ///< its output lies where its input does, in work->space.lines (header bit 25)

    extent input_lines; ///< own input; released when the warp ends
    extent output_lines;
    isbesim::context context;
    warp_launch launch;
    std::uint64_t launched = 0; ///< cycle
    warp_completion completion;

    unsigned round = 0; ///< read rounds done
};

/// Gives the lines of a finished warp's output to the batch that the next stage reads.
inline void hand_over_lines(warp_task& task)
{
    auto& lines = task.shares ? task.work->space.lines : task.output_lines;
    task.result->space.lines = lines;
    lines = {};
}

} // namespace isbesim
