// SPDX-License-Identifier: Apache-2.0
// One shader stage of the linked pipeline, as a recipe for its warps. The PE (pe.h) drives every warp through the same
// life (space, input, BIND, launch, completion, reading back, release) and asks the step for the specifics of its
// stage. A new stage is a new step and a line in pipeline_steps.cpp.
#pragma once

#include <vector>

#include "models/pe/front_end/vertex_fetch.h"
#include "models/pe/linking/isbe_access.h"
#include "models/pe/linking/linking.h"
#include "models/pe/stages/draw_counters.h"
#include "models/pe/stream_out/capture_plan.h"
#include "models/pe/tasks/work.h"

namespace isbesim {

/// What all steps of a draw are made from. Everything but `config` must outlive the steps.
struct step_parts {
    const linked_pipeline& pipeline;
    const draw_call& draw;
    const isbe_config& config;
    const vertex_fetch& fetch;   ///< what the first vertex stage finds in its input
    const capture_plan& capture; ///< of the last stage; the mesh stage has its own
};

/// What a step may ask of the PE while it finishes a warp.
class task_host {
public:
    virtual ~task_host() = default;
    /// A new warp of `step` on the same SM that reads what `parent` left, in output order right before `parent`.
    virtual warp_task& spawn(warp_task& parent, stage_step& step) = 0;
    /// A new warp of the step of `task` that reads the same as it, next to it in output order.
    virtual warp_task& respawn(warp_task& task) = 0;
    /// Gives `task` a batch of its own to fill, empty but for stale storage.
    virtual batch_work& make_result(warp_task& task) = 0;
};

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
    /// The lines are there: fills task.context and task.launch (all but the slot) and queues the writes of its input.
    virtual void prepare(warp_task& task, isbe_access& isbe, task_host& host) = 0;
    /// The warp has ended, or the reads of the last round have responded: queues the next round of reads. False: none.
    virtual bool read_back(warp_task& task, isbe_access& isbe) = 0;
    /// Everything is read: fills `output` or starts warps of the next stage. The task's place in the output order is
    /// completed after this.
    virtual void finish(warp_task& task, isbe_access& isbe, stream_output& output, task_host& host) = 0;
    /// True when task.result->space stays until its readers have ended.
    virtual bool hands_over() const { return false; }

    /// Adds what the step has counted so far.
    virtual void add_to(pe_draw_counters& counters) const;

protected:
    const linked_pipeline& pipeline_;
    const linked_stage& linked_;
    const isbe_config config_;

    /// What every warp of the stage starts with: the context with its two spaces under the stage's maps, and the
    /// launch (all but the slot) of its program on task.threads lanes, whose thread ids go on from the stage's last
    /// warp.
    void set_up(warp_task& task, const space_layout& input, const space_layout& output);
    /// The index of a workgroup that no task launched: VERTEX_ID of the only vertex in the input space. *Choice*: the
    /// rest of its line is 0.
    static void write_vertex_id(const warp_task& task, isbe_access& isbe);
    /// What later stages put into the lines of an output that holds `made`.
    shared_room room(const batch& made) const;

    /// The overwritten marks of an output (micro-architecture section 4.7) mean nothing to the stage behind, but a
    /// stage that shares its input's lines would take them for its own. So if this warp and the next stage's both
    /// share, the PE takes them off: it reads the words into `marked` and writes them back. In the first of two rounds
    /// of read_back() queues the reads (false: nothing to do), in the second the writes.
    bool read_marked(const warp_task& task, isbe_access& isbe, std::vector<word>& marked) const;
    static void write_marked(const warp_task& task, isbe_access& isbe, const std::vector<word>& marked);

private:
    unsigned level_;
    std::uint64_t own_lines_ = 0;
    std::uint64_t threads_launched_ = 0;
};

/// A stage that reads what another one left.
class later_step : public stage_step {
public:
    using stage_step::stage_step;
    /// Starts its warps on task.result of `parent`, whose output space they share as their input.
    virtual void start(warp_task& parent, task_host& host) = 0;
};

} // namespace isbesim
