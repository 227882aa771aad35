// SPDX-License-Identifier: Apache-2.0
#include "models/pe/stages/batch_step.h"

namespace isbesim {

batch_step::batch_step(const step_parts& parts, unsigned level, later_step* next)
    : later_step(parts, level), capture_(parts.capture), next_(next)
{
}

bool batch_step::read_back(warp_task& task, isbe_access& isbe)
{
    auto& left = parts_[task];
    const auto round = task.round++;
    if (next_ != nullptr) {
        if (round == 0) return read_marked(task, isbe, left.marked);
        write_marked(task, isbe, left.marked);
        return false;
    }
    if (round == 0) {
        left.culled = 0;
        reads_.clear();
        if (capture_.add_reads_of_batch(reads_, task.context.output, task.result->vertices, left.captured)) {
            isbe.read_all(reads_);
            return true;
        }
        ++task.round;
    }
    return round < 2 && capture_.culls() && read_kept(task, left, isbe);
}

bool batch_step::read_kept(const warp_task& task, part& left, isbe_access& isbe)
{
    const auto& vertices = task.result->vertices;
    const auto k = vertices.primitive_vertices;
    const auto core = core_corners_of(k);
    const auto places = capture_.places(1);
    cull_counts dropped;
    left.kept.assign(1, 0);
    std::array<unsigned, max_primitive_vertices> corners{};
    for (unsigned p = 0; p < vertices.primitive_count(); ++p) {
        for (unsigned i = 0; i < core.count; ++i) corners[i] = vertices.corners[p * k + core.first + i * core.step];
        cull_.sort(corners.data(), core.count, left.captured.data(), places, dropped, left.kept);
    }
    left.culled = add_culled(dropped);
    reads_.clear();
    capture_.add_late_reads(reads_, task.context.output, left.kept, left.late);
    if (reads_.empty()) return false;
    isbe.read_all(reads_);
    return true;
}

void batch_step::finish(warp_task& task, isbe_access&, stream_output& output, task_host& host)
{
    if (next_ != nullptr) return next_->start(task, host);
    capture_.append_batch(output, task.result->vertices, parts_[task].captured);
    output.vertices = task.result->vertices.vertex_count;
    output.culled = parts_[task].culled;
}

} // namespace isbesim
