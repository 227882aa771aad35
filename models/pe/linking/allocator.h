// SPDX-License-Identifier: Apache-2.0
// Allocation of the lines of an ISBE to the spaces of warps, as buffers.h divides them. One allocator per ISBE; no
// time, no SystemC.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "models/pe/linking/buffers.h"
#include "models/pe/linking/line_area.h"
#include "models/pe/linking/line_ring.h"

namespace isbesim {

/// 128-byte lines that a warp allocates before it starts. Its input counts only when it is the warp's own, its output
/// unless that lies over what it reads (warp_task::shares).
struct task_lines {
    unsigned input = 0;
    unsigned output = 0;
};

/// Where they are; of 0 lines an empty extent.
struct warp_lines {
    extent input;
    extent output;
};

class line_allocator {
public:
    explicit line_allocator(const buffer_plan& plan);

    /// Both spaces of a warp of the stage at `level`, or nothing at all. 0 lines always succeed.
    std::optional<warp_lines> allocate(const task_lines& needs, unsigned level);
    /// Undoes the last allocate().
    void take_back(const warp_lines& lines);
    /// Gives back one of the spaces.
    void release(const extent& space);

    /// Of spaces that were not given back, whether or not their lines can be used again.
    unsigned lines_used() const { return used_; }
    unsigned lines_peak() const { return peak_; }

private:
    struct owner {
        unsigned level = 0;
        bool output = false;
    };

    std::optional<extent> place(unsigned count, unsigned level, bool output);
    void displace(const extent& space, unsigned level);
    void book(const extent& space, unsigned level, bool output);
    void strike(const extent& space);

    buffer_plan plan_;
    std::vector<unsigned> outputs_; ///< allocated, by level
    std::vector<owner> owners_;     ///< of the space that starts at a line
    std::vector<line_ring> rings_;  ///< alpha_beta: by level
    std::vector<line_area> areas_;  ///< unified: by level, then the lines shared by all
    unsigned used_ = 0;
    unsigned peak_ = 0;
};

} // namespace isbesim
