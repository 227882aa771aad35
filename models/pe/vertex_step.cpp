#include "models/pe/vertex_step.h"

#include "models/pe/connectivity.h"

namespace isbesim {

vertex_step::vertex_step(const linked_pipeline& pipeline, const vertex_fetch& fetch, const capture_plan& capture,
                         const isbe_config& config, later_step* next)
    : stage_step(stage::vertex, 0),
      pipeline_(pipeline),
      fetch_(fetch),
      capture_(capture),
      skew_(config.skew),
      next_(next)
{
}

task_lines vertex_step::lines(const warp_task& task) const
{
    const auto& vertices = task.work->vertices;
    return {space_lines(vertex_input_needs(pipeline_.stages.front(), vertices.vertex_count), skew_),
            space_lines(vertex_output_needs(pipeline_, vertices.vertex_count, vertices.primitive_count()), skew_)};
}

void vertex_step::prepare(warp_task& task, isbe_access& isbe, task_host&)
{
    const auto& linked = pipeline_.stages.front();
    const auto& vertices = task.work->vertices;
    const auto count = vertices.vertex_count;

    auto& context = task.context;
    context = isbesim::context{};
    context.stage = stage();
    context.input = place_space(vertex_input_needs(linked, count), task.input_lines.first, skew_);
    context.input.enabled = linked.input_enabled;
    context.output =
        place_space(vertex_output_needs(pipeline_, count, vertices.primitive_count()), task.output_lines.first, skew_);
    context.output.enabled = linked.output_enabled;
    task.work->space.layout = context.output;

    per_lane<word> values{};
    for (const auto& component : fetch_.components()) {
        fetch_.read(component, vertices, values);
        isbe.write(attribute_run(context.input, component.attribute, 0, skew_), first_lanes(count), values);
    }

    auto& launch = task.launch;
    launch = warp_launch{};
    launch.program = &linked.program->program;
    launch.constants = &linked.program->constants;
    launch.stage = stage();
    launch.lanes = first_lanes(count);
    launch.local_bytes = linked.program->header.local_memory_low_size + linked.program->header.local_memory_high_size;
    for (unsigned lane = 0; lane < count; ++lane)
        launch.special.thread_id[lane] = static_cast<word>(threads_launched_ + lane);
    threads_launched_ += count;
    task.threads = count;
}

bool vertex_step::read_back(warp_task& task, isbe_access& isbe)
{
    if (next_ != nullptr || task.round != 0) return false;
    ++task.round;
    task.captured.resize(capture_.buffer_words(1));
    capture_.read(isbe, task.context.output, 0, first_lanes(task.threads), 1, task.captured.data());
    return !task.captured.empty();
}

void vertex_step::finish(warp_task& task, isbe_access& isbe, stream_output& output, task_host& host)
{
    const auto& work = *task.work;
    if (next_ != nullptr) {
        write_connectivity(work.vertices, work.space.layout, isbe, scratch_, pipeline_.map_stride);
        if (pipeline_.stages[1].stage == stage::tess) write_levels(work, isbe);
        next_->start(task, host);
        return;
    }
    auto& rows = output.streams[0];
    rows.primitive_vertices = work.vertices.primitive_vertices;
    for (const auto lane : work.vertices.corners) capture_.append(rows, 0, lane, 1, task.captured.data());
}

// Without a TI stage TS reads the draw's levels from the patch space all the same (conformance ALD-15).
void vertex_step::write_levels(const batch_work& work, isbe_access& isbe)
{
    const auto words = words_of(pipeline_.tessellation.defaults);
    scratch_.clear();
    for (unsigned p = 0; p < work.space.layout.patch_count; ++p)
        scratch_.insert(scratch_.end(), words.begin(), words.end());
    write_words(isbe, work.space.layout.patch_base, scratch_.data(), static_cast<unsigned>(scratch_.size()));
}

} // namespace isbesim
