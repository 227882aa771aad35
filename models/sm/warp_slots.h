// SPDX-License-Identifier: Apache-2.0
// The warp slots of an SM as the PE gives them away: each belongs to a scheduler, and a warp goes to the scheduler that
// has the fewest. *Choice*: how the hardware distributes warps is not public; any other order lets two warps share one
// scheduler's issue slot while another scheduler has none.
#pragma once

#include <cstdint>
#include <vector>

namespace isbesim {

class warp_slots {
public:
    /// Slot s belongs to scheduler s % `schedulers` (models/sm/sm.h).
    warp_slots(unsigned count, unsigned schedulers);

    unsigned taken() const { return taken_; }
    unsigned free() const { return count_ - taken_; }
    /// A free slot: of the scheduler with the fewest warps, the first of several. There must be one.
    std::uint16_t take();
    void give_back(std::uint16_t slot);

private:
    struct scheduler_slots {
        unsigned taken = 0;
        std::vector<std::uint16_t> free; ///< the last is taken first
    };

    unsigned count_;
    unsigned taken_ = 0;
    std::vector<scheduler_slots> schedulers_;
};

} // namespace isbesim
