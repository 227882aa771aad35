// SPDX-License-Identifier: Apache-2.0
// A circular buffer of lines, allocated and freed in order, with wrap-around. No time, no SystemC.
#pragma once

#include <deque>
#include <optional>

#include "models/pe/linking/extent.h"

namespace isbesim {

class line_ring {
public:
    /// The lines first .. first + lines - 1 of an ISBE.
    line_ring(unsigned first, unsigned lines) : first_(first), lines_(lines) {}

    /// Allocates `count` >= 1 consecutive lines after the newest space, or nothing if the oldest space is in the way.
    /// If the lines before the end of the buffer are too few, they are skipped: no space wraps around. An empty ring
    /// starts at its first line, so that any space of up to `lines` fits.
    std::optional<extent> allocate(unsigned count);
    /// Releases what allocate() returned. The lines can be allocated again after all older spaces are released. Throws
    /// std::logic_error for an unallocated space.
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
