// SPDX-License-Identifier: Apache-2.0
// The vertex stages: one thread per unique vertex of a batch. The first reads the data of vertex fetch; VSb after VSa
// reads VSa's output for the same vertices (HARDWARE.md E.4), and generated ids that VSa does not write.
#pragma once

#include "models/pe/stages/batch_step.h"

namespace isbesim {

class vertex_step final : public batch_step {
public:
    /// VSa or VSb, whichever is at `level`.
    vertex_step(const step_parts& parts, unsigned level, later_step* next);

    void start(warp_task& parent, task_host& host) override;
    task_lines lines(const warp_task& task) const override;
    void prepare(warp_task& task, isbe_access& isbe, task_host& host) override;

private:
    bool is_first() const { return level() == 0; }
    space_needs output_needs(const batch& vertices) const;
    space_pair place(const warp_task& task) const;
    void fill(const vertex_fetch& source, const batch& vertices, const space_layout& space, isbe_access& isbe) const;
    void write_levels(const space_layout& space, isbe_access& isbe);
    void write_output(const batch& vertices, const space_layout& output, isbe_access& isbe);

    const vertex_fetch& fetch_;
    vertex_fetch generated_; ///< VSa: the generated ids that VSb reads unless VSa writes them
    std::vector<word> scratch_;
};

} // namespace isbesim
