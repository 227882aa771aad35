// SPDX-License-Identifier: Apache-2.0
// A stage whose warps each output a batch of vertices (VSa, VSb, TS) to the next stage or, after the last stage, to
// stream-out.
#pragma once

#include "models/pe/stages/stage_step.h"
#include "models/pe/tasks/per_task.h"

namespace isbesim {

class batch_step : public later_step {
public:
    /// `next`: the next stage, or null.
    batch_step(const step_parts& parts, unsigned level, later_step* next);

    bool read_back(warp_task& task, isbe_access& isbe) override;
    void finish(warp_task& task, isbe_access& isbe, stream_output& output, task_host& host) override;
    bool hands_over() const override { return next_ != nullptr; }

private:
    struct part {
        std::vector<word> captured; ///< in the last stage
        std::vector<word> late;     ///< the rest of what a rasteriser keeps
        std::vector<lane_mask> kept;
        std::uint64_t culled = 0;
        std::vector<word> marked; ///< in any other stage
    };
    /// Queues a rasteriser's reads of the primitives that it keeps; false: no reads are needed.
    bool read_kept(const warp_task& task, part& left, isbe_access& isbe);

    const capture_plan& capture_;
    later_step* next_;
    per_task<part> parts_;
    std::vector<run_read> reads_; ///< of the warp that is being read back
};

} // namespace isbesim
