// SPDX-License-Identifier: Apache-2.0
// One warp scheduler: which of its warps issues in a cycle, and why none did.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "models/machine_config.h"
#include "models/sm/scoreboards.h"
#include "models/statistics/cycle_stack.h"
#include "models/statistics/stall_reason.h"

namespace isbesim {

class sm_observer;

/// Warps are known by their position here. The scheduler never runs by itself: it is asked in the cycles in which
/// something can happen, and accounts for the cycles between.
class scheduler {
public:
    static constexpr unsigned no_warp = UINT32_MAX;

    scheduler(scheduler_rule rule, unsigned warps);

    /// A warp that can issue from `now` + 1 on.
    void launch(unsigned position, std::uint64_t now);
    /// Learned in `now`: when the warp can issue next (never_cycle: not known yet), the part of it that its stall count
    /// is to blame for, and whether it needs a place in the attribute queue then.
    void update(unsigned position, std::uint64_t now, std::uint64_t earliest, std::uint64_t stall_until,
                bool needs_queue);
    /// All lanes have exited: it will not issue again.
    void drain(unsigned position, std::uint64_t now);
    /// The warp has left the SM.
    void retire(unsigned position, std::uint64_t now);

    /// The warp to issue in `now`, or `no_warp` if none can. Does not change anything.
    unsigned pick(std::uint64_t now, bool queue_full) const;
    /// The pick was carried out.
    void issued(unsigned position, std::uint64_t now, bool yield);
    /// First cycle after `now` in which pick() can succeed as things stand; never_cycle if something must change first.
    std::uint64_t next_cycle(std::uint64_t now, bool queue_full);

    /// Attributes all cycles before `now` that were not used. Every change does it first; readers of stalls() do too.
    void advance_to(std::uint64_t now);
    const stall_cycles& stalls() const { return stalls_; }
    /// All cycles accounted for: issue, the reasons for none, no_warp.
    cycle_stack stack() const;
    /// Every stall is reported to `observer` under `number`.
    void report_to(sm_observer& observer, unsigned number)
    {
        observer_ = &observer;
        number_ = number;
    }

private:
    std::uint64_t soonest(bool queue_full) const { return queue_full ? soonest_ : std::min(soonest_, soonest_queued_); }
    bool ready(unsigned position, std::uint64_t now, bool queue_full) const
    {
        return earliest_[position] <= now && !(queue_full && needs_queue_[position] != 0);
    }

    scheduler_rule rule_;
    unsigned warps_;
    std::vector<std::uint64_t> earliest_; ///< never_cycle for empty slots, drained and waiting warps
    std::vector<std::uint64_t> stall_until_;
    std::vector<std::uint64_t> age_; ///< launch order; smaller is older
    std::vector<std::uint8_t> needs_queue_;
    // No warp without need of the queue, and none with it, can issue before: most questions end here.
    std::uint64_t soonest_ = never_cycle;
    std::uint64_t soonest_queued_ = never_cycle;
    std::uint64_t launches_ = 0;
    unsigned resident_ = 0;
    unsigned last_;                     ///< position that issued last
    bool yielded_ = false;              ///< it asked to let another go first
    std::uint64_t accounted_until_ = 0; ///< cycles before this one are in stalls_, issues_ or empty_
    stall_cycles stalls_{};
    std::uint64_t issues_ = 0, empty_ = 0; ///< cycles with an issue, and without a warp
    sm_observer* observer_ = nullptr;
    unsigned number_ = 0; ///< for the observer
};

} // namespace isbesim
