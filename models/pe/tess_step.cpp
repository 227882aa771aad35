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
      skew_(config.skew),
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
    if (make_next(source)) take_next(host.follow(parent, *this), host);
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

task_lines tess_step::lines(const warp_task& task) const
{
    const auto& made = task.result->vertices;
    return {0, space_lines(tess_output_needs(pipeline_, linked_, made.vertex_count, made.primitive_count()), skew_)};
}

void tess_step::prepare(warp_task& task, isbe_access& isbe, task_host& host)
{
    const auto& patches = *task.work;
    const auto& made = *task.result;
    set_up(
        task, linked_, patch_view(patches.space.layout, made.points.patch),
        place_space(tess_output_needs(pipeline_, linked_, made.vertices.vertex_count, made.vertices.primitive_count()),
                    task.output_lines.first, skew_));
    const auto& context = task.context;
    task.result->space.layout = context.output;

    // TS finds its coordinate among its own outputs (hardware.md A.2).
    const auto coordinate = [&](unsigned address, const per_lane<word>& values) {
        if (context.output.allocated.contains(address / 4))
            isbe.write(attribute_run(context.output, address / 4, 0, skew_), first_lanes(task.threads), values);
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
    if (next_ != nullptr || task.round != 0) return false;
    ++task.round;
    return capture_.read_batch(isbe, task.context.output, task.result->vertices, task.captured);
}

void tess_step::finish(warp_task& task, isbe_access& isbe, stream_output& output, task_host& host)
{
    const auto& made = *task.result;
    if (next_ != nullptr) {
        write_connectivity(made.vertices, made.space.layout, isbe, scratch_, made.vertices.primitive_vertices);
        next_->start(task, host);
        return;
    }
    capture_.append_batch(output, made.vertices, task.captured);
}

} // namespace isbesim
