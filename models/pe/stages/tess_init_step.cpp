// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "models/pe/linking/connectivity.h"
#include "models/pe/stages/pipeline_steps.h"
#include "models/pe/tasks/work.h"

namespace isbesim {

namespace {

/// The TI stage: one thread per output control point. A batch of patches is small enough for one warp (batches.h), and
/// the threads of a patch are neighbours, so that a thread finds another's outputs at handle LANEID - INVOCATION_ID +
/// index (HARDWARE.md D.5).
class tess_init_step final : public later_step {
public:
    tess_init_step(const step_parts& parts, unsigned level, later_step* next) : later_step(parts, level), next_(*next)
    {
    }

    void start(warp_task& parent, task_host& host) override
    {
        auto& task = host.spawn(parent, *this);
        task.shares = linked_.shares();
        const auto& patches = task.work->vertices;
        const auto threads = pipeline_.tess_init.threads;
        task.threads = patches.primitive_count() * threads;

        // The control points that TI makes: thread i of patch p is vertex i of primitive p.
        auto& result = host.make_result(task).vertices;
        result.instance = patches.instance;
        result.first_primitive = patches.first_primitive;
        result.ids = patches.ids;
        result.primitive_vertices = threads;
        result.vertex_count = task.threads;
        result.positions = 0;
        result.corners.resize(task.threads);
        for (unsigned lane = 0; lane < task.threads; ++lane) result.corners[lane] = static_cast<std::uint8_t>(lane);
    }
    task_lines lines(const warp_task& task) const override
    {
        if (task.shares) return {};
        return {0, space_lines(output_needs(task), config_.skew, room(task.result->vertices))};
    }
    void prepare(warp_task& task, isbe_access& isbe, task_host&) override
    {
        const auto& patches = task.work->vertices;
        const auto& input = task.work->space.layout;
        const auto needs = output_needs(task);
        set_up(task, input,
               task.shares ? place_over(input, needs, config_.skew)
                           : place_space(needs, task.output_lines.first, config_.skew, room(task.result->vertices)));
        auto& result = *task.result;
        write_connectivity(result.vertices, task.context.output, isbe, scratch_, patch_map_bytes, config_);
        result.space.layout = as_input(task.context.output);

        auto& special = task.launch.special;
        for (unsigned lane = 0; lane < task.threads; ++lane) {
            const auto patch = lane / pipeline_.tess_init.threads;
            task.context.primitive[lane] = static_cast<std::uint8_t>(patch);
            special.invocation_info[lane] = patch | patches.primitive_vertices << 16;
            special.invocation_id[lane] = lane % pipeline_.tess_init.threads;
            special.prim_type[lane] = patches.primitive_vertices << 8;
        }
    }
    bool read_back(warp_task& task, isbe_access& isbe) override
    {
        auto& kept = parts_[task];
        if (task.round++ != 0) {
            write_marked(task, isbe, kept.marked);
            return false;
        }
        const auto& space = task.context.output;
        kept.levels.resize(std::size_t{level_words} * warp_lanes);
        const auto stored = std::min(space.patch_words, level_words);
        for (unsigned i = 0; i < stored; ++i)
            isbe.read({space.patch_base + i * 4, space.patch_words * 4}, first_lanes(space.patch_count),
                      kept.levels.data() + i * warp_lanes);
        return read_marked(task, isbe, kept.marked) || stored != 0;
    }
    void finish(warp_task& task, isbe_access&, stream_output&, task_host& host) override
    {
        const auto& kept = parts_[task];
        auto& result = *task.result;
        result.patches.reset(result.vertices);
        // Levels for which the header leaves no room are those of the draw.
        auto words = words_of(pipeline_.tess.state.defaults);
        const auto stored = std::min(result.space.layout.patch_words, level_words);
        for (unsigned p = 0; p < result.space.layout.patch_count; ++p) {
            for (unsigned i = 0; i < stored; ++i) words[i] = kept.levels[i * warp_lanes + p];
            result.patches.set_levels(p, levels_of(words));
        }
        next_.start(task, host);
    }
    bool hands_over() const override { return true; }

private:
    struct part {
        std::vector<word> levels; ///< first word of all patches, then the second, ...
        std::vector<word> marked;
    };

    space_needs output_needs(const warp_task& task) const
    {
        return tess_init_output_needs(pipeline_, linked_, task.work->vertices.primitive_count());
    }

    later_step& next_;
    per_task<part> parts_;
    std::vector<word> scratch_;
};

} // namespace

made_step make_tess_init_step(const step_parts& parts, unsigned level, later_step* next)
{
    return std::make_unique<tess_init_step>(parts, level, next);
}

} // namespace isbesim
