// SPDX-License-Identifier: Apache-2.0
// State of the PE per SM: the warp slots of the SM, the lines of its ISBE, the connections to both, and the warps of
// later stages that wait for space there.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "models/pe/counters.h"
#include "models/pe/isbe_port.h"
#include "models/pe/pe_observer.h"
#include "models/pe/stages/pipeline_steps.h"
#include "models/sm/launch_sockets.h"

namespace isbesim {

/// Assigns an SM's warp slots for the PE: each slot belongs to a scheduler, and a warp goes to the scheduler with the
/// fewest warps. *Choice*: how the hardware distributes warps is not public; any other order lets two warps share one
/// scheduler's issue slot while another scheduler has no warp.
class warp_slots {
public:
    /// Slot s belongs to scheduler s % `schedulers` (models/sm/sm.h).
    warp_slots(unsigned count, unsigned schedulers);

    unsigned taken() const { return taken_; }
    unsigned free() const { return count_ - taken_; }
    /// Takes a slot of the scheduler with the fewest warps, on a tie the first scheduler. A slot must be free.
    std::uint16_t take();
    void give_back(std::uint16_t slot);
    /// Restores the order in which free slots are taken.
    void rewind();

private:
    struct scheduler_slots {
        unsigned taken = 0;
        std::vector<std::uint16_t> free; ///< the last is taken first
    };

    unsigned count_;
    unsigned taken_ = 0;
    std::vector<scheduler_slots> schedulers_;
};

/// Why a warp is not placed yet: isbe_full, warp_slot or lines_and_slot; empty after it is placed.
using missing_space = std::optional<stall_reason>;

/// Cycles that one waiting warp loses, by reason.
struct wait_meter {
    missing_space cause;
    std::uint64_t since = 0;
    std::uint64_t total = 0; ///< sum of `cycles`
    stall_cycles cycles;
    stall_cycles all; ///< since the beginning

    /// Adds the cycles since the last call to the cause set by that call; `next` is the cause from now on.
    void update(std::uint64_t now, missing_space next);
};

/// Shared by all sites of a PE.
struct pe_site_parts {
    const machine_config& config;
    const cycle_clock& clock;
    warp_initiator::style style; ///< of the ISBE ports
    const buffer_plan& buffers;
};

class pe_site final : private isbe_port::client, private launch_initiator::client {
public:
    /// Receives the events of the warps of this site; `task` is the index of a warp.
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
    /// Wait cycles of the oldest waiting warp of each stage.
    std::array<wait_meter, stage_count> meters;
    wait_meter& meter_of(const warp_task& task) { return meters[static_cast<std::size_t>(task.step->stage())]; }

    /// Divides the lines for another draw; no line may be allocated.
    void divide(const buffer_plan& plan);
    /// While no warp has a slot: forgets which slots earlier warps had.
    void rewind();

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

    /// True if the first stage pauses; between the watermarks it keeps its state.
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
