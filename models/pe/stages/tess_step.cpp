// SPDX-License-Identifier: Apache-2.0
#include "models/pe/stages/tess_step.h"

#include <utility>

#include "models/attribute/attribute_map.h"
#include "models/pe/linking/connectivity.h"

namespace isbesim {

tess_step::tess_step(const step_parts& parts, unsigned level, later_step* next)
    : batch_step(parts, level, next), generator_(parts.pipeline.tess.state)
{
}

void tess_step::start(warp_task& parent, task_host& host)
{
    auto& source = *parent.result;
    if (!pipeline_.has(stage::tess_init)) {
        source.patches.reset(source.vertices);
        for (unsigned p = 0; p < source.vertices.primitive_count(); ++p)
            source.patches.set_levels(p, pipeline_.tess.state.defaults);
    }
    if (!make_next(source)) return;
    auto& task = host.spawn(parent, *this);
    task.shares = linked_.shares() && !source.patches.more(generator_);
    take_next(task, host);
}

/// Returns false if nothing is left of the patches.
bool tess_step::make_next(batch_work& source)
{
    return source.patches.next(generator_, pipeline_.tess.limits, pipeline_.tess.primitive_vertices, ahead_,
                               ahead_points_);
}

void tess_step::take_next(warp_task& task, task_host& host)
{
    auto& made = host.make_result(task);
    std::swap(made.vertices, ahead_);
    made.points = ahead_points_;
    task.threads = made.vertices.vertex_count;
}

space_needs tess_step::output_needs(const warp_task& task) const
{
    const auto& made = task.result->vertices;
    return tess_output_needs(pipeline_, linked_, made.vertex_count, made.primitive_count());
}

task_lines tess_step::lines(const warp_task& task) const
{
    if (task.shares) return {};
    return {0, space_lines(output_needs(task), config_.skew, room(task.result->vertices))};
}

void tess_step::prepare(warp_task& task, isbe_access& isbe, task_host& host)
{
    const auto& patches = *task.work;
    const auto& made = *task.result;
    const auto needs = output_needs(task);
    set_up(task, patch_view(patches.space.layout, made.points.patch),
           task.shares ? place_over(patches.space.layout, needs, config_.skew)
                       : place_space(needs, task.output_lines.first, config_.skew, room(task.result->vertices)));
    const auto& context = task.context;
    write_connectivity(made.vertices, context.output, isbe, scratch_, made.vertices.primitive_vertices, config_);
    task.result->space.layout = as_input(context.output);

    // TS finds its coordinate among its own outputs (HARDWARE.md A.2).
    const auto coordinate = [&](unsigned address, const per_lane<word>& values) {
        if (context.output.allocated.contains(address / 4))
            isbe.write(attribute_run(context.output, address / 4, 0, config_.skew), first_lanes(task.threads), values);
    };
    coordinate(attribute_address::tess_eval_u, made.points.u);
    coordinate(attribute_address::tess_eval_v, made.points.v);

    const auto k = patches.vertices.primitive_vertices;
    for (unsigned lane = 0; lane < task.threads; ++lane) {
        task.launch.special.invocation_info[lane] = k << 16;
        task.launch.special.prim_type[lane] = k << 8;
    }

    if (make_next(*task.work)) take_next(host.respawn(task), host);
}

} // namespace isbesim
