// SPDX-License-Identifier: Apache-2.0
// What lanes tell each other: votes, matches and shuffles of lanes that take part, against PTX ISA's accounts.
#include <gtest/gtest.h>

#include "tests/isa/lab.h"

namespace isbesim::isa {
namespace {

TEST(lane_rules, ISA_03_shuffles_take_five_bits_of_lane_and_limit)
{
    // PTX ISA, shfl: lane i reads from where, or from itself outside of its segment.
    const auto expected = [](const std::string& mode, unsigned i, unsigned b, unsigned c, bool& valid) {
        const unsigned step = b & 31U, clamp = c & 31U, segment = c >> 8 & 31U;
        const unsigned highest = (i & segment) | (clamp & ~segment), lowest = i & segment;
        int from = 0;
        if (mode == "UP")
            from = static_cast<int>(i) - static_cast<int>(step), valid = from >= static_cast<int>(highest);
        if (mode == "DOWN") from = static_cast<int>(i + step), valid = from <= static_cast<int>(highest);
        if (mode == "BFLY") from = static_cast<int>(i ^ step), valid = from <= static_cast<int>(highest);
        if (mode == "IDX")
            from = static_cast<int>(lowest | (step & ~segment)), valid = from <= static_cast<int>(highest);
        return valid ? static_cast<unsigned>(from) : i;
    };
    for (const auto arch : {architecture::sm50, architecture::sm75})
        for (const std::string mode : {"IDX", "UP", "DOWN", "BFLY"})
            for (unsigned seed = 0; seed < 8; ++seed) {
                lab bench("SHFL." + mode + " P1, R10, R1, R2, R3;", arch);
                std::mt19937 random{seed};
                for (auto& w : bench[2]) w = static_cast<word>(random());
                for (unsigned i = 0; i < warp_lanes; ++i) {
                    bench[1][i] = 1000 + i;
                    const unsigned segments[] = {0x1f00, 0x1c03, 0x001f, 0x0000, 0x181f, 0x1007};
                    bench[3][i] = segments[seed % 6] | (static_cast<word>(random()) & 0xffffe000U);
                }
                bench.run();
                for (unsigned i = 0; i < warp_lanes; ++i) {
                    bool valid = false;
                    const unsigned from = expected(mode, i, bench[2][i], bench[3][i], valid);
                    EXPECT_EQ(bench[10][i], 1000 + from % 32) << mode << seed;
                    EXPECT_EQ(bench.warp.predicates[1] >> i & 1U, valid ? 1U : 0U) << mode << seed;
                }
            }
}

} // namespace
} // namespace isbesim::isa
