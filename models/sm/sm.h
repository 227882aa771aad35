// SPDX-License-Identifier: Apache-2.0
// Streaming multiprocessor: warps in slots, schedulers that issue them by their control words, the attribute unit.
//
// Purely event driven: one method, woken in the next cycle in which a warp can issue. Nothing runs while all warps wait
// for the ISBE. The schedulers see the events of a cycle (a response, a freed queue place, a launch) from the next
// cycle on, so results do not depend on the order of events within a cycle.
//
// Cycle by cycle: launched in c -> first issue in c + 1 at the earliest. Stall count s, issued in c -> next issue of
// this warp in c + max(s, 1) (one instruction per cycle: the dual issue that stall 0 allows on the hardware is not
// modelled). Fixed latency L, issued in c -> result and write barrier in c + L. Attribute operation, issued in c -> on
// the port in c + 1 or later; response in r -> registers are written in r, the write barrier is released in r + 1. Read
// barrier: released read_release_latency after the issue, for stores after the transfer of the request. Warp done in c
// -> BEGIN_RESP of its launch in c + 1.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <systemc>
#include <tlm>

#include "models/machine_config.h"
#include "models/sm/attribute_unit.h"
#include "models/sm/fault_reporter.h"
#include "models/sm/launch_sockets.h"
#include "models/sm/memory_port.h"
#include "models/sm/pipe_lanes.h"
#include "models/sm/scheduler.h"
#include "models/sm/sm_counters.h"
#include "models/sm/sm_observer.h"
#include "models/sm/warp_slot.h"
#include "tlm/clock.h"

namespace isbesim {

/// A program that cannot continue, for example because it ran off its end or misused the divergence stack. what() names
/// stage, warp and pc. Thrown out of start_simulation() (process_guard.h).
class sm_error : public std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// How an SM keeps time.
enum class sm_timing : std::uint8_t {
    by_cycle, ///< as described above
    /// Loosely timed: a warp runs from its launch to its end at once, at most sm.quantum cycles ahead (run_ahead.cpp).
    /// Its results are the same; cycles are an estimate. The ISBE must respond without waiting. Observers, stacks() and
    /// stall counters get nothing.
    by_warp,
};

class sm : public sc_core::sc_module, private launch_target::client, private attribute_unit::client {
public:
    tlm::tlm_target_socket<> launch;  ///< launch_sockets.h
    tlm::tlm_initiator_socket<> isbe; ///< port 0 of the ISBE
    memory_port::socket_type memory;  ///< global memory; may stay unbound. Its b_transport is called from methods

    /// Throws std::invalid_argument for a configuration without warps, schedulers, queue, or with a latency of 0.
    sm(const sc_core::sc_module_name& name, const sm_config& config, const cycle_clock& clock,
       warp_initiator::style style, sm_timing timing = sm_timing::by_cycle);
    ~sm() override;

    /// The way to global memory, with its time; none: each access takes the time that the memory at the socket returns.
    void attach(memory_path& path, unsigned number) { memory_.attach(path, number); }
    /// Reports everything to `observer`, which must outlive the SM. Call it before the simulation starts.
    void attach(sm_observer& observer);

    /// Makes the schedulers new, while no warp is resident.
    void rewind();

    /// All counters, up to the current cycle.
    const sm_counters& counters();
    /// What each scheduler spent its cycles on, up to the current cycle.
    std::vector<cycle_stack> stacks();
    /// Warps launched and not completed.
    unsigned resident() const { return resident_; }
    /// One line for each resident warp that says what it waits for: for the watchdog and after a deadlock.
    std::string state_dump() const;

private:
    // launch_target::client
    bool has_free_slot(unsigned slot) const override { return !slots_[slot].resident(); }
    void start(tlm::tlm_generic_payload& transaction, const warp_launch& launched) override;
    // attribute_unit::client
    void attribute_accepted(const attribute_operation& operation) override;
    void attribute_responded(const attribute_operation& operation, const warp_result& result) override;

    void run();
    void run_thread();
    void run_cycle();
    void find_order(std::uint64_t now);
    void wake(std::uint64_t cycle);
    void report_completions(std::uint64_t now);
    void issue(unsigned slot, std::uint64_t now);
    bool issue_next(warp_slot& warp, unsigned slot, std::uint64_t now);
    isa::step execute(warp_slot& warp, unsigned slot, const isa::instruction* next, std::uint64_t now);
    /// Cycles of an instruction.
    struct issue_times {
        std::uint64_t issue;
        std::uint64_t ready;     ///< never_cycle: known when the ISBE responds
        std::uint64_t in_memory; ///< number of these cycles that global memory takes
    };
    /// Records when registers are ready and barriers are released, with the causes.
    void take_results(warp_slot& warp, unsigned slot, const isa::instruction& instruction, const isa::step& step,
                      const issue_times& times);
    void issue_final(warp_slot& warp, unsigned slot, std::uint64_t now);
    void issue_attribute(warp_slot& warp, unsigned slot, const isa::instruction& instruction, unsigned components,
                         std::uint64_t now);
    void exited(warp_slot& warp, lane_mask lanes, std::uint32_t pc);
    void deliver(const attribute_operation& operation, const warp_result& result, std::uint64_t now);
    void submit(attribute_operation& operation, std::uint64_t now);
    // by_warp
    void run_ahead();
    void run_ahead(unsigned slot);
    void answer(attribute_operation& operation, std::uint64_t now);
    std::uint64_t end_of(unsigned slot) const;
    struct progress;
    /// The port serves its warps in turn: `passes` of a later warp delay an earlier warp that has passes left.
    void share(const progress& later, std::uint64_t passes);
    void collect(warp_slot& warp, const attribute_operation& operation, const warp_result& result, std::uint64_t now);
    /// `because`: the event that changed the warp.
    void refresh(unsigned slot, std::uint64_t now, const cause& because);
    /// Records why the warp's next instruction issues in `now`.
    void note_issue(warp_slot& warp, unsigned slot, std::uint64_t now);
    /// Results are ready from `cycle` on, which follows `origin` because of `reason`.
    static void set_ready(warp_slot& warp, const isa::issue_info& info, std::uint64_t cycle, const cause& origin,
                          path_reason reason);
    unsigned number_of(unsigned slot) const { return slot % static_cast<unsigned>(schedulers_.size()); }
    scheduler& scheduler_of(unsigned slot) { return schedulers_[number_of(slot)]; }
    unsigned position_of(unsigned slot) const { return slot / static_cast<unsigned>(schedulers_.size()); }

    /// by_warp: how far a warp has come.
    struct progress {
        std::uint64_t resume = 0;       ///< cycle of its next instruction
        std::uint64_t issue_until = 0;  ///< its scheduler's issuing_ after its last issue
        std::uint64_t last = 0;         ///< cycle of its last issue or response
        std::uint64_t port_free = 0;    ///< cycle after the passes of its operations so far
        std::uint64_t launched = 0;     ///< cycle of its launch
        std::uint64_t responded = 0;    ///< cycle of its last response; responses leave in order
        std::uint64_t passes = 0;       ///< of its operations
        std::uint64_t engine_until = 0; ///< isbe_extension::busy_until
    };

    sm_config config_;
    cycle_clock clock_;
    sm_timing timing_;
    std::vector<progress> progress_;     ///< by slot
    std::vector<unsigned> ahead_;        ///< slots with instructions left
    std::vector<std::uint64_t> issuing_; ///< by scheduler: cycle until which its warps have instructions to issue
    attribute_unit attributes_;
    memory_port memory_;
    std::vector<warp_slot> slots_;
    pipe_lanes pipes_;
    std::vector<scheduler> schedulers_; ///< slot s belongs to scheduler s % size
    std::vector<cause> last_issues_;    ///< by scheduler
    /// In which order schedulers issue in a cycle: the number of a warp that needs a shared pipe, and the scheduler.
    std::vector<std::pair<std::uint64_t, unsigned>> order_;
    sm_counters counters_;
    sm_observer* observer_ = nullptr;
    std::vector<std::unique_ptr<sm_observer_pair>> pairs_; ///< the last is observer_, if there are several observers
    isa::execution_rules rules_;
    unsigned resident_ = 0;
    std::vector<unsigned> completing_; ///< slots with complete_at set
    fault_reporter faults_;
    launch_target launches_;
    std::uint64_t next_wake_ = never_cycle;
    sc_core::sc_event wake_event_;
};

} // namespace isbesim
