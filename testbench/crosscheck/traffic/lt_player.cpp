// SPDX-License-Identifier: Apache-2.0
#include "testbench/crosscheck/traffic/lt_player.h"

#include <algorithm>

#include <tlm_utils/tlm_quantumkeeper.h>

#include "tlm/has_process.h"
#include "tlm/process_guard.h"

namespace isbesim::testbench {

lt_player::lt_player(const sc_core::sc_module_name& name, const cycle_clock& clock, unsigned port,
                     traffic_source& source, traffic_listener& owner)
    : sc_module(name), socket("socket"), clock_(clock), port_(port), source_(source), listener_(owner)
{
    socket.bind(*this);
    ISBESIM_HAS_PROCESS(lt_player);
    SC_THREAD(play);
}

void lt_player::play()
{
    guard_process([this] { play_all(); });
}

void lt_player::play_all()
{
    constexpr std::uint64_t quantum_cycles = 1000;
    tlm_utils::tlm_quantumkeeper keeper;
    keeper.set_global_quantum(clock_.time(quantum_cycles));
    keeper.reset();
    auto& payload = pool_.acquire();
    auto& extension = payload_pool::extension(payload);
    std::uint64_t cycle = 0;
    while (const traffic_item* const item = source_.draw(port_)) {
        cycle = std::max(cycle, item->earliest);
        const auto begin = clock_.time(cycle);
        const auto ahead = keeper.get_current_time();
        if (begin > ahead) keeper.inc(begin - ahead);
        if (keeper.need_sync()) keeper.sync();
        make_request(payload, extension);
        extension.op = item->op;
        auto delay = keeper.get_local_time();
        socket->b_transport(payload, delay);
        transaction_times times;
        times.begin_request = times.accept = cycle;
        times.response = clock_.cycles(sc_core::sc_time_stamp() + delay);
        listener_.responded(port_, 0, extension.op, extension.result, times);
        ++cycle; // the request channel carries one request a cycle
    }
    payload.release();
    finished_ = true;
}

} // namespace isbesim::testbench
