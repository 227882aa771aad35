// SPDX-License-Identifier: Apache-2.0
// The task stage: one warp per workgroup of the draw. The grid of mesh workgroups and the payload, which it leaves at
// the start of its shared memory, go to each of these workgroups (HARDWARE.md D.6).
//
// *Choice*: the PE reads that part once and writes it, with the workgroup's index in word 0, into the input of each
// mesh workgroup; the task's lines are released after that read.
#pragma once

#include "models/pe/front_end/mesh.h"
#include "models/pe/stages/stage_step.h"

namespace isbesim {

class task_step final : public stage_step {
public:
    /// `next`: the mesh stage.
    task_step(const step_parts& parts, unsigned level, later_step* next);

    task_lines lines(const warp_task& task) const override;
    void prepare(warp_task& task, isbe_access& isbe, task_host& host) override;
    bool read_back(warp_task& task, isbe_access& isbe) override;
    void finish(warp_task& task, isbe_access& isbe, stream_output& output, task_host& host) override;
    void add_to(pe_draw_counters& counters) const override;

private:
    void take_grid(workgroup_grid& grid);

    later_step& next_;
    workgroup_warnings warnings_;
};

} // namespace isbesim
