// SPDX-License-Identifier: Apache-2.0
// A range of lines from which spaces are allocated wherever they fit, and released in any order. No time, no SystemC.
#pragma once

#include <optional>
#include <vector>

#include "models/machine_config.h"
#include "models/pe/linking/extent.h"

namespace isbesim {

class line_area {
public:
    /// The lines first .. first + lines - 1 of an ISBE.
    line_area(unsigned first, unsigned lines, allocation_rule rule);

    enum class side : std::uint8_t { start, end };
    /// Allocates `count` >= 1 consecutive lines, or nothing if no gap is large enough. Searches and takes lines from
    /// the side `from`: spaces of one kind lie together and leave gaps that fit the next one.
    std::optional<extent> allocate(unsigned count, side from = side::start);
    /// Releases exactly what allocate() returned.
    void release(const extent& space);

    bool holds(const extent& space) const { return space.first >= first_ && space.first - first_ < lines_; }

private:
    unsigned first_;
    unsigned lines_;
    allocation_rule rule_;
    std::vector<extent> gaps_; ///< by address, never adjacent to each other
};

} // namespace isbesim
