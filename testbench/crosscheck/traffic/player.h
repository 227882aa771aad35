// SPDX-License-Identifier: Apache-2.0
// Plays the traffic of one port into an ISBE with the request gaps and response holds that the traffic asks for.
#pragma once

#include "testbench/crosscheck/traffic/port_player.h"

namespace isbesim::testbench {

class traffic_player : public port_player {
public:
    traffic_player(const sc_core::sc_module_name& name, const cycle_clock& clock, unsigned port, traffic_source& source,
                   traffic_listener& owner);

    /// Everything was sent and has responded.
    bool finished() const { return exhausted_ && initiator_.pending() == 0; }

private:
    void send_due() override;
    void response(std::uint64_t tag, const warp_op& op, const warp_result& result,
                  const transaction_times& times) override;
    void accepted(std::uint64_t tag) override;
    unsigned response_stall(std::uint64_t tag) override;

    traffic_source& source_;
    const traffic_item* next_ = nullptr; ///< drawn and not sent yet
    bool exhausted_ = false;
};

} // namespace isbesim::testbench
