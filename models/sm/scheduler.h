// SPDX-License-Identifier: Apache-2.0
// A warp scheduler: selects the warp that issues in a cycle, and records why no warp could.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "models/machine_config.h"
#include "models/sm/pipe_lanes.h"
#include "models/sm/scoreboards.h"
#include "models/statistics/cycle_stack.h"
#include "models/statistics/stall_reason.h"

namespace isbesim {

class sm_observer;

/// Identifies warps by their position. The scheduler never runs by itself: it is called in the cycles in which
/// something can happen, and accounts for the cycles between.
class scheduler {
public:
    static constexpr unsigned no_warp = UINT32_MAX;

    /// `pipes`: of the SM, in which this is scheduler `number`.
    scheduler(scheduler_rule rule, unsigned warps, const pipe_lanes& pipes, unsigned number);

    /// Adds a warp, which can issue from `now` + 1 on. `age`: its number among the SM's launches.
    void launch(unsigned position, std::uint64_t age, std::uint64_t now);
    /// Age of the warp that pick() names, if it needs a pipe that schedulers share; otherwise never_cycle.
    std::uint64_t age_at_shared_pipe(std::uint64_t now, bool queue_full) const;
    /// Known in `now`: the cycle in which the warp can issue next (never_cycle: not known yet), the cycle until which
    /// its stall count delays it, whether it will need a place in the attribute queue, and the pipe that it needs.
    void update(unsigned position, std::uint64_t now, std::uint64_t earliest, std::uint64_t stall_until,
                bool needs_queue, sm_pipe unit = sm_pipe::none);
    /// All lanes have exited: the warp will not issue again.
    void drain(unsigned position, std::uint64_t now);
    /// The warp has left the SM.
    void retire(unsigned position, std::uint64_t now);

    /// Forgets, without a warp, which one issued last: the next warp finds a new scheduler.
    void rewind();

    /// The warp to issue in `now`, or `no_warp` if none can. Does not change anything.
    unsigned pick(std::uint64_t now, bool queue_full) const;
    /// The picked warp has issued.
    void issued(unsigned position, std::uint64_t now, bool yield);
    /// First cycle after `now` in which pick() can succeed if nothing changes; never_cycle if something must change.
    std::uint64_t next_cycle(std::uint64_t now, bool queue_full);

    /// Finds a reason for each unused cycle before `now`. Every change calls it first; readers of stalls() must too.
    void advance_to(std::uint64_t now);
    const stall_cycles& stalls() const { return stalls_; }
    /// All accounted cycles: with an issue, with each reason for a stall, without a warp.
    cycle_stack stack() const;
    /// Every stall is reported to `observer`.
    void report_to(sm_observer& observer) { observer_ = &observer; }

private:
    std::uint64_t soonest(bool queue_full) const { return queue_full ? soonest_ : std::min(soonest_, soonest_queued_); }
    /// The oldest warp that is ready for the same shared pipe.
    unsigned first_in_line(unsigned position, std::uint64_t now, bool queue_full) const;
    bool ready(unsigned position, std::uint64_t now, bool queue_full) const
    {
        return earliest_[position] <= now && !(queue_full && needs_queue_[position] != 0) &&
               (!pipes_.limited() || pipes_.free_at(number_, unit_[position]) <= now);
    }

    scheduler_rule rule_;
    unsigned warps_;
    const pipe_lanes& pipes_;
    unsigned number_;                     ///< of the SM's schedulers
    std::vector<std::uint64_t> earliest_; ///< never_cycle for empty slots, drained and waiting warps
    std::vector<std::uint64_t> stall_until_;
    std::vector<std::uint64_t> age_; ///< smaller is older
    std::vector<std::uint8_t> needs_queue_;
    std::vector<sm_pipe> unit_;
    // Before these cycles, no warp without need of the queue, and none with it, can issue: most calls end here.
    std::uint64_t soonest_ = never_cycle;
    std::uint64_t soonest_queued_ = never_cycle;
    unsigned resident_ = 0;
    unsigned last_;                     ///< position that issued last
    bool yielded_ = false;              ///< that warp yielded to the others
    std::uint64_t accounted_until_ = 0; ///< cycles before this one are in stalls_, issues_ or empty_
    stall_cycles stalls_{};
    std::uint64_t issues_ = 0, empty_ = 0; ///< cycles with an issue, and without a warp
    sm_observer* observer_ = nullptr;
};

} // namespace isbesim
