// SPDX-License-Identifier: Apache-2.0
// The pipes of an SM with a limited number of lanes: a warp instruction occupies its pipe for 32 / lanes cycles. A pipe
// belongs to one scheduler, with its share of the SM's lanes, or, if it is shared or has fewer lanes than there are
// schedulers, to the SM: the oldest warp first.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "models/machine_config.h"
#include "tlm/cause.h"
#include "tlm/warp_op.h"

namespace isbesim {

class pipe_lanes {
public:
    explicit pipe_lanes(const sm_config& config) : pipes_(std::size_t{sm_pipe_count} * config.schedulers)
    {
        for (unsigned p = 0; p < sm_pipe_count; ++p) {
            const auto lanes = config.lanes[p];
            if (lanes == 0) continue;
            limited_ = true;
            apart_[p] = !is_shared(static_cast<sm_pipe>(p)) && lanes >= config.schedulers;
            const auto own = apart_[p] ? lanes / config.schedulers : lanes;
            cycles_[p] = (warp_lanes + own - 1) / own;
        }
    }

    /// While no warp runs: all pipes are free.
    void rewind()
    {
        for (auto& each : pipes_) each = {0, {}, each.taken};
    }
    /// Cycles before `now` in which the pipe worked; of pipes of each scheduler, the busiest.
    std::uint64_t busy(sm_pipe which, std::uint64_t now) const
    {
        std::uint64_t most = 0;
        for (auto p = index(which); p < pipes_.size(); p += sm_pipe_count)
            most = std::max(most, pipes_[p].taken - (std::max(pipes_[p].free, now) - now));
        return most;
    }
    /// False: no pipe has a limit.
    bool limited() const { return limited_; }
    bool limited(sm_pipe which) const { return which != sm_pipe::none && cycles_[index(which)] != 0; }
    /// By the schedulers of the SM.
    bool shared(sm_pipe which) const { return limited(which) && !apart_[index(which)]; }
    /// The cycle from which on an instruction of `scheduler` may begin.
    std::uint64_t free_at(unsigned scheduler, sm_pipe which) const
    {
        return limited(which) ? pipes_[place(scheduler, which)].free : 0;
    }
    /// The instruction that occupied the pipe last.
    const cause& last(unsigned scheduler, sm_pipe which) const { return pipes_[place(scheduler, which)].last; }
    /// An instruction begins in `now`, or when the pipe is free. Returns the cycle after its last.
    std::uint64_t occupy(unsigned scheduler, sm_pipe which, std::uint64_t now, const cause& by = {})
    {
        if (!limited(which)) return now;
        auto& pipe = pipes_[place(scheduler, which)];
        pipe.free = std::max(pipe.free, now) + cycles_[index(which)];
        pipe.taken += cycles_[index(which)];
        pipe.last = by;
        return pipe.free;
    }

private:
    struct state {
        std::uint64_t free = 0;
        cause last;
        std::uint64_t taken = 0; ///< cycles of all instructions
    };

    static std::size_t index(sm_pipe which) { return static_cast<std::size_t>(which); }
    std::size_t place(unsigned scheduler, sm_pipe which) const
    {
        return (apart_[index(which)] ? scheduler : 0) * std::size_t{sm_pipe_count} + index(which);
    }

    bool limited_ = false;
    std::array<std::uint64_t, sm_pipe_count> cycles_{}; ///< 0: no limit
    std::array<bool, sm_pipe_count> apart_{};           ///< by scheduler
    std::vector<state> pipes_;
};

} // namespace isbesim
