// SPDX-License-Identifier: Apache-2.0
#include "models/pe/stages/batch_step.h"

namespace isbesim {

batch_step::batch_step(const step_parts& parts, unsigned level, later_step* next)
    : later_step(parts, level), capture_(parts.capture), next_(next)
{
}

bool batch_step::read_back(warp_task& task, isbe_access& isbe)
{
    auto& kept = parts_[task];
    if (task.round++ != 0) {
        write_marked(task, isbe, kept.marked);
        return false;
    }
    if (next_ != nullptr) return read_marked(task, isbe, kept.marked);
    reads_.clear();
    if (!capture_.add_reads_of_batch(reads_, task.context.output, task.result->vertices, kept.captured)) return false;
    isbe.read_all(reads_);
    return true;
}

void batch_step::finish(warp_task& task, isbe_access&, stream_output& output, task_host& host)
{
    if (next_ == nullptr)
        capture_.append_batch(output, task.result->vertices, parts_[task].captured);
    else
        next_->start(task, host);
}

} // namespace isbesim
