// SPDX-License-Identifier: Apache-2.0
#include "testbench/rtl/isbe_rtl.h"

#include <utility>

#include "models/isbe/timing/four_phase_isbe_impl.h"

namespace isbesim {
template class four_phase_isbe<testbench::rtl_engine>;
}

namespace isbesim::testbench {

isbe_rtl::isbe_rtl(const sc_core::sc_module_name& name, const isbe_config& config, const cycle_clock& clock,
                   std::unique_ptr<rtl_block> block)
    : four_phase_isbe(name, config, clock, std::move(block))
{
}

isbe_counters isbe_rtl::functional_counters()
{
    advance_to();
    return engine_.account().functional_counters(clock().now());
}

std::vector<cycle_stack> isbe_rtl::stacks()
{
    advance_to();
    return engine_.account().stacks(clock().now());
}

unsigned isbe_rtl::debug(tlm::tlm_generic_payload&)
{
    return 0;
}

} // namespace isbesim::testbench
