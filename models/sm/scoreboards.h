// The six scoreboards ("barriers") of a warp, HARDWARE.md B.1: an instruction of unknown duration holds one, later
// instructions wait for a mask of them.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

namespace isbesim {

/// Cycle that never comes.
inline constexpr std::uint64_t never_cycle = UINT64_MAX;

/// Releases are known either when the holder issues (fixed latencies) or when its answer arrives (the ISBE). Keeping
/// the former as a cycle instead of an event means that a release costs nothing until somebody waits for it.
class scoreboards {
public:
    static constexpr unsigned count = 6;
    static constexpr std::uint8_t none = 7;

    void reset() { entries_ = {}; }

    /// Held until `cycle`, in which an instruction that waits for it can issue. Several holders: the last one counts.
    void hold_until(std::uint8_t index, std::uint64_t cycle)
    {
        if (index < count) entries_[index].released = std::max(entries_[index].released, cycle);
    }
    /// Held until a matching release().
    void hold(std::uint8_t index)
    {
        if (index < count) ++entries_[index].holders;
    }
    void release(std::uint8_t index, std::uint64_t cycle)
    {
        if (index >= count) return;
        --entries_[index].holders;
        hold_until(index, cycle);
    }
    /// First cycle in which all scoreboards of `mask` are free; never_cycle while that is not known.
    std::uint64_t free_at(std::uint8_t mask) const
    {
        std::uint64_t cycle = 0;
        for (unsigned i = 0; i < count; ++i) {
            if ((mask >> i & 1U) == 0) continue;
            if (entries_[i].holders != 0) return never_cycle;
            cycle = std::max(cycle, entries_[i].released);
        }
        return cycle;
    }

private:
    struct entry {
        unsigned holders = 0;       ///< whose release cycle is not known yet
        std::uint64_t released = 0; ///< when the others let go
    };
    std::array<entry, count> entries_{};
};

} // namespace isbesim
