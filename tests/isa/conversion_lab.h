// SPDX-License-Identifier: Apache-2.0
// Conversions of many numbers at once, for the tests of conversions.
#pragma once

#include <algorithm>
#include <cfenv>
#include <vector>

#include <gtest/gtest.h>

#include "tests/isa/lab.h"

namespace isbesim::isa {

struct conversion_mode {
    const char* name;     ///< of F2F, I2F
    const char* integral; ///< of F2I, FRND
    int host;
};
inline constexpr conversion_mode modes[] = {{"", "", FE_TONEAREST},
                                            {".RM", ".FLOOR", FE_DOWNWARD},
                                            {".RP", ".CEIL", FE_UPWARD},
                                            {".RZ", ".TRUNC", FE_TOWARDZERO}};

struct run_result {
    word low, high;
};

/// R4 and R5 after `text` with a number in R0 and R1, in a lane that takes part; R4 and R5 were all ones.
inline run_result converted(const std::string& text, std::uint64_t bits, architecture arch)
{
    lab bench(text, 0x00f0'0000U, 0, arch);
    bench.fill_pair(0, bits);
    bench.fill(4, {~0U, ~0U});
    bench.run();
    EXPECT_EQ(bench[4][0] & bench[5][0], ~0U);
    return {bench[4][22], bench[5][22]};
}

/// The same for many numbers, 32 at a time.
inline std::vector<run_result> converted(const std::string& text, const std::vector<std::uint64_t>& numbers,
                                         architecture arch)
{
    std::vector<run_result> results;
    while (results.size() < numbers.size()) {
        lab bench(text, arch);
        const std::size_t first = results.size(), count = std::min<std::size_t>(warp_lanes, numbers.size() - first);
        for (std::size_t i = 0; i < count; ++i) bench.set_pair(0, i, numbers[first + i]);
        bench.fill(4, {~0U, ~0U});
        bench.run();
        for (std::size_t i = 0; i < count; ++i) results.push_back({bench[4][i], bench[5][i]});
    }
    return results;
}

inline std::uint64_t both(run_result r)
{
    return std::uint64_t{r.high} << 32 | r.low;
}

} // namespace isbesim::isa
