// SPDX-License-Identifier: Apache-2.0
// What a stage step keeps for each of its warps.
#pragma once

#include <deque>

#include "models/pe/tasks/work.h"

namespace isbesim {

/// One `part` for each warp_task, by its index. Parts stay when their warp has gone, so that the next one of that index
/// reuses their buffers: a step sets what it reads.
template <typename part>
class per_task {
public:
    part& operator[](const warp_task& task)
    {
        if (task.index >= parts_.size()) parts_.resize(task.index + std::size_t{1});
        return parts_[task.index];
    }

private:
    std::deque<part> parts_; // references stay valid when it grows
};

} // namespace isbesim
