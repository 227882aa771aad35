// SPDX-License-Identifier: Apache-2.0
// Local and constant memory.
#include <gtest/gtest.h>

#include "tests/isa/lab.h"

namespace isbesim::isa {
namespace {

TEST(memory, ISA_03_local_memory_belongs_to_the_lane)
{
    lab bench("S2R R0, SR_LANEID; SHL R1, R0, 0x2; STL [R1], R0; LDL R2, [R1]; LDL R3, [0x8];", all_lanes, 128);
    bench.run();
    for (unsigned i = 0; i < warp_lanes; ++i) {
        EXPECT_EQ(bench[2][i], i);
        EXPECT_EQ(bench[3][i], i == 2 ? 2U : 0U); // only lane 2 stored there
    }
}

TEST(memory, ISA_03_local_sizes)
{
    lab bench("STL.128 [0x10], R4; LDL.64 R8, [0x18]; LDL.U8 R10, [0x13]; LDL.S8 R11, [0x13]; LDL.S16 R12, [0x12];"
              "STL.U8 [0x11], RZ; LDL R13, [R20+-0x4]; LDL.128 R16, [R20+-0x4];",
              all_lanes, 64);
    for (unsigned k = 0; k < 4; ++k) bench.fill(4 + k, 0x80c0a000U + k * 0x11);
    bench.fill(20, 0x14);
    bench.run();
    EXPECT_EQ(bench[8][0], 0x80c0a022U);
    EXPECT_EQ(bench[9][0], 0x80c0a033U);
    EXPECT_EQ(bench[10][0], 0x80U);
    EXPECT_EQ(bench[11][0], 0xffffff80U);
    EXPECT_EQ(bench[12][0], 0xffff80c0U);
    EXPECT_EQ(bench[13][0], 0x80c00000U);
    EXPECT_EQ(bench[19][0], 0x80c0a033U);
}

TEST(memory, ISA_03_local_access_traps_and_changes_nothing)
{
    lab outside("STL [0x3c], R0; STL [0x40], R0;", all_lanes, 64);
    outside.run();
    EXPECT_EQ(outside.last.kind, step_kind::trap);
    EXPECT_EQ(outside.last.trap, 0x0e);
    lab crooked("MOV32I R4, 0x7; LDL.64 R4, [0xc];", all_lanes, 64);
    crooked.run();
    EXPECT_EQ(crooked.last.trap, 0x0f);
    EXPECT_EQ(crooked[4][0], 7U);
    lab below("LDL R4, [R0+-0x4];", all_lanes, 64);
    below.run();
    EXPECT_EQ(below.last.trap, 0x0e);
}

TEST(memory, ISA_03_constants_by_register)
{
    lab bench(
        "S2R R0, SR_LANEID; SHL R0, R0, 0x2; LDC R1, c[0x2][R0+0x8]; LDC.64 R2, c[0x2][R0]; LDC.U8 R4, c[0x2][0x5];"
        "MOV32I R5, 0x10004; LDC.IS R6, c[0x1][R5];");
    for (unsigned k = 0; k < 20; ++k) bench.constants[2].push_back(0x1000 + k);
    bench.run();
    for (unsigned i = 0; i < warp_lanes; ++i) {
        EXPECT_EQ(bench[1][i], i + 2 < 20 ? 0x1002 + i : 0);
        EXPECT_EQ(bench[2][i], i < 20 ? 0x1000 + i : 0);
        EXPECT_EQ(bench[3][i], i + 1 < 20 ? 0x1001 + i : 0);
        EXPECT_EQ(bench[4][i], 0x10U);
        EXPECT_EQ(bench[6][i], 0x1001U); // bank 1 + 1, offset 4
    }
}

} // namespace
} // namespace isbesim::isa
