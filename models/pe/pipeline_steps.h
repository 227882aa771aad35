// The steps of a linked pipeline, each one told who reads what it leaves.
#pragma once

#include <array>
#include <memory>

#include "models/pe/fast_geometry_step.h"
#include "models/pe/geometry_step.h"
#include "models/pe/linking.h"
#include "models/pe/mesh_step.h"
#include "models/pe/task_step.h"
#include "models/pe/tess_init_step.h"
#include "models/pe/tess_step.h"
#include "models/pe/vertex_step.h"

namespace isbesim {

class pipeline_steps {
public:
    /// `pipeline`: linked from `draw`; both must outlive this.
    pipeline_steps(const linked_pipeline& pipeline, const draw_call& draw, const isbe_config& config);
    pipeline_steps(const pipeline_steps&) = delete;
    pipeline_steps& operator=(const pipeline_steps&) = delete;

    stage_step& first() { return *first_; }
    const vertex_fetch& fetch() const { return fetch_; }
    /// Null without a geometry program.
    const geometry_warp_step* geometry() const { return geometry_.get(); }
    /// What task and mesh programs left undefined.
    workgroup_lints workgroups() const;
    /// stage_step::own_lines() by stage.
    std::array<std::uint64_t, stage_count> own_lines() const;

private:
    void make_workgroup_steps(const linked_pipeline& pipeline, const draw_call& draw, const isbe_config& config);

    vertex_fetch fetch_;
    capture_plan capture_;
    std::unique_ptr<geometry_warp_step> geometry_;
    std::unique_ptr<tess_step> tess_;
    std::unique_ptr<tess_init_step> tess_init_;
    std::unique_ptr<vertex_step> vertex_;
    std::unique_ptr<vertex_step> vertex_a_;
    std::unique_ptr<mesh_step> mesh_;
    std::unique_ptr<task_step> task_;
    stage_step* first_ = nullptr;
};

} // namespace isbesim
