// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace isbesim {

/// The smallest multiple of `unit` that is not less than `value`; both are unsigned.
template <typename Value, typename Unit>
constexpr auto rounded_up(Value value, Unit unit)
{
    return (value + unit - 1) / unit * unit;
}

} // namespace isbesim
