// SPDX-License-Identifier: Apache-2.0
// Finds programs whose control words do not protect their registers (conformance ISA-04). The hardware has no
// interlock there and would use a stale value; the model uses the right one and reports the hazard.
#pragma once

#include "models/isa/register_times.h"

namespace isbesim {

class register_hazards : public isa::register_times {
public:
    static constexpr unsigned none = count;

    /// First register or predicate that an instruction issued in `now` reads before its result is ready, or overwrites
    /// so that the older result would land on top of the newer one (due in `ready`, never_cycle when not known), or
    /// that an instruction just before it would not read in time. `none` when all is well. With `lanes_off` only
    /// predicates are read and nothing is written.
    unsigned check(const isa::issue_info& info, std::uint64_t now, std::uint64_t ready, bool lanes_off) const;
};

} // namespace isbesim
