// SPDX-License-Identifier: Apache-2.0
// A range of lines of which spaces are taken wherever they fit and given back in any order. No time, no SystemC.
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
    /// `count` >= 1 consecutive lines, or nothing when there is no gap of that size now. The search for a gap starts,
    /// and the lines are taken, from the side where spaces like this one are: so they leave gaps that fit the next one.
    std::optional<extent> allocate(unsigned count, side from = side::start);
    /// Gives back exactly what allocate() returned.
    void release(const extent& space);

    bool holds(const extent& space) const { return space.first >= first_ && space.first - first_ < lines_; }

private:
    unsigned first_;
    unsigned lines_;
    allocation_rule rule_;
    std::vector<extent> gaps_; ///< by address, never adjacent to each other
};

} // namespace isbesim
