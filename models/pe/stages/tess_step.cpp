// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "models/attribute/attribute_map.h"
#include "models/pe/linking/connectivity.h"
#include "models/pe/stages/batch_step.h"
#include "models/pe/stages/pipeline_steps.h"

namespace isbesim {

namespace {

/// The TS stage: one thread per domain point. Its warps are created one by one, each after the previous warp has got
/// its space, because a batch of patches can become thousands of warps.
class tess_step final : public batch_step {
public:
    tess_step(const step_parts& parts, unsigned level, later_step* next)
        : batch_step(parts, level, next), generator_(parts.pipeline.tess.state)
    {
    }

    void start(warp_task& parent, task_host& host) override
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
    task_lines lines(const warp_task& task) const override
    {
        if (task.shares) return {};
        return {0, space_lines(output_needs(task), config_.skew, room(task.result->vertices))};
    }
    void prepare(warp_task& task, isbe_access& isbe, task_host& host) override
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
                isbe.write(attribute_run(context.output, address / 4, 0, config_.skew), first_lanes(task.threads),
                           values);
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
    void add_to(pe_draw_counters& counters) const override
    {
        batch_step::add_to(counters);
        counters.losses[draw_loss::culled_patches] += generator_.culled();
    }

private:
    /// Returns false if nothing is left of the patches.
    bool make_next(batch_work& source)
    {
        return source.patches.next(generator_, pipeline_.tess.limits, pipeline_.tess.primitive_vertices, ahead_,
                                   ahead_points_);
    }
    void take_next(warp_task& task, task_host& host)
    {
        auto& made = host.make_result(task);
        std::swap(made.vertices, ahead_);
        made.points = ahead_points_;
        task.threads = made.vertices.vertex_count;
    }
    space_needs output_needs(const warp_task& task) const
    {
        const auto& made = task.result->vertices;
        return tess_output_needs(pipeline_, linked_, made.vertex_count, made.primitive_count());
    }

    tessellator generator_;
    batch ahead_; ///< the next batch, made before its task exists
    domain_points ahead_points_;
    std::vector<word> scratch_;
};

} // namespace

made_step make_tess_step(const step_parts& parts, unsigned level, later_step* next)
{
    return std::make_unique<tess_step>(parts, level, next);
}

} // namespace isbesim
