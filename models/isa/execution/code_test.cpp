// SPDX-License-Identifier: Apache-2.0
#include "models/isa/execution/code_test.h"

namespace isbesim::isa {

lane_mask lanes_by_codes(const warp_state& warp, unsigned test, bool& known)
{
    enum unsigned_test : unsigned { off = 16, lower, sign_off, lower_or_same, higher, sign_on, higher_or_same, on };
    const auto [zero, sign, carry, overflow] = warp.condition;
    known = true;
    switch (test) {
    case off:
        return ~overflow;
    case lower: // subtraction sets carry if it does not borrow
        return ~carry;
    case sign_off:
        return ~sign;
    case lower_or_same:
        return zero | ~carry;
    case higher:
        return ~zero & carry;
    case sign_on:
        return sign;
    case higher_or_same:
        return carry;
    case on:
        return overflow;
    default:
        break;
    }
    known = test < off;
    // The other tests are sets of comparison results, as in all instructions: less, equal, greater, unordered. Zero and
    // sign together mean a NaN; an overflow inverts the sign.
    const lane_mask unordered = zero & sign, equal = zero & ~sign, less = ~zero & (sign ^ overflow),
                    greater = ~zero & ~(sign ^ overflow);
    return ((test & 1U) != 0 ? less : 0) | ((test & 2U) != 0 ? equal : 0) | ((test & 4U) != 0 ? greater : 0) |
           ((test & 8U) != 0 ? unordered : 0);
}

} // namespace isbesim::isa
