// SPDX-License-Identifier: Apache-2.0
// The six scoreboards ("barriers") of a warp, HARDWARE.md B.1: an instruction of unknown duration holds one of them;
// later instructions wait for a mask of them.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "tlm/cause.h"

namespace isbesim {

/// Cycle that never comes.
inline constexpr std::uint64_t never_cycle = UINT64_MAX;

/// A release is known either when the holder issues (fixed latencies) or when its response arrives (the ISBE). Keeping
/// the former as a cycle instead of an event means that a release costs nothing until an instruction waits for it.
class scoreboards {
public:
    static constexpr unsigned count = 6;
    static constexpr std::uint8_t none = 7;

    void reset() { entries_ = {}; }

    /// Held until `cycle`, in which an instruction that waits for it can issue. The latest of several holders counts.
    /// `origin`, `reason`: the cause of the release.
    void hold_until(std::uint8_t index, std::uint64_t cycle, const cause& origin = {},
                    path_reason reason = path_reason::none)
    {
        if (index >= count || cycle <= entries_[index].released.at) return;
        entries_[index].released = {origin, cycle, reason};
    }
    /// Held until a matching release().
    void hold(std::uint8_t index)
    {
        if (index < count) ++entries_[index].holders;
    }
    void release(std::uint8_t index, std::uint64_t cycle, const cause& origin = {},
                 path_reason reason = path_reason::none)
    {
        if (index >= count) return;
        --entries_[index].holders;
        hold_until(index, cycle, origin, reason);
    }
    /// First cycle in which all scoreboards of `mask` are free; never_cycle while that is not known.
    std::uint64_t free_at(std::uint8_t mask) const
    {
        std::uint64_t cycle = 0;
        for (unsigned i = 0; i < count; ++i) {
            if ((mask >> i & 1U) == 0) continue;
            if (entries_[i].holders != 0) return never_cycle;
            cycle = std::max(cycle, entries_[i].released.at);
        }
        return cycle;
    }
    /// The last release among the scoreboards of `mask`, if that was after `cycle`; otherwise null.
    const precondition* last_after(std::uint64_t cycle, std::uint8_t mask) const
    {
        const precondition* last = nullptr;
        for (; mask != 0; mask = static_cast<std::uint8_t>(mask & (mask - 1))) {
            const auto& released = entries_[static_cast<unsigned>(__builtin_ctz(mask))].released;
            if (released.at <= cycle) continue;
            cycle = released.at;
            last = &released;
        }
        return last;
    }

private:
    struct entry {
        unsigned holders = 0;  ///< those whose release cycle is not known yet
        precondition released; ///< the latest release by the other holders
    };
    std::array<entry, count> entries_{};
};

} // namespace isbesim
