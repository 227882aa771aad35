// SPDX-License-Identifier: Apache-2.0
#include "models/pe/tasks/work.h"

#include <algorithm>

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

} // namespace isbesim
