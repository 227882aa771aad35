// SPDX-License-Identifier: Apache-2.0
#include "testbench/gl/channel/compute_engine.h"

namespace isbesim::gl {

void compute_engine::method(std::uint32_t number, std::uint32_t value)
{
    constexpr std::uint32_t launch = 0x2bc; // SEND_SIGNALING_PCAS_B
    if (inline_upload::has(number)) upload_.method(number, value);
    if (number == launch) ++parts_.counts.skipped["compute launches"];
}

} // namespace isbesim::gl
