// SPDX-License-Identifier: Apache-2.0
// A circular buffer of lines: allocated in order, taken back in order, wrapping around. No time, no SystemC.
#pragma once

#include <deque>
#include <optional>

#include "models/pe/linking/extent.h"

namespace isbesim {

class line_ring {
public:
    /// The lines first .. first + lines - 1 of an ISBE.
    line_ring(unsigned first, unsigned lines) : first_(first), lines_(lines) {}

    /// `count` >= 1 consecutive lines after those allocated last, or nothing when the oldest ones are in the way. What
    /// is left before the end of the buffer is skipped when it is too short: no space wraps around. An empty ring
    /// starts at its first line, so that any space of up to `lines` fits then.
    std::optional<extent> allocate(unsigned count);
    /// Gives back what allocate() returned. The lines can be allocated again when all that is older was given back.
    /// Throws std::logic_error for an unallocated space.
    void release(const extent& space);

    /// Undoes the last allocate().
    void take_back() { entries_.pop_back(); }

private:
    struct entry {
        extent space;
        bool released = false;
    };

    unsigned first_;
    unsigned lines_;
    std::deque<entry> entries_; ///< by age
};

} // namespace isbesim
