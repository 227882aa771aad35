// SPDX-License-Identifier: Apache-2.0
// Moves, guards, predicates, special registers on both architectures, predicates in a register, and the zero register.
#include <gtest/gtest.h>

#include "tests/isa/lab.h"

namespace isbesim::isa {
namespace {

constexpr auto turing = architecture::sm75;

TEST(move, ISA_03_sources_of_mov)
{
    lab bench("MOV R1, R0; MOV R2, c[0x3][0x4]; MOV R3, -0x2; MOV32I R4, 0x89abcdef; MOV R5, RZ; MOV R6, c[0x3][0x100];"
              "MOV RZ, R0; MOV R7, c[0x9][0x0];");
    bench.constants[3] = {5, 6, 7};
    bench.fill(0, 42);
    bench.fill(5, {1, 1, 1});
    bench.run();
    // The last two: beyond the end of the bank, and a bank without content.
    EXPECT_EQ(bench.values(1, 7, 9), (word_list{42, 6, 0xfffffffe, 0x89abcdef, 0, 0, 0}));
}

TEST(move, ISA_03_guard_predicates_choose_lanes)
{
    lab bench("@P3 MOV32I R1, 0x1; @!P3 MOV32I R1, 0x2; @!PT MOV32I R1, 0x3; @PT MOV32I R2, 0x4;");
    bench.warp.predicates[3] = 0x0000ffffU;
    bench.run();
    for (unsigned i = 0; i < warp_lanes; ++i) {
        EXPECT_EQ(bench[1][i], i < 16 ? 1U : 2U);
        EXPECT_EQ(bench[2][i], 4U);
    }
}

TEST(move, ISA_03_predicate_logic)
{
    const lane_mask a = 0x0f0f3355U, b = 0x00ff0ff0U, c = 0x12345678U;
    lab bench("PSETP.AND.OR P3, P4, P0, !P1, P2; PSETP.XOR.AND P5, PT, P0, P1, !P2; PSET.OR.AND R1, P0, P1, PT;"
              "PSET.BF.AND.AND R2, P0, PT, PT;");
    bench.warp.predicates[0] = a;
    bench.warp.predicates[1] = b;
    bench.warp.predicates[2] = c;
    bench.run();
    EXPECT_EQ(bench.warp.predicates[3], (a & ~b) | c);
    EXPECT_EQ(bench.warp.predicates[4], (~a & ~b) | c); // the opposite of the first source only
    EXPECT_EQ(bench.warp.predicates[5], (a ^ b) & ~c);
    EXPECT_EQ(bench.warp.predicates[7], all_lanes); // PT is never written
    for (unsigned i = 0; i < warp_lanes; ++i) {
        EXPECT_EQ(bench[1][i], ((a | b) >> i & 1U) != 0 ? 0xffffffffU : 0U);
        EXPECT_EQ(bench[2][i], (a >> i & 1U) != 0 ? 0x3f800000U : 0U);
    }
}

TEST(register_rules, ISA_03_writes_to_the_zero_register_go_nowhere)
{
    lab bench("MOV RZ, R0; MOV R1, RZ;");
    bench.warp.registers.resize(255, words{});
    bench.fill(0, {7, 7});
    EXPECT_EQ(bench.run()[1][0], 0U);
}

TEST(register_rules, ISA_03_every_special_register)
{
    for (const auto arch : {architecture::sm50, turing}) {
        const std::vector<std::pair<const char*, word (*)(unsigned)>> rows = {
            {"SR_LANEID", [](unsigned i) { return i; }},
            {"SR_PRIM_TYPE", [](unsigned i) { return 100 + i; }},
            {"SR_INVOCATION_ID", [](unsigned i) { return 200 + i; }},
            {"SR_INVOCATION_INFO", [](unsigned i) { return 300 + i; }},
            {"SR_TID", [](unsigned i) { return 400 + i; }},
            {"SR_TID.X", [](unsigned i) { return 400 + i; }},
            {"SR_TID.Y", [](unsigned) { return 0U; }},
            {"SR_TID.Z", [](unsigned) { return 0U; }},
            {"SR_CTAID.X", [](unsigned) { return 0U; }},
            {"SR_CTAID.Y", [](unsigned) { return 0U; }},
            {"SR_CTAID.Z", [](unsigned) { return 0U; }},
            {"SR_THREAD_KILL", [](unsigned) { return 0U; }},
            {"SR_Y_DIRECTION", [](unsigned) { return 0x3f800000U; }},
            {"SR_EQMASK", [](unsigned i) { return static_cast<word>(std::uint64_t{1} << i); }},
            {"SR_LTMASK", [](unsigned i) { return static_cast<word>((std::uint64_t{1} << i) - 1); }},
            {"SR_LEMASK", [](unsigned i) { return static_cast<word>((std::uint64_t{2} << i) - 1); }},
            {"SR_GTMASK", [](unsigned i) { return static_cast<word>(~std::uint64_t{0} << (i + 1)); }},
            {"SR_GEMASK", [](unsigned i) { return static_cast<word>(~std::uint64_t{0} << i); }},
            {"SR_CLOCKLO", [](unsigned) { return 0x89abcdefU; }},
            {"SR_CLOCKHI", [](unsigned) { return 0x1234567U; }},
        };
        for (const auto& [name, expected] : rows) {
            std::string text =
                "S2R R1, " + std::string(name) + "; CS2R" + (arch == turing ? ".32" : "") + " R2, " + name + ";";
            if (arch == turing) text += "@!P0 EXIT; S2UR UR5, " + std::string(name) + ";";
            lab bench(text, arch);
            bench.warp.predicates[0] = ~lane_mask{7}; // lane 3 is the first one that all share the value of
            bench.warp.uniform[5] = 5;
            auto& special = bench.warp.special;
            for (unsigned i = 0; i < warp_lanes; ++i) {
                special.prim_type[i] = 100 + i;
                special.invocation_id[i] = 200 + i;
                special.invocation_info[i] = 300 + i;
                special.thread_id[i] = 400 + i;
            }
            bench.warp.clock = 0x0123'4567'89ab'cdefULL;
            bench.fill(1, {5, 5});
            bench.run();
            for (unsigned i = 0; i < warp_lanes; ++i) {
                EXPECT_EQ(bench[1][i], expected(i)) << name;
                EXPECT_EQ(bench[2][i], expected(i)) << name;
            }
            EXPECT_EQ(bench.warp.uniform[5], arch == turing ? expected(3) : 5U) << name;
        }
    }
    // Two words at once on SM75: the register and the next one.
    lab pair("CS2R R2, SR_TID.X; CS2R R4, SRZ; CS2R RZ, SR_CLOCKLO;", turing);
    pair.warp.special.thread_id.fill(7);
    for (unsigned r = 2; r < 6; ++r) pair.fill(r, 1);
    pair.run();
    EXPECT_EQ(pair[2][0], 7U);
    EXPECT_EQ(pair[3][0] | pair[4][0] | pair[5][0], 0U);
}

TEST(register_rules, ISA_03_predicates_of_lanes_that_take_part)
{
    constexpr lane_mask some = 0x0ff0'55aaU;
    for (const auto arch : {architecture::sm50, turing}) {
        lab bench(arch == turing ? "@P0 R2P PR, R1; @P0 P2R R3, PR, R2, 0xff; @P0 P2R.B3 R4, PR, R2, 0x81;"
                                 : "@P0 R2P PR, R1, 0xff; @P0 P2R R3, PR, R2, 0xff; @P0 P2R.B3 R4, PR, R2, 0x81;",
                  arch);
        const lane_mask before[] = {some,         0x1111'2222U, 0x3333'4444U, 0x5555'6666U,
                                    0x7777'8888U, 0x9999'aaaaU, 0xbbbb'ccccU};
        std::copy(std::begin(before), std::end(before), bench.warp.predicates.begin());
        for (unsigned i = 0; i < warp_lanes; ++i) bench[1][i] = i * 37 | 1U, bench[2][i] = 0xfedcba98U + i; // P0 stays
        bench.fill(3, 5);
        bench.run();
        EXPECT_EQ(bench.warp.predicates[7], all_lanes);
        for (unsigned i = 0; i < warp_lanes; ++i) {
            const bool in = (some >> i & 1U) != 0;
            for (unsigned p = 0; p < 7; ++p)
                EXPECT_EQ(bench.warp.predicates[p] >> i & 1U, in ? bench[1][i] >> p & 1U : before[p] >> i & 1U) << p;
            EXPECT_EQ(bench[3][i], in ? (bench[2][i] & ~0xffU) | (bench[1][i] & 0x7fU) : 5U);
            EXPECT_EQ(bench[4][i], in ? (bench[2][i] & ~0x81000000U) | 0x01000000U : 0U);
        }
    }
    lab wide("P2R R3, PR, R2, 0xff7f;", turing); // eight bits of the mask count
    wide.fill(2, 0xffffffffU);
    EXPECT_EQ(wide.run()[3][0], 0xffffff80U);
}

} // namespace
} // namespace isbesim::isa
