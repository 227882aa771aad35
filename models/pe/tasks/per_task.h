// SPDX-License-Identifier: Apache-2.0
// Data that a stage step keeps for each of its warps.
#pragma once

#include <deque>

#include "models/pe/tasks/work.h"

namespace isbesim {

/// One `part` for each warp_task, by its index. A part outlives its warp, so that the next warp with that index reuses
/// its buffers; a step must set all that it reads.
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
