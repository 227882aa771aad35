// SPDX-License-Identifier: Apache-2.0
// Observer interface of the SM, for its warps; costs one null check when unused.
#pragma once

#include <cstdint>
#include <optional>

#include "models/isa/execution/executor.h"
#include "models/sm/attribute_unit.h"
#include "models/sm/scheduler.h"
#include "models/sm/sm_counters.h"

namespace isbesim {

/// One issued warp instruction.
struct issue_event {
    unsigned slot = 0;
    std::uint32_t pc = 0;
    std::optional<opcode> attribute;    ///< empty for instructions outside of the attribute path
    std::uint64_t stall_until = 0;      ///< first cycle that the stall count of the previous instruction allowed
    std::uint64_t scoreboard_until = 0; ///< first cycle that the scoreboards allowed too, never before stall_until
    std::uint64_t pipe_until = 0; ///< first cycle in which its pipe was free for it; any earlier one without a limit
    std::uint64_t cycle = 0;      ///< of the issue
    std::uint64_t ready = 0;      ///< cycle of its result; never_cycle: when the ISBE has responded
    const isa::instruction* instruction = nullptr;
};

/// Cycles are clock cycles; `slot` is the warp slot. References are valid during the call.
class sm_observer {
public:
    virtual ~sm_observer() = default;
    virtual void launched(const warp_launch& launch, std::uint64_t cycle) = 0;
    /// The last operation has responded; the slot is free.
    virtual void completed(unsigned slot, const warp_completion& completion, std::uint64_t cycle) = 0;
    virtual void issued(const issue_event& issue) = 0;
    /// An operation for the ISBE, which may be the final OUT of an EXIT, has entered the attribute queue. The ISBE's
    /// port receives operations in this order.
    virtual void submitted(const attribute_operation& operation) = 0;
    /// The response to an operation was written back; in the order of submitted().
    virtual void responded(const attribute_operation& operation, const warp_result& result, std::uint64_t cycle) = 0;
    virtual void trapped(const trap_record& trap) = 0;
    /// Scheduler `number` issued nothing in `cycles` cycles from `first` on. Each cycle is reported once, in order.
    virtual void stalled(unsigned number, stall_reason reason, std::uint64_t first, std::uint64_t cycles) = 0;
};

/// Passes the events of an SM to two observers.
class sm_observer_pair final : public sm_observer {
public:
    sm_observer_pair(sm_observer& first, sm_observer& second) : first_(first), second_(second) {}

    void launched(const warp_launch& launch, std::uint64_t cycle) override
    {
        first_.launched(launch, cycle);
        second_.launched(launch, cycle);
    }
    void completed(unsigned slot, const warp_completion& completion, std::uint64_t cycle) override
    {
        first_.completed(slot, completion, cycle);
        second_.completed(slot, completion, cycle);
    }
    void issued(const issue_event& issue) override
    {
        first_.issued(issue);
        second_.issued(issue);
    }
    void submitted(const attribute_operation& operation) override
    {
        first_.submitted(operation);
        second_.submitted(operation);
    }
    void responded(const attribute_operation& operation, const warp_result& result, std::uint64_t cycle) override
    {
        first_.responded(operation, result, cycle);
        second_.responded(operation, result, cycle);
    }
    void trapped(const trap_record& trap) override
    {
        first_.trapped(trap);
        second_.trapped(trap);
    }
    void stalled(unsigned number, stall_reason reason, std::uint64_t first, std::uint64_t cycles) override
    {
        first_.stalled(number, reason, first, cycles);
        second_.stalled(number, reason, first, cycles);
    }

private:
    sm_observer& first_;
    sm_observer& second_;
};

} // namespace isbesim
