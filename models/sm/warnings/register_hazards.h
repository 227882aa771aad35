// SPDX-License-Identifier: Apache-2.0
// Finds programs whose control words do not protect their registers (conformance ISA-04). The hardware has no interlock
// there and would use a stale value; the model uses the correct value and reports the hazard.
#pragma once

#include "models/isa/register_times.h"

namespace isbesim {

class register_hazards : public isa::register_times {
public:
    static constexpr unsigned none = count;

    /// First register or predicate with a hazard, or `none`: an instruction issued in `now` reads it before its result
    /// is ready, or writes it (in `ready`, never_cycle if not known) before an older result arrives, or before an
    /// instruction just ahead has read it. With `lanes_off` only predicates are read and nothing is written.
    unsigned check(const isa::issue_info& info, std::uint64_t now, std::uint64_t ready, bool lanes_off) const;
};

} // namespace isbesim
