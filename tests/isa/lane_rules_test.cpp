// SPDX-License-Identifier: Apache-2.0
// What lanes tell each other: votes, matches and shuffles of lanes that take part, against PTX ISA's accounts.
#include <gtest/gtest.h>

#include "tests/isa/lab.h"

namespace isbesim::isa {
namespace {

TEST(lane_rules, ISA_03_votes_of_lanes_that_take_part)
{
    struct row {
        lane_mask lanes, ballot;
        bool all, any, equal;
    };
    for (const row& each :
         {row{0x0000'fff0U, 0x0000'fff0U, true, true, true}, row{0x0000'fff0U, 0xffff'000fU, false, false, true},
          row{0x0000'fff0U, 0x0000'0010U, false, true, false}, row{0x0000'fff0U, ~1U, true, true, true},
          row{all_lanes, 1, false, true, false}, row{all_lanes, all_lanes, true, true, true},
          row{all_lanes, 0, false, false, true}, row{1, 1, true, true, true}, row{2, 1, false, false, true}})
        for (const auto arch : {architecture::sm50, architecture::sm75}) {
            lab bench("VOTE.ALL R1, P1, P0; VOTE.ANY R2, P2, P0; VOTE.EQ R3, P3, P0; VOTE.ALL R4, P4, !P0;", each.lanes,
                      0, arch);
            bench.warp.predicates[0] = each.ballot;
            bench.run();
            const auto& p = bench.warp.predicates;
            EXPECT_EQ(p[1], each.all ? each.lanes : 0U);
            EXPECT_EQ(p[2], each.any ? each.lanes : 0U);
            EXPECT_EQ(p[3], each.equal ? each.lanes : 0U);
            EXPECT_EQ(p[4], each.any ? 0U : each.lanes);
            for (unsigned i = 0; i < warp_lanes; ++i)
                EXPECT_EQ(bench[2][i], (each.lanes >> i & 1U) != 0 ? each.ballot & each.lanes : 0U);
        }
    lab different("MATCH.ALL P0, R10, R1; MATCH.ALL P1, R11, R2; MATCH.ALL.U64 P2, R12, R4;", 0x00ff'ff00U, 0,
                  architecture::sm75);
    different[1][8] = 5;
    different[2].fill(9);
    different[2][0] = different[2][31] = 1; // take no part
    different[5][20] = 7;
    for (auto& p : different.warp.predicates) p = all_lanes;
    different.run();
    EXPECT_EQ(different.warp.predicates[0], 0xff0000ffU);
    EXPECT_EQ(different[10][8], 0U);
    EXPECT_EQ(different.warp.predicates[1], all_lanes);
    EXPECT_EQ(different[11][23], 0x00ffff00U);
    EXPECT_EQ(different.warp.predicates[2], 0xff0000ffU) << "the upper words differ";
    lab everybody("MATCH.ALL P0, R10, R1;", architecture::sm75);
    everybody[1][7] = 1;
    everybody.run();
    EXPECT_EQ(everybody.warp.predicates[0], 0U);
}

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
