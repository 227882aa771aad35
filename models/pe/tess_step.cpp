#include "models/pe/tess_step.h"

#include <utility>

#include "models/attribute/attribute_map.h"
#include "models/pe/connectivity.h"

namespace isbesim {

tess_step::tess_step(const linked_pipeline& pipeline, const capture_plan& capture, const isbe_config& config,
                     unsigned level, later_step* next)
    : later_step(stage::tess, level),
      pipeline_(pipeline),
      linked_(pipeline.stages[level]),
      capture_(capture),
      config_(config),
      next_(next),
      generator_(pipeline.tessellation)
{
}

void tess_step::start(warp_task& parent, task_host& host)
{
    auto& source = *parent.result;
    if (!pipeline_.has(stage::tess_init)) {
        source.patches.reset(source.vertices);
        for (unsigned p = 0; p < source.vertices.primitive_count(); ++p)
            source.patches.set_levels(p, pipeline_.tessellation.defaults);
    }
    if (!make_next(source)) return;
    auto& task = host.follow(parent, *this);
    task.shares = linked_.shares() && !source.patches.more(generator_);
    take_next(task, host);
}

/// False when nothing is left of the patches.
bool tess_step::make_next(batch_work& source)
{
    return source.patches.next(generator_, pipeline_.tess_limits, pipeline_.tess_primitive_vertices, ahead_,
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

shared_room tess_step::room(const warp_task& task) const
{
    const auto& made = task.result->vertices;
    return room_behind(pipeline_, level(), made.vertex_count, made.primitive_count(), config_.skew);
}

task_lines tess_step::lines(const warp_task& task) const
{
    if (task.shares) return {};
    return {0, space_lines(output_needs(task), config_.skew, room(task))};
}

void tess_step::prepare(warp_task& task, isbe_access& isbe, task_host& host)
{
    const auto& patches = *task.work;
    const auto& made = *task.result;
    const auto needs = output_needs(task);
    set_up(task, linked_, patch_view(patches.space.layout, made.points.patch),
           task.shares ? place_over(patches.space.layout, needs, config_.skew)
                       : place_space(needs, task.output_lines.first, config_.skew, room(task)));
    const auto& context = task.context;
    write_connectivity(made.vertices, context.output, isbe, scratch_, made.vertices.primitive_vertices, config_);
    task.result->space.layout = as_input(context.output);

    // TS finds its coordinate among its own outputs (hardware.md A.2).
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

    if (make_next(*task.work)) take_next(host.repeat(task), host);
}

bool tess_step::read_back(warp_task& task, isbe_access& isbe)
{
    if (task.round++ != 0) {
        write_marked(task, isbe);
        return false;
    }
    return next_ != nullptr ? read_marked(task, isbe, pipeline_)
                            : capture_.read_batch(isbe, task.context.output, task.result->vertices, task.captured);
}

void tess_step::finish(warp_task& task, isbe_access&, stream_output& output, task_host& host)
{
    if (next_ == nullptr)
        capture_.append_batch(output, task.result->vertices, task.captured);
    else
        next_->start(task, host);
}

} // namespace isbesim
