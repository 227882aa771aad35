// SPDX-License-Identifier: Apache-2.0
// One resident warp: its architectural state, and the state that decides when it may issue.
#pragma once

#include <cstdint>

#include <tlm>

#include "models/isa/execution/executor.h"
#include "models/sm/scoreboards.h"
#include "models/sm/warnings/warning_table.h"

namespace isbesim {

class warp_slot {
public:
    isa::warp_state state;
    scoreboards barriers;
    register_hazards registers;

    tlm::tlm_generic_payload* transaction = nullptr; ///< the launch; nullptr = the slot is free
    warp_completion completion;
    bool fast_geometry = false;
    const attribute_set* omap = nullptr;     ///< of the launch
    std::uint64_t stall_until = 0;           ///< earliest issue by the stall count of the last instruction
    unsigned outstanding = 0;                ///< attribute operations issued and without a response
    lane_mask final_lanes = 0;               ///< lanes that have exited, but whose final OUT is not issued yet
    per_lane<std::uint16_t> emitted{};       ///< geometry: vertices that the thread's OUTs have emitted
    lane_mask finalised = 0;                 ///< geometry: lanes whose final OUT was issued, by EXIT or explicitly
    std::uint32_t final_pc = 0;              ///< address of the EXIT that set final_lanes
    std::uint64_t complete_at = never_cycle; ///< cycle of BEGIN_RESP, once known

    path_place place;                        ///< of its events
    cause issued;                            ///< its last issue, at first its launch
    path_reason stall = path_reason::launch; ///< reason for stall_until
    precondition r0;                         ///< the last write of R0, which a final OUT waits for
    cause ended;                             ///< the event that complete_at follows

    bool resident() const { return transaction != nullptr; }
    bool geometry() const { return state.stage == stage::geometry && !fast_geometry; }

    /// Starts a warp in this slot; it can issue in `now` + 1.
    void launch(const warp_launch& launch, std::uint64_t now);

    /// Finds the instruction at the pc. Call after each instruction.
    void fetch();
    /// The instruction to issue next; nullptr if the pc has left the program.
    const isa::instruction* next() const { return next_; }
    /// Its byte address, for reports: at the start of a program or bundle the pc points at the control word before it.
    std::uint32_t pc() const { return next_ != nullptr ? next_->address : state.pc; }

    /// OUT in a fast geometry warp does nothing (HARDWARE.md B.4): it issues and never leaves the SM.
    bool is_nop(const isa::instruction& instruction) const
    {
        return state.stage == stage::geometry && fast_geometry &&
               instruction.issue.latency == isa::latency_class::attribute &&
               instruction.issue.attribute_opcode == opcode::out;
    }
    /// True if nothing is left to issue: the warp waits only for responses, or is about to complete.
    bool drained() const { return state.finished() && final_lanes == 0; }
    /// True if the next instruction or final OUT goes through the attribute queue.
    bool needs_queue() const;
    /// The pipe that the next instruction occupies.
    sm_pipe unit() const { return final_lanes != 0 || next_ == nullptr ? sm_pipe::none : next_->issue.unit; }
    /// First cycle in which stall count and scoreboards let the warp issue; never_cycle if not known yet.
    std::uint64_t earliest() const;

private:
    const isa::instruction* next_ = nullptr;
};

} // namespace isbesim
