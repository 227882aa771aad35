// SPDX-License-Identifier: Apache-2.0
// The common part of the two geometry stages: one thread per (input primitive, instance) pair, in that order, so that
// collecting the threads in lane order gives API order (conformance OUT-12).
//
// The output MAP (HARDWARE.md D.4): without output state, its contents are known before the warp starts: one primitive
// per thread, with vertex i from thread i. With output state, the count is 0 at first, and the PE writes the true count
// after it has collected the warp (geometry_step.cpp).
#pragma once

#include "models/pe/stages/stage_step.h"
#include "models/pe/tasks/per_task.h"

namespace isbesim {

class geometry_warp_step : public later_step {
public:
    geometry_warp_step(const step_parts& parts, unsigned level);

    void start(warp_task& parent, task_host& host) override;
    task_lines lines(const warp_task& task) const override;
    void prepare(warp_task& task, isbe_access& isbe, task_host& host) override;

protected:
    struct part {
        unsigned first_thread = 0; ///< (primitive, instance) pair of lane 0
        std::vector<word> captured;
    };

    /// Writes the primitive count at the start of the output MAP.
    void write_count(const warp_task& task, word count, isbe_access& isbe) const;

    const capture_plan& capture_;
    per_task<part> parts_;
    std::vector<run_read> reads_; ///< of the warp that is being read back

private:
    space_needs output_needs(const warp_task& task) const;
    void write_vertices(const warp_task& task, isbe_access& isbe) const;
};

} // namespace isbesim
