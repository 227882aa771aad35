// SPDX-License-Identifier: Apache-2.0
// The warps and batches of a PE, in a pool for reuse: a running draw allocates no memory.
#pragma once

#include <memory>
#include <vector>

#include "models/pe/tasks/work.h"

namespace isbesim {

class work_pool {
public:
    /// A warp of `step` that reads `work`. Members that the step and the PE set are left from the last use.
    warp_task& take_task(stage_step& step, batch_work& work);
    void give_back(warp_task& task) { free_tasks_.push_back(&task); }

    batch_work& take_work(draw_run& run);
    void give_back(batch_work& work) { free_works_.push_back(&work); }

    warp_task& task(std::uint64_t index) { return *tasks_[index]; }
    bool has_tasks() const { return free_tasks_.size() != tasks_.size(); }
    /// The warps that are taken, by index.
    std::vector<const warp_task*> tasks() const;

private:
    // Pointers stay valid; free_tasks_ and free_works_ hold the objects that can be taken.
    std::vector<std::unique_ptr<warp_task>> tasks_;
    std::vector<warp_task*> free_tasks_;
    std::vector<std::unique_ptr<batch_work>> works_;
    std::vector<batch_work*> free_works_;
};

} // namespace isbesim
