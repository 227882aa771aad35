// SPDX-License-Identifier: Apache-2.0
// Special registers of S2R: numbers and names.
#pragma once

#include <string>

namespace isbesim::isa {

/// Name of a special register; ids without a name print as SR_0x2b. The inverse returns -1 for an unknown name.
std::string special_register_name(unsigned id);
int special_register_id(const std::string& name);

/// Special registers that the executor knows.
namespace special_id {
inline constexpr unsigned lane = 0x00, prim_type = 0x10, invocation_id = 0x11, y_direction = 0x12, thread_kill = 0x13,
                          invocation_info = 0x1d, tid_x = 0x21, tid_y = 0x22, tid_z = 0x23, ctaid_x = 0x25,
                          ctaid_z = 0x27, lane_equal = 0x38, lane_less = 0x39, lane_less_equal = 0x3a,
                          lane_greater = 0x3b, lane_greater_equal = 0x3c, tid = 0x20, clock_low = 0x50,
                          clock_high = 0x51, zero = 0xff;
} // namespace special_id

} // namespace isbesim::isa
