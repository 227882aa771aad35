// SPDX-License-Identifier: Apache-2.0
// Whether two items of traffic ask for the same at the same time.
#pragma once

#include "testbench/crosscheck/traffic/traffic.h"
#include "tlm/warp_fields.h"

namespace isbesim::testbench {

inline bool same_item(const traffic_item& a, const traffic_item& b)
{
    return a.earliest == b.earliest && a.response_hold == b.response_hold && a.op == b.op;
}

} // namespace isbesim::testbench
