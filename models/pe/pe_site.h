// SPDX-License-Identifier: Apache-2.0
// What the PE keeps per SM: the SM's warp slots, its ISBE's lines, the two connections, and the warps of later stages
// that wait for space there.
#pragma once

#include <array>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "models/pe/counters.h"
#include "models/pe/isbe_port.h"
#include "models/pe/pe_observer.h"
#include "models/pe/stages/stage_step.h"
#include "models/sm/launch_initiator.h"
#include "models/sm/warp_slots.h"

namespace isbesim {

/// Why a warp is not placed yet: isbe_full, warp_slot or lines_and_slot; nothing once it is.
using missing_space = std::optional<stall_reason>;

/// Cycles that one waiting warp loses, by reason.
struct wait_meter {
    missing_space cause;
    std::uint64_t since = 0;
    std::uint64_t total = 0; ///< of `cycles`
    stall_cycles cycles;
    stall_cycles all; ///< since the beginning

    /// Books the cycles since the last call to the cause of then; `next` holds from now on.
    void update(std::uint64_t now, missing_space next);
};

/// What the sites of a PE are made from.
struct pe_site_parts {
    const machine_config& config;
    const cycle_clock& clock;
    warp_initiator::style style; ///< of the ISBE ports
    const buffer_plan& buffers;
};

class pe_site final : private isbe_port::client, private launch_initiator::client {
public:
    /// Hears about the warps of this site; `task` is the index of a warp.
    class client {
    public:
        virtual ~client() = default;
        virtual void responded(std::uint64_t task) = 0;
        virtual void completed(std::uint64_t task, const warp_completion& completion) = 0;
        virtual void site_idle(unsigned site) = 0;
    };

    pe_site(unsigned number, const pe_site_parts& parts, client& owner);

    /// Gives the warp its lines and its slot, or returns the missing resource and takes nothing.
    missing_space place(warp_task& task);
    void release_slot(std::uint16_t slot) { slots_.give_back(slot); }
    /// Frees lines; with pe.poison their contents become 0xdead0000 + word number first (conformance ALD-07).
    void release_lines(extent& lines);
    /// Starts a placed and bound warp.
    void launch(warp_task& task, const cause& because);

    /// Warps of later stages that wait for space, by level; first come first served.
    std::vector<std::deque<warp_task*>> waiting;
    /// How the oldest waiting warp of each stage has waited.
    std::array<wait_meter, stage_count> meters;
    wait_meter& meter_of(const warp_task& task) { return meters[static_cast<std::size_t>(task.step->stage())]; }

    /// Divides the lines, none of which may be allocated, for another draw.
    void divide(const buffer_plan& plan);

    void attach(pe_observer& observer) { observer_ = &observer; }
    isbe_port& port() { return port_; }
    launch_initiator& launcher() { return launcher_; }
    const line_allocator& lines() const { return allocator_; }
    unsigned free_slots() const { return slots_.free(); }
    void count_batch() { ++counters_.batches; }
    /// Moves what a meter has collected to the counters.
    void book(wait_meter& waited);
    const pe_site_counters& counters() const { return counters_; }

private:
    void responded(std::uint64_t task) override { owner_.responded(task); }
    void idle() override { owner_.site_idle(number_); }
    void completed(std::uint64_t task, const warp_completion& completion) override
    {
        owner_.completed(task, completion);
    }

    /// Between the watermarks the first stage goes on or pauses as before.
    bool pauses() const;

    unsigned number_;
    cycle_clock clock_;
    client& owner_;
    pe_observer* observer_ = nullptr;
    bool poison_;
    line_allocator allocator_;
    warp_slots slots_;
    unsigned low_watermark_;
    unsigned high_watermark_;
    bool paused_ = false;
    isbe_port port_;
    launch_initiator launcher_;
    pe_site_counters counters_;
};

} // namespace isbesim
