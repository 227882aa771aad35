// SPDX-License-Identifier: Apache-2.0
// The steps of a linked pipeline, each connected to the step that reads its output.
#pragma once

#include <memory>
#include <vector>

#include "models/pe/stages/stage_step.h"

namespace isbesim {

/// The step of a stage, from the source file of its name. `next`: the step that reads its output; ignored by the
/// geometry and mesh stages, which are the last.
using made_step = std::unique_ptr<stage_step>;
made_step make_vertex_step(const step_parts& parts, unsigned level, later_step* next);
made_step make_tess_init_step(const step_parts& parts, unsigned level, later_step* next);
made_step make_tess_step(const step_parts& parts, unsigned level, later_step* next);
made_step make_geometry_step(const step_parts& parts, unsigned level, later_step* next);
made_step make_fast_geometry_step(const step_parts& parts, unsigned level, later_step* next);
made_step make_task_step(const step_parts& parts, unsigned level, later_step* next);
made_step make_mesh_step(const step_parts& parts, unsigned level, later_step* next);

class pipeline_steps {
public:
    /// `pipeline`: linked from `draw`; both must outlive this.
    pipeline_steps(const linked_pipeline& pipeline, const draw_call& draw, const isbe_config& config);
    pipeline_steps(const pipeline_steps&) = delete;
    pipeline_steps& operator=(const pipeline_steps&) = delete;

    stage_step& first() { return *steps_.back(); }
    const vertex_fetch& fetch() const { return fetch_; }
    /// Adds what the steps have counted so far.
    void add_to(pe_draw_counters& counters) const;

private:
    vertex_fetch fetch_;
    capture_plan capture_;
    std::vector<made_step> steps_; ///< the last stage first
};

} // namespace isbesim
