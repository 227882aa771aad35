// SPDX-License-Identifier: Apache-2.0
#include "testbench/crosscheck/traffic/lt_issuer.h"

#include <algorithm>

#include <tlm_utils/tlm_quantumkeeper.h>

#include "tlm/has_process.h"
#include "tlm/process_guard.h"

namespace isbesim::testbench {

lt_issuer::lt_issuer(const sc_core::sc_module_name& name, const cycle_clock& clock, unsigned socket_count,
                     std::uint64_t quantum_cycles, operation_producer& producer)
    : sc_module(name),
      sockets("socket", socket_count),
      clock_(clock),
      quantum_cycles_(quantum_cycles),
      producer_(producer)
{
    for (auto& socket : sockets) socket.bind(*this);
    ISBESIM_HAS_PROCESS(lt_issuer);
    SC_THREAD(act);
}

void lt_issuer::act()
{
    guard_process([this] { issue(); });
}

void lt_issuer::issue()
{
    tlm_utils::tlm_quantumkeeper keeper;
    keeper.set_global_quantum(clock_.time(quantum_cycles_));
    keeper.reset();
    auto& payload = pool_.acquire();
    auto& extension = payload_pool::extension(payload);
    std::uint64_t cycle = 0;
    for (std::uint64_t due = 0; (due = producer_.due(cycle)) != operation_producer::never;) {
        if (due > cycle) {
            cycle = due;
            continue;
        }
        const auto begin = clock_.time(cycle);
        const auto ahead = keeper.get_current_time();
        if (begin > ahead) keeper.inc(begin - ahead);
        if (keeper.get_local_time() != sc_core::SC_ZERO_TIME && keeper.need_sync()) keeper.sync();
        make_request(payload, extension);
        const auto issued = producer_.next(cycle, extension.op);
        extension.next_request = 0; // for targets that don't set it
        auto delay = keeper.get_local_time();
        sockets[issued->socket]->b_transport(payload, delay);
        producer_.accepted(issued->tag, cycle, std::max(cycle + 1, extension.next_request));
        transaction_times times;
        times.begin_request = times.accept = cycle;
        times.response = clock_.cycles(sc_core::sc_time_stamp() + delay);
        producer_.responded(issued->tag, extension.op, extension.result, times);
    }
    payload.release();
}

} // namespace isbesim::testbench
