// SPDX-License-Identifier: Apache-2.0
// Presses one port of an ISBE: open loop, operations arrive whatever becomes of those before; closed loop, a new one
// comes as soon as one has responded.
#pragma once

#include "testbench/crosscheck/traffic/port_player.h"
#include "testbench/load/load_meter.h"
#include "testbench/load/load_operations.h"
#include "tlm/ring.h"

namespace isbesim::testbench {

class load_player : private port_player {
public:
    /// The binding operation goes first when `binds`.
    load_player(const sc_core::sc_module_name& name, const cycle_clock& clock, unsigned port, const isbe_config& config,
                const load_profile& profile, load_meter& meter);

    using port_player::socket;
    /// Sends the operation that binds the context.
    void bind();
    /// From this cycle on; `share` is the port's part of the level's rate.
    void start(const load_level& level, double share);
    bool finished() const { return initiator_.pending() == 0; }

private:
    void send_due() override;
    void send_one(std::uint64_t arrival);
    void response(std::uint64_t tag, const warp_op& op, const warp_result& result,
                  const transaction_times& times) override;
    void accepted(std::uint64_t tag) override;
    void next_arrival();

    isbe_config config_;
    load_profile profile_;
    load_meter& meter_;
    load_operations operations_;
    random_numbers arrivals_;
    bool binding_ = false;
    bool running_ = false;
    load_level level_;
    double gap_ = 0;        ///< mean cycles between groups that arrive
    double group_time_ = 0; ///< of the group that arrives next, in cycles
    unsigned left_in_group_ = 0;
    std::uint64_t arrival_ = 0; ///< cycle of the operation that comes next
};

} // namespace isbesim::testbench
