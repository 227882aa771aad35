// SPDX-License-Identifier: Apache-2.0
// Moves, guards, predicates.
#include <gtest/gtest.h>

#include "tests/isa/lab.h"

namespace isbesim::isa {
namespace {

TEST(move, ISA_03_sources_of_mov)
{
    lab bench("MOV R1, R0; MOV R2, c[0x3][0x4]; MOV R3, -0x2; MOV32I R4, 0x89abcdef; MOV R5, RZ; MOV R6, c[0x3][0x100];"
              "MOV RZ, R0; MOV R7, c[0x9][0x0];");
    bench.constants[3] = {5, 6, 7};
    bench.fill(0, 42);
    bench.fill(5, 1);
    bench.fill(6, 1);
    bench.fill(7, 1);
    bench.run();
    EXPECT_EQ(bench[1][9], 42U);
    EXPECT_EQ(bench[2][9], 6U);
    EXPECT_EQ(bench[3][9], 0xfffffffeU);
    EXPECT_EQ(bench[4][9], 0x89abcdefU);
    EXPECT_EQ(bench[5][9], 0U);
    EXPECT_EQ(bench[6][9], 0U); // beyond the end of the bank
    EXPECT_EQ(bench[7][9], 0U); // bank without content
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

} // namespace
} // namespace isbesim::isa
