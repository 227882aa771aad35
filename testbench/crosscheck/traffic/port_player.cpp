// SPDX-License-Identifier: Apache-2.0
#include "testbench/crosscheck/traffic/port_player.h"

#include "tlm/has_process.h"
#include "tlm/process_guard.h"

namespace isbesim::testbench {

port_player::port_player(const sc_core::sc_module_name& name, const cycle_clock& clock, unsigned port,
                         traffic_listener& owner)
    : sc_module(name),
      clock_(clock),
      port_(port),
      listener_(owner),
      initiator_("initiator", warp_initiator::style::approximately_timed, clock, 1, *this)
{
    ISBESIM_HAS_PROCESS(port_player);
    SC_METHOD(act);
    sensitive << wake_;
}

void port_player::act()
{
    guard_process([this] { send_due(); });
}

} // namespace isbesim::testbench
