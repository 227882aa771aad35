// SPDX-License-Identifier: Apache-2.0
#include "testbench/load/load_player.h"

#include <cmath>

namespace isbesim::testbench {

namespace {

/// A port_player needs a listener; the meter of a load takes more than one gets.
class no_listener : public traffic_listener {
public:
    void responded(unsigned, std::uint32_t, const warp_op&, const warp_result&, const transaction_times&) override {}
};

no_listener unused_listener;

} // namespace

load_player::load_player(const sc_core::sc_module_name& name, const cycle_clock& clock, unsigned port,
                         const isbe_config& config, const load_profile& profile, load_meter& meter)
    : port_player(name, clock, port, unused_listener),
      config_(config),
      profile_(profile),
      meter_(meter),
      operations_(config, profile, port),
      arrivals_(profile.seed * 2 + port + 0x10000)
{
}

void load_player::bind()
{
    binding_ = true;
    wake();
}

void load_player::start(const load_level& level, double share)
{
    level_ = level;
    running_ = true;
    if (level.outstanding == 0) {
        gap_ = profile_.burst / (level.rate * share);
        group_time_ = static_cast<double>(clock_.now());
        next_arrival();
    }
    wake();
}

/// Moves on by one operation. An operation that arrives inside a cycle is there at its end.
void load_player::next_arrival()
{
    if (left_in_group_ == 0) {
        // In (0, 1]: no logarithm of 0.
        const double uniform = (arrivals_.bits() + 1.0) / 0x1p32;
        group_time_ += profile_.poisson ? -std::log(uniform) * gap_ : gap_;
        left_in_group_ = profile_.burst;
    }
    --left_in_group_;
    arrival_ = static_cast<std::uint64_t>(std::ceil(group_time_));
}

void load_player::send_one(std::uint64_t arrival)
{
    operations_.next(initiator_.prepare());
    initiator_.send(arrival);
}

void load_player::send_due()
{
    if (binding_) {
        load_operations::bind(config_, profile_, initiator_.prepare());
        initiator_.send(clock_.now());
        binding_ = false;
    }
    while (running_ && !meter_.done() && initiator_.can_send()) {
        if (level_.outstanding != 0) {
            if (initiator_.pending() >= level_.outstanding) return;
            send_one(clock_.now());
            continue;
        }
        if (arrival_ > clock_.now()) {
            wake_in(arrival_);
            return;
        }
        send_one(arrival_);
        next_arrival();
    }
}

void load_player::response(std::uint64_t tag, const warp_op& op, const warp_result& result,
                           const transaction_times& times)
{
    meter_.responded(op, result, times, tag);
    wake(); // closed loop: there is room for another one
}

void load_player::accepted(std::uint64_t)
{
    wake();
}

} // namespace isbesim::testbench
