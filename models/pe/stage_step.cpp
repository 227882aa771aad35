#include "models/pe/stage_step.h"

#include "models/pe/linking.h"

namespace isbesim {

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

} // namespace isbesim
