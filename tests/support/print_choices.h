// SPDX-License-Identifier: Apache-2.0
// Prints the machine's choices as test parameters by name, in ctest's list and in failed expectations.
#pragma once

#include <ostream>

#include "models/machine_config.h"

namespace isbesim {

inline void PrintTo(access_rule rule, std::ostream* out)
{
    *out << (rule == access_rule::banked ? "banked" : "line");
}

inline void PrintTo(gs_slot_order order, std::ostream* out)
{
    *out << (order == gs_slot_order::interleaved ? "interleaved" : "blocked");
}

inline void PrintTo(allocation_rule rule, std::ostream* out)
{
    *out << (rule == allocation_rule::first_fit ? "first_fit" : "best_fit");
}

inline void PrintTo(lane_winner winner, std::ostream* out)
{
    *out << (winner == lane_winner::highest ? "highest" : "lowest");
}

} // namespace isbesim
