// SPDX-License-Identifier: Apache-2.0
// What the tests of SM75's registers have in common.
#pragma once

#include <random>
#include <string>

#include "tests/isa/lab.h"

namespace isbesim::isa {

inline lab turing(const std::string& text, lane_mask lanes = all_lanes)
{
    return lab(text, lanes, 64, architecture::sm75);
}

/// A bench with R1..R5 full of awkward numbers.
inline lab with_numbers(const std::string& text, unsigned seed, lane_mask lanes = all_lanes)
{
    lab bench = turing(text, lanes);
    bench.fill_awkward(1, 5, seed);
    return bench;
}

inline std::int64_t as_signed(word value)
{
    return static_cast<std::int32_t>(value);
}

} // namespace isbesim::isa
