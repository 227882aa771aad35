#include "testbench/crosscheck/traces/replay_player.h"

#include <algorithm>

#include "tlm/process_guard.h"

namespace isbesim::testbench {

replay_player::replay_player(const sc_core::sc_module_name& name, const cycle_clock& clock, unsigned port,
                             replay_schedule& schedule, traffic_listener& owner)
    : sc_module(name),
      clock_(clock),
      port_(port),
      schedule_(schedule),
      listener_(owner),
      initiator_("initiator", warp_initiator::style::approximately_timed, clock, 1, *this)
{
    SC_HAS_PROCESS(replay_player);
    SC_METHOD(act);
    sensitive << wake_;
}

/// Runs at the start, when an operation is or becomes due and after the request channel became free.
void replay_player::act()
{
    guard_process([this] { send_due(); });
}

void replay_player::send_due()
{
    while (initiator_.can_send()) {
        const auto cycle = schedule_.next_cycle(port_);
        if (cycle == replay_schedule::never) return;
        if (cycle > clock_.now()) {
            wake_.notify(clock_.until(cycle));
            return;
        }
        if (cycle == clock_.now() && settled_ != cycle) {
            // A response of this very cycle may bring one that was recorded in front of it.
            settled_ = cycle;
            wake();
            return;
        }
        const auto number = schedule_.next_operation(port_);
        initiator_.prepare() = schedule_.record(number).op;
        schedule_.requested(number, std::max(clock_.now(), channel_free_));
        listener_.sent(port_, number, schedule_.record(number).answer);
        initiator_.send(number);
    }
}

void replay_player::accepted(std::uint64_t)
{
    channel_free_ = clock_.now() + 1;
    wake();
}

void replay_player::response(std::uint64_t tag, const warp_op& op, const warp_result& result,
                             const transaction_times& times)
{
    hold_ = schedule_.record(tag).response_hold;
    listener_.responded(port_, hold_, op, result, times);
    schedule_.responded(tag, times.response);
}

} // namespace isbesim::testbench
