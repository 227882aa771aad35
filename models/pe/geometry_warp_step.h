// What the two kinds of geometry stages share: one thread per (input primitive, instance) pair, in that order, so that
// collecting the threads in lane order gives API order (conformance OUT-12).
#pragma once

#include "models/pe/capture_plan.h"
#include "models/pe/stage_step.h"

namespace isbesim {

class geometry_warp_step : public later_step {
public:
    /// `level`: position in the pipeline. Everything passed must outlive the step.
    geometry_warp_step(const linked_pipeline& pipeline, const capture_plan& capture, const isbe_config& config,
                       unsigned level);

    void start(warp_task& parent, task_host& host) override;
    task_lines lines(const warp_task& task) const override;
    void prepare(warp_task& task, isbe_access& isbe, task_host& host) override;

    /// Threads whose final state was invalid: their output is lost (conformance OUT-07).
    std::uint64_t lost_threads() const { return lost_threads_; }

protected:
    const linked_pipeline& pipeline_;
    const linked_stage& linked_;
    const capture_plan& capture_;
    isbe_config config_;
    std::uint64_t lost_threads_ = 0;
};

} // namespace isbesim
