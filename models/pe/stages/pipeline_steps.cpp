// SPDX-License-Identifier: Apache-2.0
#include "models/pe/stages/pipeline_steps.h"

#include <algorithm>
#include <iterator>
#include <stdexcept>

namespace isbesim {
namespace {

/// Words of a space: whole lines of ATTR, then the other regions.
struct space_words {
    explicit space_words(const space_layout& space)
        : attributes(space.attr_bytes / 4), others((end_of(space) - space.map_base) / 4)
    {
    }
    unsigned attributes;
    unsigned others;
};

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

stage_step::stage_step(const step_parts& parts, unsigned level)
    : cull_(parts.draw.cull),
      pipeline_(parts.pipeline),
      linked_(parts.pipeline.stages[level]),
      config_(parts.config),
      level_(level)
{
}

void stage_step::add_to(pe_draw_counters& counters) const
{
    counters.own_lines[static_cast<std::size_t>(stage())] += own_lines_;
    for (std::size_t r = 0; r < culled_.values.size(); ++r) counters.culled.values[r] += culled_.values[r];
}

std::uint64_t stage_step::add_culled(const cull_counts& dropped)
{
    for (std::size_t r = 0; r < dropped.values.size(); ++r) culled_.values[r] += dropped.values[r];
    return sum_of(dropped);
}

shared_room stage_step::room(const batch& vertices) const
{
    return room_after(pipeline_, level_, vertices.vertex_count, vertices.primitive_count(), config_.skew);
}

void stage_step::write_vertex_id(const warp_task& task, isbe_access& isbe)
{
    per_lane<word> values{};
    values[0] = task.work->vertices.vertex[0];
    isbe.write({task.context.input.attr_base, 4}, all_lanes, values);
}

void stage_step::set_up(warp_task& task, const space_layout& input, const space_layout& output)
{
    auto& context = task.context;
    context = isbesim::context{};
    context.stage = stage();
    context.input = input;
    context.input.enabled = linked_.input_enabled;
    context.output = output;
    context.output.enabled = linked_.output_enabled;
    context.shared_spaces = task.shares || (level_ == 0 && linked_.shares());
    if (linked_.sharing != space_sharing::off && !context.shared_spaces) ++own_lines_;
    if (const auto& lines = task.work->space.lines;
        task.shares && end_of(output) > (lines.first + lines.count) * line_bytes)
        throw std::logic_error("an output beyond shared lines"); // GCOV_EXCL_LINE: only if room_after() is wrong

    const auto& header = linked_.program->header;
    auto& launch = task.launch;
    launch = warp_launch{};
    launch.program = &linked_.program->program;
    launch.constants = &linked_.program->constants;
    launch.textures = linked_.program->textures.get();
    launch.shared_bytes = linked_.program->shared_bytes;
    launch.windows = linked_.program->windows;
    launch.stage = stage();
    launch.omap = &header.omap;
    launch.lanes = first_lanes(task.threads);
    launch.local_bytes = header.local_memory_low_size + header.local_memory_high_size;
    for (unsigned lane = 0; lane < task.threads; ++lane)
        launch.special.thread_id[lane] = static_cast<word>(threads_launched_ + lane);
    threads_launched_ += task.threads;
}

bool stage_step::read_marked(const warp_task& task, isbe_access& isbe, std::vector<word>& marked) const
{
    marked.clear();
    if (!task.context.shared_spaces || !pipeline_.next_shares(level_)) return false;
    const auto& output = task.context.output;
    const space_words words(output);
    marked.resize(std::size_t{words.attributes} + words.others);
    read_words(isbe, output.attr_base, marked.data(), words.attributes);
    read_words(isbe, output.map_base, marked.data() + words.attributes, words.others);
    return !marked.empty();
}

void stage_step::write_marked(const warp_task& task, isbe_access& isbe, const std::vector<word>& marked)
{
    if (marked.empty()) return;
    const auto& output = task.context.output;
    const space_words words(output);
    write_words(isbe, output.attr_base, marked.data(), words.attributes);
    write_words(isbe, output.map_base, marked.data() + words.attributes, words.others);
}

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
