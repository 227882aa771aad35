// SPDX-License-Identifier: Apache-2.0
#include "models/isbe/timing/isbe_at.h"

#include "models/isbe/timing/four_phase_isbe_impl.h"

namespace isbesim {

template class four_phase_isbe<at_engine>;

isbe_at::isbe_at(const sc_core::sc_module_name& name, const isbe_config& config, const cycle_clock& clock)
    : four_phase_isbe(name, config, clock)
{
}

isbe_core& isbe_at::core()
{
    advance_to();
    return engine_.functional;
}

std::vector<cycle_stack> isbe_at::stacks()
{
    advance_to();
    return engine_.stacks(clock().now());
}

unsigned isbe_at::debug(tlm::tlm_generic_payload& payload)
{
    return debug_access(core().storage(), payload);
}

} // namespace isbesim
