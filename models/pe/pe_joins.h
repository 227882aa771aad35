// What the batches and warps of a PE wait for on other machines (tlm/cause_join.h): other fetch, more or fewer lines
// and warp slots, twice as many SMs.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "models/other_machines.h"
#include "models/pe/pe_site.h"
#include "models/pe/tasks/per_task.h"
#include "tlm/cause_join.h"
#include "tlm/ring.h"

namespace isbesim {

/// Cycles in which so many bytes are fetched.
std::uint64_t fetch_cycles(std::uint64_t bytes, unsigned bytes_per_cycle);

class pe_joins {
public:
    explicit pe_joins(const other_machines& machines);

    /// `event`: the vertices of a batch, so many bytes, are there, after so many cycles.
    void fetched(const cause& event, std::uint64_t bytes, std::uint64_t cycles);
    /// The fetched batch becomes the pending one because of `now`; returns that event.
    cause pending(const cause& now);
    /// Since `event` the warp could begin, if there was room.
    void ready(const warp_task& task, const cause& event) { ready_[task] = event; }
    /// The pending one begins.
    void pending_begins(const cause& event) { left_ = event; }
    /// A warp has its lines and its slot, which it could have used since ready(), and waited for `missing` until
    /// `now`. `used`: lines of the ISBE then, its own included.
    void begins(const cause& event, const cause& now, const warp_task& task, missing_space missing, unsigned used);
    void slot_released(unsigned site, const cause& event);
    void lines_released(unsigned site, const cause& event, unsigned lines);
    /// A warp's end, the last of which is that of the draw.
    void ended(const cause& event);
    void all_ended(const cause& event, const cause& because) const;

private:
    struct line_release {
        std::uint64_t lines = 0; ///< given back up to then
        cause event;
    };
    /// Of an SM, or of the half of one.
    struct room_account {
        std::uint64_t launches = 0;
        cause_history slots;
        std::uint64_t lines_taken = 0;
        std::uint64_t lines_given = 0;
        ring<line_release> releases;
        std::vector<cause> begun; ///< last, by level
    };

    void on_lines(cause_join& join, unsigned machine, const room_account& room, std::uint64_t lines);

    other_machines machines_;
    std::vector<std::array<room_account, other_machines::halves>> rooms_; ///< by site
    per_task<cause> ready_;
    cause fetched_;
    cause left_; ///< the pending batch went to an SM
    cause ended_;
};

} // namespace isbesim
