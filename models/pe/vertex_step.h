// The first stage: one thread per unique vertex of a batch.
#pragma once

#include "models/pe/capture_plan.h"
#include "models/pe/stage_step.h"
#include "models/pe/vertex_fetch.h"

namespace isbesim {

class vertex_step final : public stage_step {
public:
    /// `next`: the next stage or none. Everything passed must outlive the step.
    vertex_step(const linked_pipeline& pipeline, const vertex_fetch& fetch, const capture_plan& capture,
                const isbe_config& config, later_step* next);

    task_lines lines(const warp_task& task) const override;
    void prepare(warp_task& task, isbe_access& isbe, task_host& host) override;
    bool read_back(warp_task& task, isbe_access& isbe) override;
    void finish(warp_task& task, isbe_access& isbe, stream_output& output, task_host& host) override;
    bool hands_over() const override { return next_ != nullptr; }

private:
    void write_levels(const batch_work& work, isbe_access& isbe);

    const linked_pipeline& pipeline_;
    const vertex_fetch& fetch_;
    const capture_plan& capture_;
    bool skew_;
    later_step* next_;
    std::vector<word> scratch_;
};

} // namespace isbesim
