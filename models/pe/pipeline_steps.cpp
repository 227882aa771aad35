#include "models/pe/pipeline_steps.h"

namespace isbesim {

pipeline_steps::pipeline_steps(const linked_pipeline& pipeline, const draw_call& draw, const isbe_config& config)
    : fetch_(draw, pipeline.stages.front().input_allocated),
      capture_(draw.capture, pipeline.last(), config, pipeline.consumer)
{
    if (pipeline.has(stage::mesh)) {
        make_workgroup_steps(pipeline, draw, config);
        return;
    }
    // From the last stage back.
    auto level = static_cast<unsigned>(pipeline.stages.size());
    later_step* next = nullptr;
    if (pipeline.has(stage::geometry)) {
        --level;
        if (pipeline.fast_geometry)
            geometry_ = std::make_unique<fast_geometry_step>(
                pipeline, capture_, capture_plan(draw.capture, pipeline.stages[level - 1], config, pipeline.consumer),
                config, level);
        else
            geometry_ = std::make_unique<geometry_step>(pipeline, capture_, config, level);
        next = geometry_.get();
    }
    if (pipeline.has(stage::tess)) {
        tess_ = std::make_unique<tess_step>(pipeline, capture_, config, --level, next);
        next = tess_.get();
    }
    if (pipeline.has(stage::tess_init)) {
        tess_init_ = std::make_unique<tess_init_step>(pipeline, config, --level, *next);
        next = tess_init_.get();
    }
    vertex_ = std::make_unique<vertex_step>(pipeline, draw, fetch_, capture_, config, --level, next);
    first_ = vertex_.get();
    if (pipeline.has(stage::vertex_a)) {
        vertex_a_ = std::make_unique<vertex_step>(pipeline, draw, fetch_, capture_, config, --level, vertex_.get());
        first_ = vertex_a_.get();
    }
}

void pipeline_steps::make_workgroup_steps(const linked_pipeline& pipeline, const draw_call& draw,
                                          const isbe_config& config)
{
    const auto has_task = pipeline.has(stage::task);
    mesh_ = std::make_unique<mesh_step>(pipeline, draw.capture, config, has_task ? 1 : 0);
    first_ = mesh_.get();
    if (!has_task) return;
    task_ = std::make_unique<task_step>(pipeline, *mesh_);
    first_ = task_.get();
}

workgroup_lints pipeline_steps::workgroups() const
{
    workgroup_lints found;
    if (mesh_) found = mesh_->lints();
    if (task_) {
        found.cut_grids = task_->lints().cut_grids;
        found.uneven_grids = task_->lints().uneven_grids;
    }
    return found;
}

std::array<std::uint64_t, stage_count> pipeline_steps::own_lines() const
{
    std::array<std::uint64_t, stage_count> found{};
    for (const stage_step* step :
         {static_cast<const stage_step*>(vertex_a_.get()), static_cast<const stage_step*>(vertex_.get()),
          static_cast<const stage_step*>(tess_init_.get()), static_cast<const stage_step*>(tess_.get()),
          static_cast<const stage_step*>(geometry_.get())})
        if (step != nullptr) found[static_cast<std::size_t>(step->stage())] = step->own_lines();
    return found;
}

} // namespace isbesim
