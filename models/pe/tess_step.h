// The TS stage: one thread per domain point. Its warps are made one after the other, each when the one before it has
// got its space, because a batch of patches can become thousands of warps.
#pragma once

#include "models/pe/capture_plan.h"
#include "models/pe/stage_step.h"

namespace isbesim {

class tess_step final : public later_step {
public:
    /// `level`: position in the pipeline. `next`: the geometry stage or none. Everything passed must outlive the step.
    tess_step(const linked_pipeline& pipeline, const capture_plan& capture, const isbe_config& config, unsigned level,
              later_step* next);

    void start(warp_task& parent, task_host& host) override;
    task_lines lines(const warp_task& task) const override;
    void prepare(warp_task& task, isbe_access& isbe, task_host& host) override;
    bool read_back(warp_task& task, isbe_access& isbe) override;
    void finish(warp_task& task, isbe_access& isbe, stream_output& output, task_host& host) override;
    bool hands_over() const override { return next_ != nullptr; }

private:
    bool make_next(batch_work& source);
    void take_next(warp_task& task, task_host& host);
    space_needs output_needs(const warp_task& task) const;
    shared_room room(const warp_task& task) const;

    const linked_pipeline& pipeline_;
    const linked_stage& linked_;
    const capture_plan& capture_;
    isbe_config config_;
    later_step* next_;
    tessellator generator_;
    batch ahead_; ///< made before there is a task to own it
    domain_points ahead_points_;
    std::vector<word> scratch_;
};

} // namespace isbesim
