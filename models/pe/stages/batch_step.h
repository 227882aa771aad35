// SPDX-License-Identifier: Apache-2.0
// A stage whose warps leave a batch of vertices each, VSa, VSb and TS: the next stage gets it, or stream-out after
// the last.
#pragma once

#include "models/pe/stages/stage_step.h"
#include "models/pe/tasks/per_task.h"

namespace isbesim {

class batch_step : public later_step {
public:
    /// `next`: the next stage or none.
    batch_step(const step_parts& parts, unsigned level, later_step* next);

    bool read_back(warp_task& task, isbe_access& isbe) override;
    void finish(warp_task& task, isbe_access& isbe, stream_output& output, task_host& host) override;
    bool hands_over() const override { return next_ != nullptr; }

private:
    struct part {
        std::vector<word> captured; ///< after the last stage
        std::vector<word> marked;   ///< otherwise
    };

    const capture_plan& capture_;
    later_step* next_;
    per_task<part> parts_;
    std::vector<run_read> reads_; ///< of the warp that is being read back
};

} // namespace isbesim
