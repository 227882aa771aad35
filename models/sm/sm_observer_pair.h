// SPDX-License-Identifier: Apache-2.0
// Passes the events of an SM to two observers.
#pragma once

#include "models/sm/sm_observer.h"

namespace isbesim {

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
