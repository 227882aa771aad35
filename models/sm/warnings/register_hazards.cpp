// SPDX-License-Identifier: Apache-2.0
#include "models/sm/warnings/register_hazards.h"

namespace isbesim {

unsigned register_hazards::check(const isa::issue_info& info, std::uint64_t now, std::uint64_t ready,
                                 bool lanes_off) const
{
    if (over(now)) return none;
    unsigned found = none;
    visit(info, ready, lanes_off, [&](unsigned number, std::uint64_t cycle) {
        if (cycle > now && found == none) found = number;
    });
    return found;
}

} // namespace isbesim
