// SPDX-License-Identifier: Apache-2.0
// Finds programs whose control words do not protect their registers (conformance ISA-04). The hardware has no
// interlock there and would use a stale value; the model uses the right one and reports the hazard.
#pragma once

#include <array>
#include <cstdint>

#include "models/isa/program.h"

namespace isbesim {

class register_hazards {
public:
    /// Predicate P<n> is reported as register predicate_base + n, the condition codes as number 7 of these.
    static constexpr unsigned predicate_base = 256;
    static constexpr unsigned none = predicate_base + 8;

    void reset()
    {
        ready_.fill(0);
        latest_ = 0;
    }

    /// First register or predicate that an instruction issued in `now` reads before its result is ready, or overwrites
    /// so that the older result would land on top of the newer one (due in `ready`, never_cycle when not known).
    /// `none` when all is well. With `lanes_off` only predicates are read and nothing is written.
    unsigned check(const isa::issue_info& info, std::uint64_t now, std::uint64_t ready, bool lanes_off) const;

    /// The results of `info` can be used by instructions issued in `cycle` or later.
    void set_ready(const isa::issue_info& info, std::uint64_t cycle);

    std::uint64_t ready(unsigned reg) const { return ready_[reg]; }

private:
    std::array<std::uint64_t, predicate_base + 8> ready_{};
    std::uint64_t latest_ = 0; ///< no result is due later
};

} // namespace isbesim
