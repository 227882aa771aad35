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

    task.threads = count;
    set_up(
        task, linked, place_space(vertex_input_needs(linked, count), task.input_lines.first, skew_),
        place_space(vertex_output_needs(pipeline_, count, vertices.primitive_count()), task.output_lines.first, skew_));
    const auto& context = task.context;
    task.work->space.layout = context.output;

    per_lane<word> values{};
    for (const auto& component : fetch_.components()) {
        fetch_.read(component, vertices, values);
        isbe.write(attribute_run(context.input, component.attribute, 0, skew_), first_lanes(count), values);
    }
}

bool vertex_step::read_back(warp_task& task, isbe_access& isbe)
{
    if (next_ != nullptr || task.round != 0) return false;
    ++task.round;
    return capture_.read_batch(isbe, task.context.output, task.result->vertices, task.captured);
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
    capture_.append_batch(output, work.vertices, task.captured);
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
