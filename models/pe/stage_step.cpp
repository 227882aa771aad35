#include "models/pe/stage_step.h"

#include <stdexcept>

#include "models/pe/linking.h"

namespace isbesim {

namespace {

/// Words of a space, whole lines of ATTR first.
struct space_words {
    explicit space_words(const space_layout& space)
        : attributes(space.attr_bytes / 4), others((end_of(space) - space.map_base) / 4)
    {
    }
    unsigned attributes;
    unsigned others;
};

} // namespace

void stage_step::set_up(warp_task& task, const linked_stage& linked, const space_layout& input,
                        const space_layout& output)
{
    auto& context = task.context;
    context = isbesim::context{};
    context.stage = stage_;
    context.input = input;
    context.input.enabled = linked.input_enabled;
    context.output = output;
    context.output.enabled = linked.output_enabled;
    context.shared_spaces = task.shares || (level_ == 0 && linked.shares());
    if (linked.sharing != space_sharing::off && !context.shared_spaces) ++own_lines_;
    if (const auto& lines = task.work->space.lines;
        task.shares && end_of(output) > (lines.first + lines.count) * line_bytes)
        throw std::logic_error("stage_step: an output reaches beyond the lines that it shares");

    const auto& header = linked.program->header;
    auto& launch = task.launch;
    launch = warp_launch{};
    launch.program = &linked.program->program;
    launch.constants = &linked.program->constants;
    launch.stage = stage_;
    launch.lanes = first_lanes(task.threads);
    launch.local_bytes = header.local_memory_low_size + header.local_memory_high_size;
    for (unsigned lane = 0; lane < task.threads; ++lane)
        launch.special.thread_id[lane] = static_cast<word>(threads_launched_ + lane);
    threads_launched_ += task.threads;
}

bool stage_step::read_marked(warp_task& task, isbe_access& isbe, const linked_pipeline& pipeline)
{
    task.marked.clear();
    if (!task.context.shared_spaces || !pipeline.shares_behind(task.step->level())) return false;
    const auto& output = task.context.output;
    const space_words words(output);
    task.marked.resize(std::size_t{words.attributes} + words.others);
    read_words(isbe, output.attr_base, task.marked.data(), words.attributes);
    read_words(isbe, output.map_base, task.marked.data() + words.attributes, words.others);
    return !task.marked.empty();
}

void stage_step::write_marked(warp_task& task, isbe_access& isbe)
{
    if (task.marked.empty()) return;
    const auto& output = task.context.output;
    const space_words words(output);
    write_words(isbe, output.attr_base, task.marked.data(), words.attributes);
    write_words(isbe, output.map_base, task.marked.data() + words.attributes, words.others);
}

} // namespace isbesim
