// Allocation of ISBE lines to the spaces of batches. One allocator per ISBE; no time, no SystemC.
//
// Why the pipeline can't deadlock. The storage is one common area plus one reserve per later stage, big enough for the
// largest output of one warp of that stage. A stage's output goes to the common area when it fits and to the stage's
// reserve otherwise; an earlier stage never touches a later one's reserve. The last stage's output is read by the PE
// and released without asking for anything else, so its reserve always comes free again and any warp of the last stage
// is placed after a finite wait; with it its input is released, which is the output of the stage before, and so on up
// to the first stage. Requests of one stage on one ISBE are served first come first served, so none starves.
//
// A warp whose output lies over its input (sharing.h) asks for no lines: all that it needs is in those of the stage
// before, which stay taken until the last stage that shares them has ended. So it waits for nothing but a slot, and the
// reserve of a stage all of whose warps share is empty.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "models/machine_config.h"

namespace isbesim {

/// Consecutive 128-byte lines. `count` 0: no space.
struct extent {
    unsigned first = 0;
    unsigned count = 0;
};

class line_allocator {
public:
    /// `reserves[i]` lines are kept for level i + 1; level 0 (the first stage) has the common area only. Throws
    /// std::invalid_argument when the reserves exceed `lines`.
    line_allocator(unsigned lines, allocation_rule rule, const std::vector<unsigned>& reserves);

    /// `count` consecutive lines for a stage of `level`, or nothing when there is no gap of that size now. 0 lines
    /// always succeed.
    std::optional<extent> allocate(unsigned count, unsigned level);
    /// Gives back exactly what allocate() returned.
    void release(const extent& space);

    unsigned lines_used() const { return used_; }
    unsigned lines_peak() const { return peak_; }
    unsigned common_lines() const { return common_; }

private:
    struct reserve {
        extent space;
        bool taken = false;
    };
    void took(unsigned count);

    allocation_rule rule_;
    unsigned common_;
    std::vector<extent> gaps_; ///< of the common area, by address, never adjacent to each other
    std::vector<reserve> reserves_;
    unsigned used_ = 0;
    unsigned peak_ = 0;
};

} // namespace isbesim
