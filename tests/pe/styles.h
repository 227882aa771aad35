// SPDX-License-Identifier: Apache-2.0
// Tests that run on both kinds of model.
#pragma once

#include <ostream>

#include <gtest/gtest.h>

#include "tlm/warp_initiator.h"

namespace isbesim {

inline void PrintTo(warp_initiator::style style, std::ostream* out)
{
    *out << (style == warp_initiator::style::loosely_timed ? "lt" : "at");
}

namespace test {

inline auto both_styles()
{
    return testing::Values(warp_initiator::style::loosely_timed, warp_initiator::style::approximately_timed);
}

} // namespace test

} // namespace isbesim
