// SPDX-License-Identifier: Apache-2.0
// Whether two items of traffic ask for the same at the same time.
#pragma once

#include "testbench/crosscheck/traffic/traffic.h"

namespace isbesim::testbench {

inline bool same_item(const traffic_item& a, const traffic_item& b)
{
    return a.earliest == b.earliest && a.response_hold == b.response_hold && a.op.op == b.op.op &&
           a.op.space == b.op.space && a.op.region == b.op.region && a.op.form == b.op.form && a.op.type == b.op.type &&
           a.op.size == b.op.size && a.op.context == b.op.context && a.op.immediate == b.op.immediate &&
           a.op.lanes == b.op.lanes && a.op.address == b.op.address && a.op.handle == b.op.handle &&
           a.op.data == b.op.data;
}

} // namespace isbesim::testbench
