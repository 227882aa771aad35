// SPDX-License-Identifier: Apache-2.0
// Assigns context slots to the warps of a replayed draw. The recorded slots depend on the number of concurrent warps on
// that machine; a replay gives each warp the slot of this machine that has been free for longest.
#pragma once

#include <array>
#include <cstdint>

#include "tlm/ring.h"

namespace isbesim::testbench {

class slot_names {
public:
    static constexpr unsigned most = 64; ///< slots of a machine

    explicit slot_names(unsigned slots)
    {
        for (std::uint16_t slot = 0; slot < slots && slot < most; ++slot) free_.push(slot);
        now_.fill(unnamed);
    }
    /// The next warp starts in recorded slot `slot`, whose previous warp has no more operations.
    std::uint16_t rename(std::uint16_t slot)
    {
        if (slot >= most) return slot;
        if (now_[slot] != unnamed) free_.push(now_[slot]);
        if (free_.empty()) return slot; // no recorder makes such a trace
        now_[slot] = free_.front();
        free_.pop();
        return now_[slot];
    }
    /// The slot of the warp that is in recorded slot `slot`.
    std::uint16_t operator[](std::uint16_t slot) const
    {
        return slot < most && now_[slot] != unnamed ? now_[slot] : slot;
    }

private:
    static constexpr std::uint16_t unnamed = 0xffff;
    ring<std::uint16_t> free_{most}; ///< the front one has been free for longest
    std::array<std::uint16_t, most> now_;
};

} // namespace isbesim::testbench
