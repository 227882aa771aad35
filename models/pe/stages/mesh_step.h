// SPDX-License-Identifier: Apache-2.0
// The mesh stage: one warp per workgroup, of the draw or of a task's grid. The PE reads the primitive count and the
// indices that the warp left in the output MAP, then the captured attributes, and streams the primitives out in the
// order of their indices (HARDWARE.md D.4, D.6). The warps of a grid are created one by one, each after the previous
// warp has got its space, because a task can launch millions.
#pragma once

#include "models/pe/front_end/mesh.h"
#include "models/pe/stages/stage_step.h"
#include "models/pe/stream_out/mesh_capture.h"
#include "models/pe/tasks/per_task.h"

namespace isbesim {

class mesh_step final : public later_step {
public:
    mesh_step(const step_parts& parts, unsigned level);

    void start(warp_task& parent, task_host& host) override;
    task_lines lines(const warp_task& task) const override;
    void prepare(warp_task& task, isbe_access& isbe, task_host& host) override;
    bool read_back(warp_task& task, isbe_access& isbe) override;
    void finish(warp_task& task, isbe_access& isbe, stream_output& output, task_host& host) override;
    void add_to(pe_draw_counters& counters) const override;

private:
    struct part {
        unsigned workgroup = 0;      ///< index in the task's grid
        unsigned primitives = 0;     ///< primitives that the warp left
        std::vector<word> indices;   ///< index bytes, four per word; the count before they are read
        std::vector<lane_mask> used; ///< vertices used, per group of 32 output vertices
        std::vector<word> captured;
    };

    void write_payload(const warp_task& task, isbe_access& isbe);
    void take_count(part& left);
    void read_indices(const warp_task& task, part& left, isbe_access& isbe) const;
    bool read_attributes(const warp_task& task, part& left, isbe_access& isbe) const;
    unsigned index(const part& left, unsigned primitive, unsigned corner) const;
    bool is_good(const part& left, unsigned primitive) const;

    mesh_capture capture_;
    unsigned corners_; ///< vertices per primitive
    per_task<part> parts_;
    std::vector<word> scratch_;
    workgroup_warnings warnings_;
};

} // namespace isbesim
