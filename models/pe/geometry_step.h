// The geometry stage: one thread per (input primitive, instance) pair, in that order, so that collecting the threads
// in lane order gives API order (conformance OUT-12).
#pragma once

#include "models/isbe/gs_state.h"
#include "models/pe/capture_plan.h"
#include "models/pe/stage_step.h"

namespace isbesim {

class geometry_step final : public later_step {
public:
    /// `level`: position in the pipeline. Everything passed must outlive the step.
    geometry_step(const linked_pipeline& pipeline, const capture_plan& capture, const isbe_config& config,
                  unsigned level);

    void start(warp_task& parent, task_host& host) override;

    task_lines lines(const warp_task& task) const override;
    void prepare(warp_task& task, isbe_access& isbe, task_host& host) override;
    bool read_back(warp_task& task, isbe_access& isbe) override;
    void finish(warp_task& task, isbe_access& isbe, stream_output& output, task_host& host) override;

    /// Threads whose final state was invalid: their output is lost (conformance OUT-07).
    std::uint64_t lost_threads() const { return lost_threads_; }

private:
    void read_tokens(warp_task& task, isbe_access& isbe) const;
    void read_vertices(warp_task& task, isbe_access& isbe) const;
    word vertex_number(const warp_task& task, unsigned lane, unsigned slot) const;
    gs_token token(const warp_task& task, unsigned number) const;

    const linked_pipeline& pipeline_;
    const linked_stage& linked_;
    const capture_plan& capture_;
    isbe_config config_;
    std::uint64_t lost_threads_ = 0;
};

} // namespace isbesim
