// SPDX-License-Identifier: Apache-2.0
// The units of work that move through the PE: a batch with the space that its stages pass on, and one warp of a stage.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "models/isa/execution/executor.h"
#include "models/isbe/functional/context.h"
#include "models/pe/front_end/batches.h"
#include "models/pe/linking/allocator.h"
#include "models/pe/stream_out/output_order.h"
#include "models/pe/tessellation/tessellator.h"

namespace isbesim {

/// The points that the lanes of a TS warp evaluate.
struct domain_points {
    unsigned patch = 0; ///< index in the batch of patches
    per_lane<word> u{}; ///< floats
    per_lane<word> v{};
};

/// Converts levels to their words in the patch space, and back.
std::array<word, level_words> words_of(const tessellation_levels& levels);
tessellation_levels levels_of(const std::array<word, level_words>& words);

/// The patches of a batch on their way through the tessellation generator: one patch at a time, cut into batches of at
/// most 32 domain points, which are the vertices that one TS warp evaluates. Batches are made one by one as they are
/// needed: a whole batch of patches can have a hundred thousand points. A warp works on one patch, so that its view can
/// be limited to that patch (patch_view, connectivity.h).
class patch_points {
public:
    /// Starts over with the patches of `source`, which must live until the last call of next() or more().
    void reset(const batch& source);
    void set_levels(unsigned patch, const tessellation_levels& levels) { levels_[patch] = levels; }

    /// Fills the next batch of vertices and primitives within `limits`. Returns false if nothing is left.
    bool next(tessellator& generator, const batch_limits& limits, unsigned primitive_vertices, batch& vertices,
              domain_points& points);
    /// True if next() has another batch.
    bool more(tessellator& generator);

private:
    const batch* source_ = nullptr;
    std::array<tessellation_levels, warp_lanes> levels_;
    unsigned next_patch_ = 0; ///< to be tessellated after `current_`
    tessellated_patch current_;
    std::size_t position_ = 0;       ///< next entry of current_.vertices
    std::vector<std::uint8_t> lane_; ///< by point of `current_`: its lane in the batch being made
};

class stage_step;
class draw_run;

/// A space that one stage wrote and the warps of the next stage read. The last of these warps releases its lines,
/// unless its own output is in them: then it passes them on.
struct handed_space {
    space_layout layout; ///< as_input() (connectivity.h); the reader sets `enabled`
    extent lines;
};

/// Mesh workgroups that one task launches, and the part of its shared memory that all of them see.
struct workgroup_grid {
    std::uint32_t workgroups = 0;
    std::vector<word> payload;
};

/// A batch on one SM with the space that holds it. It lives from the fetch, or from the tessellation stage that makes
/// its vertices, to the release of that space.
struct batch_work {
    draw_run* run = nullptr; ///< the draw of the batch
    batch vertices;          ///< in a mesh draw one vertex: the workgroup
    handed_space space;      ///< output of the stage that made the vertices, input of the next
    patch_points patches;    ///< patches that a TS stage reads: those left to evaluate
    domain_points points;    ///< domain points of the vertices that a TS stage makes
    workgroup_grid grid;     ///< mesh workgroups that a task stage launches
    unsigned warps = 0;      ///< warps that refer to this
};

enum class task_state : std::uint8_t {
    waiting,   ///< for ISBE lines or a warp slot
    preparing, ///< input is being written, BIND has not responded yet
    starting,  ///< its geometry threads wait for their turn
    running,   ///< on the SM
    reading,   ///< its output is being read back
    leaving,   ///< its vertices or primitives wait for their turn
};

/// One warp of one stage, from its place in the output order to its last read. Reused through a pool. Data that only
/// some stages need is kept by their steps (per_task).
struct warp_task {
    std::uint32_t index = 0; ///< in the pool; also the tag of its transactions and the index of its part in its step
    stage_step* step = nullptr;
    task_state state = task_state::waiting;
    unsigned site = 0;            ///< SM and ISBE
    batch_work* work = nullptr;   ///< the batch that it reads, in the first stage the batch that it shades
    batch_work* result = nullptr; ///< the batch that the next stage reads; null in a geometry stage
    output_order::ticket ticket;
    unsigned threads = 0;
    bool shares = false; ///< its output lies over its input, in work->space.lines (header bit 25)

    extent input_lines; ///< own input; released when the warp ends
    extent output_lines;
    isbesim::context context;
    warp_launch launch;
    std::uint64_t launched = 0; ///< cycle
    warp_completion completion;

    unsigned round = 0; ///< read rounds done
};

/// Passes the output lines of a finished warp to the batch that the next stage reads.
inline void hand_over_lines(warp_task& task)
{
    auto& lines = task.shares ? task.work->space.lines : task.output_lines;
    task.result->space.lines = lines;
    lines = {};
}

/// The warps and batches of a PE, in a pool for reuse: a running draw allocates no memory.
class work_pool {
public:
    /// A warp of `step` that reads `work`. Members that the step and the PE set are left from the last use.
    warp_task& take_task(stage_step& step, batch_work& work);
    void give_back(warp_task& task) { free_tasks_.push_back(&task); }

    batch_work& take_work(draw_run& run);
    void give_back(batch_work& work) { free_works_.push_back(&work); }

    /// While no warp is taken: takes them by index again.
    void rewind();

    warp_task& task(std::uint64_t index) { return *tasks_[index]; }
    bool has_tasks() const { return free_tasks_.size() != tasks_.size(); }
    /// The warps that are taken, by index.
    std::vector<const warp_task*> tasks() const;

private:
    // Pointers stay valid; free_tasks_ and free_works_ hold the objects that can be taken.
    std::vector<std::unique_ptr<warp_task>> tasks_;
    std::vector<warp_task*> free_tasks_;
    std::vector<std::unique_ptr<batch_work>> works_;
    std::vector<batch_work*> free_works_;
};

/// One `part` for each warp_task, by its index. A part outlives its warp, so that the next warp with that index reuses
/// its buffers; a step must set all that it reads.
template <typename part>
class per_task {
public:
    part& operator[](const warp_task& task)
    {
        if (task.index >= parts_.size()) parts_.resize(task.index + std::size_t{1});
        return parts_[task.index];
    }

private:
    std::deque<part> parts_; // references stay valid when it grows
};

} // namespace isbesim
