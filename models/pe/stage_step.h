// One shader stage of the linked pipeline, as a recipe for its warps. The PE (pe.h) drives every warp through the same
// life (space, input, BIND, launch, completion, reading back, release) and asks the step what is particular about its
// stage. A new stage is a new step.
#pragma once

#include "models/pe/isbe_access.h"
#include "models/pe/work.h"

namespace isbesim {

struct linked_pipeline;
struct linked_stage;

/// 128-byte lines that a warp allocates before it starts. Its input counts only when it is the warp's own, its output
/// unless that lies over what it reads (warp_task::shares).
struct task_lines {
    unsigned input = 0;
    unsigned output = 0;
};

/// What a step may ask of the PE while it finishes a warp.
class task_host {
public:
    virtual ~task_host() = default;
    /// A new warp of `step` on the same SM that reads what `parent` left, in output order right before `parent`.
    virtual warp_task& follow(warp_task& parent, stage_step& step) = 0;
    /// A new warp of the step of `task` that reads the same as it, in output order right behind it.
    virtual warp_task& repeat(warp_task& task) = 0;
    /// Gives `task` a batch of its own to fill, empty but for stale storage.
    virtual batch_work& make_result(warp_task& task) = 0;
};

class stage_step {
public:
    /// `level`: position in the pipeline, the allocator's level.
    stage_step(isbesim::stage stage, unsigned level) : stage_(stage), level_(level) {}
    virtual ~stage_step() = default;
    stage_step(const stage_step&) = delete;
    stage_step& operator=(const stage_step&) = delete;

    isbesim::stage stage() const { return stage_; }
    unsigned level() const { return level_; }

    virtual task_lines lines(const warp_task& task) const = 0;
    /// The lines are there: fills task.context and task.launch (all but the slot) and queues the writes of its input.
    virtual void prepare(warp_task& task, isbe_access& isbe, task_host& host) = 0;
    /// The warp has ended, or the reads of the last round are answered: queues the next round of reads. False: none.
    virtual bool read_back(warp_task& task, isbe_access& isbe) = 0;
    /// Everything is read: fills `output` or starts warps of the next stage. The task's place in the output order is
    /// completed after this.
    virtual void finish(warp_task& task, isbe_access& isbe, stream_output& output, task_host& host) = 0;
    /// True when task.result->space stays until its readers have ended.
    virtual bool hands_over() const { return false; }

    /// Warps so far whose output has lines of its own although header bit 25 is set (sharing.h).
    std::uint64_t own_lines() const { return own_lines_; }

protected:
    /// What every warp of the stage starts with: the context with its two spaces under the maps of `linked`, and the
    /// launch (all but the slot) of its program on task.threads lanes, whose thread ids go on from the stage's last
    /// warp.
    void set_up(warp_task& task, const linked_stage& linked, const space_layout& input, const space_layout& output);

    /// The overwritten marks of an output (micro-architecture section 4.7) mean nothing to the stage behind, but a
    /// stage that shares its input's lines would take them for its own. So if this warp and the next stage's both
    /// share, the PE takes them off: it reads the words and writes them back. In the first of two rounds of read_back()
    /// queues the reads (false: nothing to do), in the second the writes.
    static bool read_marked(warp_task& task, isbe_access& isbe, const linked_pipeline& pipeline);
    static void write_marked(warp_task& task, isbe_access& isbe);

private:
    isbesim::stage stage_;
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
