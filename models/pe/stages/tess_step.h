// SPDX-License-Identifier: Apache-2.0
// The TS stage: one thread per domain point. Its warps are created one by one, each after the previous warp has got its
// space, because a batch of patches can become thousands of warps.
#pragma once

#include "models/pe/stages/batch_step.h"

namespace isbesim {

class tess_step final : public batch_step {
public:
    tess_step(const step_parts& parts, unsigned level, later_step* next);

    void start(warp_task& parent, task_host& host) override;
    task_lines lines(const warp_task& task) const override;
    void prepare(warp_task& task, isbe_access& isbe, task_host& host) override;

private:
    bool make_next(batch_work& source);
    void take_next(warp_task& task, task_host& host);
    space_needs output_needs(const warp_task& task) const;

    tessellator generator_;
    batch ahead_; ///< the next batch, made before its task exists
    domain_points ahead_points_;
    std::vector<word> scratch_;
};

} // namespace isbesim
