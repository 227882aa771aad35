// SPDX-License-Identifier: Apache-2.0
#include "models/pe/tasks/work.h"

#include <algorithm>

#include "tlm/float_bits.h"

namespace isbesim {

warp_task& work_pool::take_task(stage_step& step, batch_work& work)
{
    if (free_tasks_.empty()) {
        tasks_.push_back(std::make_unique<warp_task>());
        tasks_.back()->index = static_cast<std::uint32_t>(tasks_.size() - 1);
        free_tasks_.push_back(tasks_.back().get());
    }
    auto& task = *free_tasks_.back();
    free_tasks_.pop_back();
    task.step = &step;
    task.state = task_state::waiting;
    task.work = &work;
    task.result = nullptr;
    task.shares = false;
    task.round = 0;
    ++work.warps;
    return task;
}

batch_work& work_pool::take_work(draw_run& run)
{
    if (free_works_.empty()) {
        works_.push_back(std::make_unique<batch_work>());
        free_works_.push_back(works_.back().get());
    }
    auto& work = *free_works_.back();
    free_works_.pop_back();
    work.run = &run;
    return work;
}

void work_pool::rewind()
{
    std::sort(free_tasks_.begin(), free_tasks_.end(),
              [](const warp_task* a, const warp_task* b) { return a->index > b->index; });
}

std::vector<const warp_task*> work_pool::tasks() const
{
    std::vector<const warp_task*> taken;
    for (const auto& task : tasks_)
        if (std::find(free_tasks_.begin(), free_tasks_.end(), task.get()) == free_tasks_.end())
            taken.push_back(task.get());
    return taken;
}

namespace {

constexpr std::uint8_t no_lane = 0xff;

/// Exact: 17 bits fit a float's mantissa.
word coordinate(fixed value)
{
    return to_bits(static_cast<float>(value) / static_cast<float>(fixed_one));
}

} // namespace

std::array<word, level_words> words_of(const tessellation_levels& levels)
{
    std::array<word, level_words> words;
    for (std::size_t i = 0; i < 4; ++i) words[i] = to_bits(levels.outer[i]);
    for (std::size_t i = 0; i < 2; ++i) words[4 + i] = to_bits(levels.inner[i]);
    return words;
}

tessellation_levels levels_of(const std::array<word, level_words>& words)
{
    tessellation_levels levels;
    std::transform(words.begin(), words.begin() + 4, levels.outer.begin(), to_float);
    std::transform(words.begin() + 4, words.end(), levels.inner.begin(), to_float);
    return levels;
}

void patch_points::reset(const batch& source)
{
    source_ = &source;
    next_patch_ = 0;
    current_.points.clear();
    current_.vertices.clear();
    position_ = 0;
}

// If the current patch is used up, goes on to the next patch that is not culled.
bool patch_points::more(tessellator& generator)
{
    while (position_ == current_.vertices.size()) {
        if (next_patch_ == source_->primitive_count()) return false;
        generator.tessellate(levels_[next_patch_++], current_);
        position_ = 0;
        lane_.assign(current_.points.size(), no_lane);
    }
    return true;
}

bool patch_points::next(tessellator& generator, const batch_limits& limits, unsigned primitive_vertices,
                        batch& vertices, domain_points& points)
{
    if (!more(generator)) return false;
    points.patch = next_patch_ - 1;
    vertices.instance = source_->instance;
    vertices.first_primitive = source_->id_of(points.patch);
    vertices.primitive_vertices = primitive_vertices;
    vertices.positions = 0;
    vertices.vertex_count = 0;
    vertices.corners.clear();
    vertices.ids.clear();
    std::fill(lane_.begin(), lane_.end(), no_lane); // lanes of the previous batch
    while (position_ < current_.vertices.size() && vertices.ids.size() < limits.primitives) {
        const auto* corner = current_.vertices.data() + position_;
        unsigned fresh = 0;
        for (unsigned i = 0; i < primitive_vertices; ++i) fresh += lane_[corner[i]] == no_lane ? 1U : 0U;
        if (vertices.vertex_count + fresh > limits.vertices) break;
        for (unsigned i = 0; i < primitive_vertices; ++i) {
            auto& lane = lane_[corner[i]];
            if (lane == no_lane) {
                lane = static_cast<std::uint8_t>(vertices.vertex_count++);
                points.u[lane] = coordinate(current_.points[corner[i]].u);
                points.v[lane] = coordinate(current_.points[corner[i]].v);
            }
            vertices.corners.push_back(lane);
        }
        vertices.ids.push_back(vertices.first_primitive);
        position_ += primitive_vertices;
    }
    return true;
}

} // namespace isbesim
