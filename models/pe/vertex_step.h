// The vertex stages: one thread per unique vertex of a batch. The first of them gets what vertex fetch supplies; VSb
// behind VSa reads what VSa left for the same vertices (hardware.md E.4), and the generated ids that it did not.
#pragma once

#include "models/pe/capture_plan.h"
#include "models/pe/stage_step.h"
#include "models/pe/vertex_fetch.h"

namespace isbesim {

class vertex_step final : public later_step {
public:
    /// The stage at `level` of the pipeline, VSa or VSb. `fetch`: what the first stage finds in its input. `next`: the
    /// next stage or none. Everything passed must outlive the step.
    vertex_step(const linked_pipeline& pipeline, const draw_call& draw, const vertex_fetch& fetch,
                const capture_plan& capture, const isbe_config& config, unsigned level, later_step* next);

    void start(warp_task& parent, task_host& host) override;
    task_lines lines(const warp_task& task) const override;
    void prepare(warp_task& task, isbe_access& isbe, task_host& host) override;
    bool read_back(warp_task& task, isbe_access& isbe) override;
    void finish(warp_task& task, isbe_access& isbe, stream_output& output, task_host& host) override;
    bool hands_over() const override { return next_ != nullptr; }

private:
    bool is_first() const { return level() == 0; }
    space_needs output_needs(const batch& vertices) const;
    shared_room room(const batch& vertices) const;
    space_pair place(const warp_task& task) const;
    void fill(const vertex_fetch& source, const batch& vertices, const space_layout& space, isbe_access& isbe) const;
    void write_levels(const space_layout& space, isbe_access& isbe);
    void write_output(const batch& vertices, const space_layout& output, isbe_access& isbe);

    const linked_pipeline& pipeline_;
    const linked_stage& linked_;
    const vertex_fetch& fetch_;
    vertex_fetch generated_; ///< VSa: what VSb finds among its inputs unless VSa writes it
    const capture_plan& capture_;
    isbe_config config_;
    later_step* next_;
    std::vector<word> scratch_;
};

} // namespace isbesim
