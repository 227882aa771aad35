// SPDX-License-Identifier: Apache-2.0
// Plays the operations of one initiator of a trace in a closed loop, in four phases.
#pragma once

#include "testbench/crosscheck/traces/replay_schedule.h"
#include "testbench/crosscheck/traffic/port_player.h"

namespace isbesim::testbench {

class replay_player : public port_player {
public:
    replay_player(const sc_core::sc_module_name& name, const cycle_clock& clock, unsigned initiator,
                  replay_schedule& schedule, traffic_listener& owner);

    /// The schedule has another next operation for this initiator.
    void ready();
    /// The other initiator of the same port: when both begin a request in one cycle, the recorded order decides.
    void share_with(const replay_player& other) { other_ = &other; }

private:
    void send_due() override;
    void wake_for(std::uint64_t due);
    bool sends_in(std::uint64_t cycle) const;
    void response(std::uint64_t tag, const warp_op& op, const warp_result& result,
                  const transaction_times& times) override;
    void accepted(std::uint64_t tag) override;
    unsigned response_stall(std::uint64_t) override { return hold_; }

    replay_schedule& schedule_;
    const replay_player* other_ = nullptr;
    std::uint64_t channel_free_ = 0; ///< cycle in which the request channel can carry the next request
    std::uint64_t responses_seen_ = ~std::uint64_t{0}; ///< cycle whose responses have been seen
    unsigned hold_ = 0;                                ///< of the response that was delivered last
};

} // namespace isbesim::testbench
