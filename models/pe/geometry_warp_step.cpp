#include "models/pe/geometry_warp_step.h"

#include <algorithm>

namespace isbesim {

geometry_warp_step::geometry_warp_step(const linked_pipeline& pipeline, const capture_plan& capture,
                                       const isbe_config& config, unsigned level)
    : later_step(stage::geometry, level),
      pipeline_(pipeline),
      linked_(pipeline.stages[level]),
      capture_(capture),
      config_(config)
{
}

void geometry_warp_step::start(warp_task& parent, task_host& host)
{
    const auto threads = parent.result->vertices.primitive_count() * pipeline_.geometry_instances;
    for (unsigned first = 0; first < threads; first += pipeline_.geometry_threads) {
        auto& task = host.follow(parent, *this);
        task.first_thread = first;
        task.threads = std::min(pipeline_.geometry_threads, threads - first);
    }
}

task_lines geometry_warp_step::lines(const warp_task& task) const
{
    return {0, space_lines(geometry_output_needs(pipeline_, linked_, task.threads), config_.skew)};
}

void geometry_warp_step::prepare(warp_task& task, isbe_access&, task_host&)
{
    set_up(task, linked_, task.work->space.layout,
           place_space(geometry_output_needs(pipeline_, linked_, task.threads), task.output_lines.first, config_.skew));
    const auto& header = linked_.program->header;
    const auto maximum = pipeline_.fast_geometry ? 1 : header.max_output_vertex_count;
    task.context.geometry = {maximum, task.threads, static_cast<std::uint8_t>(header.stream_out_mask)};
    task.context.fast_geometry = pipeline_.fast_geometry;
    task.launch.fast_geometry = pipeline_.fast_geometry;

    auto& special = task.launch.special;
    for (unsigned lane = 0; lane < task.threads; ++lane) {
        const auto thread = task.first_thread + lane;
        const auto primitive = thread / pipeline_.geometry_instances;
        task.context.primitive[lane] = static_cast<std::uint8_t>(primitive);
        special.invocation_info[lane] = primitive | pipeline_.geometry_primitive_vertices << 16;
        special.invocation_id[lane] = thread % pipeline_.geometry_instances;
    }
}

} // namespace isbesim
