// SPDX-License-Identifier: Apache-2.0
// Tests of condition codes over all that four codes can hold, lanes that wait for each other at WARPSYNC, quads between
// SAM and RAM, and products with a carry.
#include <gtest/gtest.h>

#include "models/isa/encoding/binary.h"
#include "tests/isa/turing_lab.h"

namespace isbesim::isa {
namespace {

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
