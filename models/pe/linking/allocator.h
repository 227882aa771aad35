// SPDX-License-Identifier: Apache-2.0
// Allocates the lines of an ISBE to the spaces of warps, divided as in buffers.h. One allocator per ISBE; no time, no
// SystemC.
#pragma once

#include <optional>
#include <vector>

#include "models/pe/linking/buffers.h"
#include "models/pe/linking/line_area.h"
#include "models/pe/linking/line_ring.h"

namespace isbesim {

/// 128-byte lines that a warp allocates before it starts: for its input only if that is the warp's own, for its output
/// unless that lies over the input (warp_task::shares).
struct task_lines {
    unsigned input = 0;
    unsigned output = 0;
};

/// The allocated lines; an empty extent for 0 lines.
struct warp_lines {
    extent input;
    extent output;
};

class line_allocator {
public:
    explicit line_allocator(const buffer_plan& plan);

    /// Allocates both spaces of a warp of the stage at `level`, or nothing. 0 lines always succeed.
    std::optional<warp_lines> allocate(const task_lines& needs, unsigned level);
    /// Undoes the last allocate().
    void take_back(const warp_lines& lines);
    /// Releases one of the spaces.
    void release(const extent& space);

    /// Lines of unreleased spaces. Released lines do not count, even if a ring cannot use them again yet.
    unsigned lines_used() const { return used_; }
    unsigned lines_peak() const { return peak_; }

private:
    struct owner {
        unsigned level = 0;
        bool output = false;
    };

    std::optional<extent> place(unsigned count, unsigned level, bool output);
    void displace(const extent& space, unsigned level, bool output);
    line_ring& ring(unsigned level, bool output);
    void book(const extent& space, unsigned level, bool output);
    void strike(const extent& space);

    buffer_plan plan_;
    std::vector<unsigned> outputs_; ///< outputs allocated, by level
    std::vector<owner> owners_;     ///< owner of the space that starts at a line
    std::vector<line_ring> rings_;  ///< alpha_beta: by level, then those of inputs alone (stage_share::inputs)
    std::vector<line_area> areas_;  ///< unified: by level, then the lines shared by all
    unsigned used_ = 0;
    unsigned peak_ = 0;
};

} // namespace isbesim
