// SPDX-License-Identifier: Apache-2.0
// Shuffles against PTX ISA's account, tests of condition codes over all that four codes can hold, and quads.
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

TEST(code_rules, ISA_03_all_tests_of_all_codes)
{
    // Each finds the bits of its place: less 1, equal 2, greater 4, unordered 8.
    const char* const comparisons[] = {"F",   "LT",  "EQ",  "LE",  "GT",  "NE",  "GE",  "NUM",
                                       "NAN", "LTU", "EQU", "LEU", "GTU", "NEU", "GEU", "T"};
    const std::pair<const char*, bool (*)(bool zero, bool sign, bool carry, bool overflow)> others[] = {
        {"OFF", [](bool, bool, bool, bool o) { return !o; }},
        {"LO", [](bool, bool, bool c, bool) { return !c; }},
        {"SFF", [](bool, bool s, bool, bool) { return !s; }},
        {"LS", [](bool z, bool, bool c, bool) { return z || !c; }},
        {"HI", [](bool z, bool, bool c, bool) { return !z && c; }},
        {"SFT", [](bool, bool s, bool, bool) { return s; }},
        {"HS", [](bool, bool, bool c, bool) { return c; }},
        {"OFT", [](bool, bool, bool, bool o) { return o; }}};
    for (unsigned k = 0; k < 24; ++k) {
        const std::string name = k < 16 ? comparisons[k] : others[k - 16].first;
        lab bench("CSETP." + name + ".XOR P0, P1, CC, P2; EXIT CC." + name + "; MOV32I R3, 0x1;");
        bench.warp.condition = {0xaaaaaaaaU, 0xccccccccU, 0xf0f0f0f0U, 0xff00ff00U};
        bench.warp.predicates[2] = 0xffff0000U;
        bench.run();
        for (unsigned i = 0; i < warp_lanes; ++i) {
            const bool z = (i & 1U) != 0, s = (i & 2U) != 0, c = (i & 4U) != 0, o = (i & 8U) != 0, other = i >= 16;
            // Zero and sign together say that something was no number.
            const unsigned what = z && s ? 8U : z ? 2U : s != o ? 1U : 4U;
            const bool expected = k < 16 ? (k & what) != 0 : others[k - 16].second(z, s, c, o);
            EXPECT_EQ(bench.warp.predicates[0] >> i & 1U, expected != other ? 1U : 0U) << name << " " << i;
            EXPECT_EQ(bench.warp.predicates[1] >> i & 1U, expected == other ? 1U : 0U) << name << " " << i;
            EXPECT_EQ(bench[3][i], expected ? 0U : 1U) << name << " " << i;
        }
    }
    for (const char* name : {"CSM_TA", "CSM_MX", "RGT", "RLE"}) {
        EXPECT_THROW(lab(std::string("CSETP.") + name + ".AND P0, PT, CC, PT;").run(), execution_error) << name;
        EXPECT_THROW(lab(std::string("EXIT CC.") + name + ";").run(), execution_error) << name;
    }
}

TEST(code_rules, ISA_03_quads_of_every_lane)
{
    for (unsigned lane = 0; lane < warp_lanes; ++lane) {
        lab bench("SAM; NOP; RAM; NOP; SSY 0x28; RAM;", 1U << lane);
        bench.issue();
        EXPECT_EQ(bench.warp.active, 0xfU << lane / 4 * 4) << lane;
        EXPECT_EQ(bench.warp.live, 1U << lane);
        bench.issue();
        bench.issue();
        EXPECT_EQ(bench.warp.active, 1U << lane);
        EXPECT_TRUE(bench.warp.stack.empty());
        EXPECT_THROW(bench.run(), execution_error) << "RAM in an SSY";
    }
}

} // namespace
} // namespace isbesim::isa
