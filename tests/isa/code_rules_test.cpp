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

TEST(code_rules, ISA_03_lanes_meet_at_warpsync)
{
    // Lanes 8 to 11 wait for 4 to 7, which come by another way; the others are not asked for.
    constexpr auto text = "@P0 BRA other; WARPSYNC R1; MOV R2, R3; EXIT; other: MOV R3, 0x7; @P1 WARPSYNC R1; EXIT;";
    for (const lane_mask wanted : {lane_mask{0x0ff0}, lane_mask{0xf000'0ff0U}}) { // lanes that never were do not count
        lab bench = turing(text, 0x0fffU);
        bench.warp.predicates[0] = 0x00ffU;
        bench.warp.predicates[1] = 0x00f0U;
        bench.fill(1, 0xffffU);
        bench[1][8] = bench[1][4] = wanted;
        bench.fill(3, 1);
        bool passed_early = false; // R3 of lane 4 is 7 as soon as it has come by
        bench.watch([&](unsigned at) { passed_early = passed_early || (at == 0x20 && bench[3][4] != 7); });
        EXPECT_FALSE(passed_early) << "lanes 8 to 11 went on before 4 to 7 had come";
        for (unsigned i = 8; i < 12; ++i) EXPECT_EQ(bench[2][i], 1U);
    }
    // Complete lanes go on at once, and lane 0 waits for no other.
    lab alone = turing("@P0 WARPSYNC R1; MOV R2, 0x1; EXIT;", 0xffU);
    alone.warp.predicates[0] = 0xf1U;
    alone.fill(1, 0xffU); // asked for by others than the first lane
    alone[1][0] = 0xf0U;
    alone.issue();
    EXPECT_EQ(alone.warp.active, 0xffU);
    EXPECT_TRUE(alone.warp.stack.empty());
    // The first participating lane gives the lanes to wait for, including lane 0.
    lab first = turing("@P0 WARPSYNC R1; MOV R2, 0x1; WARPSYNC R4; EXIT;", 0xffU);
    first.warp.predicates[0] = 0xf0U;
    first[1][4] = 0xf1U;
    first.fill(4, 0xf1U);
    first.issue();
    EXPECT_EQ(first.warp.active, 0x0fU);
    first.issue();
    EXPECT_EQ(first.warp.active, 0x0fU) << "lane 0 is not there yet";
    first.run();
    for (unsigned i = 0; i < 8; ++i) EXPECT_EQ(first[2][i], 1U);
}

TEST(code_rules, ISA_03_quads_of_every_lane)
{
    EXPECT_THROW(lab("RAM;").run(), execution_error);
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
    // Lanes that are alive but elsewhere, and those that end in between, do not come back with RAM.
    lab some("@P0 EXIT; SAM; @P1 EXIT; RAM; MOV32I R1, 0x1;", 0x0ff0U);
    some.warp.predicates[0] = 0x0030U;
    some.warp.predicates[1] = 0x0100U;
    for (unsigned k = 0; k < 4; ++k) some.issue();
    EXPECT_EQ(some.warp.active, 0x0ec0U);
    lab elsewhere("@P0 BRA 0x28; SAM; RAM; NOP; NOP;", 0x00ffU);
    elsewhere.warp.predicates[0] = 0x000fU;
    for (unsigned k = 0; k < 3; ++k) elsewhere.issue();
    EXPECT_EQ(elsewhere.warp.active, 0x00f0U);
}

TEST(code_rules, ISA_03_products_with_a_carry)
{
    for (unsigned seed = 0; seed < 8; ++seed) {
        lab bench = with_numbers(
            "MOV R6, R3; MOV R7, R4; IMAD.X R10, P0, R1, R2, ~R3, P6; IMAD.WIDE.X R12, P1, R1, R2, ~R6, P6;"
            "IMAD.HI.X R14, P2, R1, R2, R6, P6; IMAD.WIDE.U32.X R16, P3, R1, R2, R8, P6;",
            seed);
        bench.warp.predicates[6] = 0x5a5a'33ccU;
        for (unsigned i = 0; i < warp_lanes; ++i) { // product + R8 is all ones, so that the carry goes through
            bench.set_pair(8, i, ~(std::uint64_t{bench[1][i]} * bench[2][i]));
        }
        const words ra = bench[1], rb = bench[2], rc = bench[3], rd = bench[4];
        bench.run();
        const auto& p = bench.warp.predicates;
        for (unsigned i = 0; i < warp_lanes; ++i) {
            __extension__ using wide = unsigned __int128;
            const word in = 0x5a5a'33ccU >> i & 1U;
            const std::uint64_t c = std::uint64_t{rd[i]} << 32 | rc[i];
            const auto product = static_cast<std::uint64_t>(as_signed(ra[i]) * as_signed(rb[i]));
            const std::uint64_t low = std::uint64_t{ra[i] * rb[i]} + ~rc[i] + in;
            const auto pair = [&](unsigned r) { return bench.pair(r, i); };
            EXPECT_EQ(bench[10][i], static_cast<word>(low));
            EXPECT_EQ(p[0] >> i & 1U, low >> 32);
            EXPECT_EQ(pair(12), product + ~c + in);
            EXPECT_EQ(p[1] >> i & 1U, static_cast<word>((wide{product} + ~c + in) >> 64));
            EXPECT_EQ(bench[14][i], (product + c + in) >> 32);
            EXPECT_EQ(p[2] >> i & 1U, static_cast<word>((wide{product} + c + in) >> 64));
            EXPECT_EQ(pair(16), in != 0 ? 0 : ~std::uint64_t{0});
            EXPECT_EQ(p[3] >> i & 1U, in);
        }
    }
}

TEST(code_rules, ISA_03_halves_that_meet_floats_flush)
{
    lab bench =
        turing("HADD2.F32 R10, R1.F32, -RZ.H0_H0; HADD2.F32.FTZ R11, R1.F32, -RZ.H0_H0; HMUL2.F32 R12, R2.F32, R3;"
               "HMUL2.F32.FTZ R13, R2.F32, R3; HMUL2.F32.FTZ R14, R2.F32, R4;");
    bench.fill(1, {0x80000123U, 0x00800000U});
    bench.fill(3, 0x3800'3800U); // 0.5
    bench.fill(4, 0x3c00'3c00U);
    bench.run();
    EXPECT_EQ(bench[10][0], 0x80000123U);
    EXPECT_EQ(bench[11][0] & 0x7fffffffU, 0U);
    EXPECT_EQ(bench.values(12, 3, 0), (word_list{0x00400000U, 0U, 0x00800000U}));
}

TEST(code_rules, ISA_03_sums_that_nobody_describes_are_refused)
{
    for (const char* text : {"IADD3.X R0, R1, R2, R3;", "IADD3 R0.CC, R1, R2, R3;", "LEA P0, R0, R1, R2, 0x1;"})
        EXPECT_THROW(lab(text).run(), execution_error) << text;
}

} // namespace
} // namespace isbesim::isa
