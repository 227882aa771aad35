// The mesh stage: a warp per workgroup, of the draw or of a task's grid. The PE reads the primitive count and the
// indices that the warp left in the output MAP, then the captured attributes, and streams the primitives out in the
// order of their indices (hardware.md D.4, D.6). The workgroups of a grid are made one after the other, each when the
// one before it has got its space, because a task can launch millions.
#pragma once

#include "models/pe/mesh.h"
#include "models/pe/mesh_capture.h"
#include "models/pe/stage_step.h"

namespace isbesim {

struct linked_pipeline;
struct linked_stage;

class mesh_step final : public later_step {
public:
    /// Behind a task stage `level` is 1, alone 0. Everything passed must outlive the step.
    mesh_step(const linked_pipeline& pipeline, const capture_list& capture, const isbe_config& config, unsigned level);

    void start(warp_task& parent, task_host& host) override;
    task_lines lines(const warp_task& task) const override;
    void prepare(warp_task& task, isbe_access& isbe, task_host& host) override;
    bool read_back(warp_task& task, isbe_access& isbe) override;
    void finish(warp_task& task, isbe_access& isbe, stream_output& output, task_host& host) override;

    const workgroup_lints& lints() const { return lints_; }

private:
    void write_payload(const warp_task& task, isbe_access& isbe);
    void take_count(warp_task& task);
    void read_indices(warp_task& task, isbe_access& isbe) const;
    bool read_attributes(warp_task& task, isbe_access& isbe) const;
    unsigned index(const warp_task& task, unsigned primitive, unsigned corner) const;
    bool is_good(const warp_task& task, unsigned primitive) const;

    const linked_pipeline& pipeline_;
    const linked_stage& linked_;
    mesh_capture capture_;
    isbe_config config_;
    unsigned corners_; ///< vertices per primitive
    std::vector<word> scratch_;
    workgroup_lints lints_;
};

} // namespace isbesim
