// SPDX-License-Identifier: Apache-2.0
// The TI stage: one thread per output control point. A batch of patches is small enough for one warp (batches.h), and
// the threads of a patch are neighbours, so that a thread finds another's outputs at handle LANEID - INVOCATION_ID +
// index (HARDWARE.md D.5).
#pragma once

#include "models/pe/stages/stage_step.h"
#include "models/pe/tasks/per_task.h"

namespace isbesim {

class tess_init_step final : public later_step {
public:
    tess_init_step(const step_parts& parts, unsigned level, later_step* next);

    void start(warp_task& parent, task_host& host) override;
    task_lines lines(const warp_task& task) const override;
    void prepare(warp_task& task, isbe_access& isbe, task_host& host) override;
    bool read_back(warp_task& task, isbe_access& isbe) override;
    void finish(warp_task& task, isbe_access& isbe, stream_output& output, task_host& host) override;
    bool hands_over() const override { return true; }

private:
    struct part {
        std::vector<word> levels; ///< first word of all patches, then the second, ...
        std::vector<word> marked;
    };

    space_needs output_needs(const warp_task& task) const;

    later_step& next_;
    per_task<part> parts_;
    std::vector<word> scratch_;
};

} // namespace isbesim
