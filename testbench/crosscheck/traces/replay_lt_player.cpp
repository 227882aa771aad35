// SPDX-License-Identifier: Apache-2.0
#include "testbench/crosscheck/traces/replay_lt_player.h"

#include <algorithm>

#include "tlm/has_process.h"
#include "tlm/process_guard.h"

namespace isbesim::testbench {

replay_lt_player::replay_lt_player(const sc_core::sc_module_name& name, const cycle_clock& clock, unsigned ports,
                                   replay_schedule& schedule, traffic_listener& owner)
    : sc_module(name), sockets("socket", ports), clock_(clock), schedule_(schedule), listener_(owner)
{
    for (auto& socket : sockets) socket.bind(*this);
    ISBESIM_HAS_PROCESS(replay_lt_player);
    SC_THREAD(play);
}

void replay_lt_player::play()
{
    guard_process([this] { play_all(); });
}

void replay_lt_player::play_all()
{
    auto& payload = pool_.acquire();
    auto& extension = payload_pool::extension(payload);
    std::array<std::uint64_t, max_trace_ports> last_request{};
    std::array<std::uint64_t, max_trace_ports> last_response{};
    std::uint64_t number = 0;
    std::uint64_t due = 0;
    while (schedule_.next_in_order(number, due)) {
        const auto port = std::min(schedule_.initiator_of(number), static_cast<unsigned>(sockets.size()) - 1);
        const auto cycle = std::max({due, last_request[port], clock_.now()});
        last_request[port] = cycle;
        // Without running ahead, so that the ISBE grants in turn. One that could be earlier than the one before is not.
        if (cycle > clock_.now()) wait(clock_.until(cycle));
        schedule_.requested(number, cycle);
        schedule_.accepted(number, cycle);
        listener_.sent(port, number, schedule_.recorded_answer(number));
        make_request(payload, extension);
        extension.op = warp_op{};
        schedule_.load(number, extension.op);
        auto delay = sc_core::SC_ZERO_TIME;
        sockets[port]->b_transport(payload, delay);
        transaction_times times;
        times.begin_request = times.accept = cycle;
        // Responses leave in port order, so a faster operation waits for the one before it.
        times.response = std::max(clock_.cycles(sc_core::sc_time_stamp() + delay), last_response[port]);
        last_response[port] = times.response;
        listener_.responded(port, 0, extension.op, extension.result, times);
        schedule_.responded(number, times.response);
    }
    payload.release();
}

} // namespace isbesim::testbench
