// SPDX-License-Identifier: Apache-2.0
// Allocates the lines of an ISBE to the spaces of warps, divided as in buffers.h. One allocator per ISBE; no time, no
// SystemC.
#pragma once

#include <deque>
#include <optional>
#include <vector>

#include "models/machine_config.h"
#include "models/pe/linking/buffers.h"

namespace isbesim {

/// Consecutive 128-byte lines. `count` 0: no space.
struct extent {
    unsigned first = 0;
    unsigned count = 0;
};

/// A range of lines from which spaces are allocated wherever they fit, and released in any order.
class line_area {
public:
    /// The lines first .. first + lines - 1 of an ISBE.
    line_area(unsigned first, unsigned lines, allocation_rule rule);

    enum class side : std::uint8_t { start, end };
    /// Allocates `count` >= 1 consecutive lines, or nothing if no gap is large enough. Searches and takes lines from
    /// the side `preferred`: spaces of one kind lie together and leave gaps that fit the next one.
    std::optional<extent> allocate(unsigned count, side preferred = side::start);
    /// Releases exactly what allocate() returned.
    void release(const extent& space);

    bool holds(const extent& space) const { return space.first >= first_ && space.first - first_ < lines_; }

private:
    unsigned first_;
    unsigned lines_;
    allocation_rule rule_;
    std::vector<extent> gaps_; ///< by address, never adjacent to each other
};

/// A circular buffer of lines, allocated and freed in order, with wrap-around.
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
