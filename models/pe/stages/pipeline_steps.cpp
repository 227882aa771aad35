// SPDX-License-Identifier: Apache-2.0
#include "models/pe/stages/pipeline_steps.h"

#include <algorithm>
#include <iterator>

namespace isbesim {

namespace {

made_step make_any_geometry_step(const step_parts& parts, unsigned level, later_step* next)
{
    return (parts.pipeline.geometry.fast ? make_fast_geometry_step : make_geometry_step)(parts, level, next);
}

struct stage_maker {
    isbesim::stage stage;
    made_step (*make)(const step_parts& parts, unsigned level, later_step* next);
};
constexpr stage_maker makers[] = {
    {stage::vertex_a, make_vertex_step},
    {stage::vertex, make_vertex_step},
    {stage::tess_init, make_tess_init_step},
    {stage::tess, make_tess_step},
    {stage::geometry, make_any_geometry_step},
    {stage::task, make_task_step},
    {stage::mesh, make_mesh_step},
};
static_assert(std::size(makers) + 1 == stage_count, "every stage but `none` has a step");

} // namespace

pipeline_steps::pipeline_steps(const linked_pipeline& pipeline, const draw_call& draw, const isbe_config& config)
    : fetch_(draw, pipeline.stages.front().input_allocated),
      capture_(draw.capture, pipeline.last(), config, pipeline.consumer)
{
    const step_parts parts{pipeline, draw, config, fetch_, capture_};
    later_step* next = nullptr;
    for (auto level = static_cast<unsigned>(pipeline.stages.size()); level-- > 0;) {
        const auto which = pipeline.stages[level].stage;
        const auto maker = std::find_if(std::begin(makers), std::end(makers),
                                        [&](const stage_maker& known) { return known.stage == which; });
        steps_.push_back(maker->make(parts, level, next));
        next = dynamic_cast<later_step*>(steps_.back().get());
    }
}

void pipeline_steps::add_to(pe_draw_counters& counters) const
{
    for (const auto& step : steps_) step->add_to(counters);
}

} // namespace isbesim
