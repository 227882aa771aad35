// SPDX-License-Identifier: Apache-2.0
#include "models/sm/sm_counters.h"

namespace isbesim {

void sm_counters::add_trap(const trap_record& trap)
{
    ++trap_count;
    if (traps.size() < trap_limit) traps.push_back(trap);
}

} // namespace isbesim
