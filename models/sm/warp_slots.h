// SPDX-License-Identifier: Apache-2.0
// Assigns an SM's warp slots for the PE: each slot belongs to a scheduler, and a warp goes to the scheduler with the
// fewest warps. *Choice*: how the hardware distributes warps is not public; any other order lets two warps share one
// scheduler's issue slot while another scheduler has no warp.
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
    /// Takes a slot of the scheduler with the fewest warps, on a tie the first scheduler. A slot must be free.
    std::uint16_t take();
    void give_back(std::uint16_t slot);
    /// Restores the order in which free slots are taken.
    void rewind();

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
