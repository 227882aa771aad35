// SPDX-License-Identifier: Apache-2.0
// The steps of a linked pipeline, each connected to the step that reads its output.
#pragma once

#include <memory>
#include <vector>

#include "models/pe/front_end/vertex_fetch.h"
#include "models/pe/linking/connectivity.h"
#include "models/pe/linking/linking.h"
#include "models/pe/stages/draw_counters.h"
#include "models/pe/stream_out/capture.h"
#include "models/pe/tasks/work.h"

namespace isbesim {

/// Shared by all steps of a draw. All members except `config` must outlive the steps.
struct step_parts {
    const linked_pipeline& pipeline;
    const draw_call& draw;
    const isbe_config& config;
    const vertex_fetch& fetch;   ///< source of the input of the first vertex stage
    const capture_plan& capture; ///< of the last stage; the mesh stage has its own
};

/// Services of the PE for a step that prepares or finishes a warp.
class task_host {
public:
    virtual ~task_host() = default;
    /// Creates a warp of `step` on the same SM that reads the output of `parent`, ordered right before `parent`.
    virtual warp_task& spawn(warp_task& parent, stage_step& step) = 0;
    /// Creates a warp of the step of `task` that reads the same input, ordered right after `task`.
    virtual warp_task& respawn(warp_task& task) = 0;
    /// Gives `task` a result batch to fill, whose contents are stale.
    virtual batch_work& make_result(warp_task& task) = 0;
};

/// One shader stage of the linked pipeline, as a recipe for its warps. The PE (pe.h) drives every warp through the same
/// life (space, input, BIND, launch, completion, reading back, release) and calls the step for the specifics of its
/// stage. A new stage needs a new step and a line in pipeline_steps.cpp.
class stage_step {
public:
    /// `level`: position in the pipeline, the allocator's level.
    stage_step(const step_parts& parts, unsigned level);
    virtual ~stage_step() = default;
    stage_step(const stage_step&) = delete;
    stage_step& operator=(const stage_step&) = delete;

    isbesim::stage stage() const { return linked_.stage; }
    unsigned level() const { return level_; }

    virtual task_lines lines(const warp_task& task) const = 0;
    /// Called after the lines are allocated: fills task.context and task.launch (except the slot), queues input writes.
    virtual void prepare(warp_task& task, isbe_access& isbe, task_host& host) = 0;
    /// Called after the warp has ended and after each round of reads: queues the next round. False if there is no more.
    virtual bool read_back(warp_task& task, isbe_access& isbe) = 0;
    /// Called after the last round: fills `output` or starts warps of the next stage. After this call, the task's place
    /// in the output order is completed.
    virtual void finish(warp_task& task, isbe_access& isbe, stream_output& output, task_host& host) = 0;
    /// True if task.result->space stays allocated until its readers have ended.
    virtual bool hands_over() const { return false; }

    /// Adds what the step has counted so far.
    virtual void add_to(pe_draw_counters& counters) const;

protected:
    /// In a draw's last stage: primitives that the rasteriser has dropped (pe.consumer rasteriser).
    cull_counts culled_;
    const culling cull_;
    /// Adds `dropped` to `culled_`. Returns the sum of `dropped`.
    std::uint64_t add_culled(const cull_counts& dropped);
    const linked_pipeline& pipeline_;
    const linked_stage& linked_;
    const isbe_config config_;

    /// Sets the common start of every warp of the stage: the context with its two spaces and the maps of the stage, and
    /// the launch (except the slot) of its program on task.threads lanes, whose thread ids continue after the stage's
    /// last warp.
    void set_up(warp_task& task, const space_layout& input, const space_layout& output);
    /// Writes the index of a workgroup that no task launched: VERTEX_ID of the only vertex in the input space.
    /// *Choice*: the rest of its line is 0.
    static void write_vertex_id(const warp_task& task, isbe_access& isbe);
    /// Room for outputs of later stages in the lines of an output that holds `vertices`.
    shared_room room(const batch& vertices) const;

    /// The overwritten marks of an output (micro-architecture section 4.7) mean nothing to the next stage, but a stage
    /// that shares the lines of its input would take them for its own. So if this warp and the next stage both share,
    /// the PE clears them: it reads the words into `marked` and writes them back. The first of two rounds of
    /// read_back() queues the reads (false: nothing to do), the second queues the writes.
    bool read_marked(const warp_task& task, isbe_access& isbe, std::vector<word>& marked) const;
    static void write_marked(const warp_task& task, isbe_access& isbe, const std::vector<word>& marked);

private:
    unsigned level_;
    std::uint64_t own_lines_ = 0;
    std::uint64_t threads_launched_ = 0;
};

/// A stage that reads the output of another stage.
class later_step : public stage_step {
public:
    using stage_step::stage_step;
    /// Starts its warps on task.result of `parent`. All of them use the output space of `parent` as their input.
    virtual void start(warp_task& parent, task_host& host) = 0;
};

/// The step of a stage. `next`: the step that reads its output; ignored by the
/// geometry and mesh stages, which are the last.
using made_step = std::unique_ptr<stage_step>;
made_step make_vertex_step(const step_parts& parts, unsigned level, later_step* next);
made_step make_tess_init_step(const step_parts& parts, unsigned level, later_step* next);
made_step make_tess_step(const step_parts& parts, unsigned level, later_step* next);
made_step make_geometry_step(const step_parts& parts, unsigned level, later_step* next);
made_step make_fast_geometry_step(const step_parts& parts, unsigned level, later_step* next);
made_step make_task_step(const step_parts& parts, unsigned level, later_step* next);
made_step make_mesh_step(const step_parts& parts, unsigned level, later_step* next);

class pipeline_steps {
public:
    /// `pipeline`: linked from `draw`; both must outlive this.
    pipeline_steps(const linked_pipeline& pipeline, const draw_call& draw, const isbe_config& config);
    pipeline_steps(const pipeline_steps&) = delete;
    pipeline_steps& operator=(const pipeline_steps&) = delete;

    stage_step& first() { return *steps_.back(); }
    const vertex_fetch& fetch() const { return fetch_; }
    /// Adds what the steps have counted so far.
    void add_to(pe_draw_counters& counters) const;

private:
    vertex_fetch fetch_;
    capture_plan capture_;
    std::vector<made_step> steps_; ///< the last stage first
};

} // namespace isbesim
