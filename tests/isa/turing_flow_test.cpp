// SPDX-License-Identifier: Apache-2.0
// Divergence on SM75: paths that meet by address, and convergence barriers.
#include <gtest/gtest.h>

#include "tests/isa/lab.h"

namespace isbesim::isa {
namespace {

/// R0 is the lane.
lab by_lane(const std::string& text, lane_mask lanes = all_lanes)
{
    return lab("S2R R0, SR_LANEID;\n" + text, lanes, 0, architecture::sm75);
}

TEST(turing_flow, ISA_03_if_else_meets_again)
{
    lab bench = by_lane(R"(
        ISETP.LT.AND P0, PT, R0, 0xa, PT;
        @P0 BRA then;
        MOV R1, 0x64;
        BRA join;
        then: MOV R1, 0xc8;
        join: IADD3 R2, R1, R0, RZ;)");
    bool together = false;
    bench.watch([&](unsigned at) { together = together || (at == 0x60 && bench.warp.active == all_lanes); });
    EXPECT_TRUE(together); // the addition ran once, for everybody
    for (unsigned i = 0; i < warp_lanes; ++i) EXPECT_EQ(bench[2][i], (i < 10 ? 200 : 100) + i);
    EXPECT_TRUE(bench.warp.stack.empty());
}

TEST(turing_flow, ISA_03_loop_counts_per_lane)
{
    // Lane n runs the body n times.
    lab bench = by_lane(R"(
        again: ISETP.GE.AND P0, PT, R1, R0, PT;
        @P0 BRA done;
        IADD3 R1, R1, 0x1, RZ;
        IADD3 R2, R2, R1, RZ;
        BRA again;
        done: IADD3 R3, R2, 0x5, RZ;)");
    bench.run();
    for (unsigned i = 0; i < warp_lanes; ++i) EXPECT_EQ(bench[3][i], i * (i + 1) / 2 + 5);
}

TEST(turing_flow, ISA_03_exit_of_some_lanes_and_branch_predicate)
{
    lab bench = by_lane(R"(
        LOP3.LUT P1, R1, R0, 0x1, RZ, 0xc0, !PT;
        ISETP.LT.AND P0, PT, R0, 0x4, PT;
        @P0 EXIT;
        BRA !P1, even;
        MOV R2, 0x7;
        EXIT;
        even: MOV R2, 0x9;)");
    bench.run();
    for (unsigned i = 0; i < warp_lanes; ++i) EXPECT_EQ(bench[2][i], i < 4 ? 0U : i % 2 != 0 ? 7U : 9U);
}

TEST(turing_flow, ISA_03_convergence_barrier_holds_lanes_back)
{
    // Lanes 0..7 reach the BSYNC at a lower address than the others' work; no lane passes before those come back.
    lab bench = by_lane(R"(
        ISETP.LT.AND P0, PT, R0, 0x8, PT;
        BSSY B3, join;
        @!P0 BRA late;
        meet: BSYNC B3;
        join: IADD3 R2, R1, R0, RZ;
        EXIT;
        late: MOV R1, 0x64;
        BRA meet;)");
    bool split = false;
    bench.watch([&](unsigned at) {
        EXPECT_TRUE(at != 0x50 || bench.warp.active == all_lanes);
        split = split || bench.warp.active == 0xffU;
    });
    EXPECT_TRUE(split);
    for (unsigned i = 0; i < warp_lanes; ++i) EXPECT_EQ(bench[2][i], (i < 8 ? 0 : 100) + i);
}

TEST(turing_flow, ISA_03_barriers_do_not_wait_for_lanes_that_left)
{
    // Lane 0 exits and lane 1 breaks out; the rest still meets.
    lab bench = by_lane(R"(
        BSSY B0, join;
        ISETP.EQ.AND P0, PT, R0, RZ, PT;
        ISETP.EQ.AND P1, PT, R0, 0x1, PT;
        @P0 EXIT;
        BREAK P1, B0;
        @P1 BRA out;
        ISETP.LT.AND P2, PT, R0, 0x8, PT;
        @P2 BRA meet;
        MOV R1, 0x1;
        meet: BSYNC B0;
        join: MOV R2, 0x5;
        EXIT;
        out: MOV R2, 0x6;)");
    bench.run();
    for (unsigned i = 0; i < warp_lanes; ++i) EXPECT_EQ(bench[2][i], i == 0 ? 0U : i == 1 ? 6U : 5U);
}

TEST(turing_flow, ISA_03_lanes_that_wait_for_each_other_are_an_error)
{
    // Half of the lanes wait at B0, the other half at B1, and each barrier expects everybody.
    lab bench = by_lane(R"(
        BSSY B0, end;
        BSSY B1, end;
        ISETP.LT.AND P0, PT, R0, 0x10, PT;
        @P0 BRA other;
        BSYNC B0;
        BRA end;
        other: BSYNC B1;
        end: NOP;)");
    EXPECT_THROW(bench.run(), execution_error);
    EXPECT_THROW(by_lane("BSYNC B4;").run(), execution_error); // no BSSY before
}

/// Runs to the end; true when the instruction at `address` ran for the first time with `lanes`.
bool arrives_with(lab& bench, std::uint32_t address, lane_mask lanes)
{
    lane_mask first = 0;
    bench.watch([&](unsigned at) {
        if (at == address && first == 0) first = bench.warp.active;
    });
    return first == lanes;
}

TEST(turing_flow, PIPE_04_bar_waits_for_every_live_lane_of_the_warp)
{
    // Lanes 0..7 are at the BAR before the others have done their work at a higher address; lane 9 exits.
    lab bench = by_lane(R"(
        ISETP.EQ.AND P1, PT, R0, 0x9, PT;
        @P1 EXIT;
        ISETP.LT.AND P0, PT, R0, 0x8, PT;
        @!P0 BRA late;
        meet: BAR.SYNC 0x0;
        MOV R2, 0x5;
        EXIT;
        late: MOV R1, 0x64;
        BRA meet;)");
    EXPECT_TRUE(arrives_with(bench, 0x60, ~(1U << 9)));
}

TEST(turing_flow, PIPE_04_lanes_may_arrive_at_different_bars)
{
    lab bench = by_lane(R"(
        ISETP.LT.AND P0, PT, R0, 0x8, PT;
        @!P0 BRA other;
        BAR.SYNC 0x3;
        MOV R1, R3;
        EXIT;
        other: MOV R3, 0x7;
        BAR.SYNC 0x3;)");
    bool early = false;
    bench.watch([&](unsigned at) { early = early || (at == 0x40 && bench[3][31] == 0); });
    EXPECT_FALSE(early) << "lanes 0 to 7 went on before the others had arrived";
    EXPECT_EQ(bench[3][31], 7U);

    EXPECT_THROW(by_lane("ISETP.LT.AND P0, PT, R0, 0x8, PT; @P0 BAR.SYNC 0x0; BAR.SYNC 0x1;").run(), execution_error)
        << "no lane comes to barrier 0 any more";
    EXPECT_NO_THROW(by_lane("ISETP.LT.AND P0, PT, R0, 0x8, PT; @P0 BAR.SYNC 0x0;").run()) << "the others exit";
}

TEST(turing_flow, ISA_03_warpsync_waits_for_lanes_elsewhere)
{
    // Lanes 0 to 3 come by another way and last; no lane goes on before them.
    lab bench = by_lane(R"(
        ISETP.LT.AND P0, PT, R0, 0x4, PT;
        @P0 BRA other;
        WARPSYNC 0xffffffff;
        MOV R1, R3;
        EXIT;
        other: MOV R3, 0x7;
        WARPSYNC 0xffffffff;
        MOV R4, 0x1;)");
    bool early = false;
    bench.watch([&](unsigned at) { early = early || (at == 0x40 && bench[3][0] == 0); });
    EXPECT_FALSE(early) << "lanes 4 and later went on before the others had arrived";
    EXPECT_EQ(bench[4][0], 1U);
    // Lanes that exit are not waited for; the mask of another warp's lanes does not count.
    EXPECT_NO_THROW(by_lane("ISETP.LT.AND P0, PT, R0, 0x4, PT; @P0 BRA 0x40; WARPSYNC 0xffffffff; NOP;").run());
    EXPECT_NO_THROW(by_lane("ISETP.LT.AND P0, PT, R0, 0x4, PT; @P0 EXIT; WARPSYNC 0xf;").run());
}

TEST(turing_flow, ISA_03_warpsync_waits_for_the_lanes_of_its_mask_only)
{
    // Lanes 0 to 7 meet in two places; the others wait for them at a convergence barrier.
    lab bench = by_lane(R"(
        BSSY B0, join;
        ISETP.GE.AND P0, PT, R0, 0x8, PT;
        @P0 BRA meet;
        ISETP.LT.AND P1, PT, R0, 0x4, PT;
        @P1 BRA other;
        WARPSYNC 0xff;
        BRA meet;
        other: WARPSYNC 0xff;
        meet: BSYNC B0;
        join: MOV R2, 0x5;)");
    ASSERT_NO_THROW(bench.run());
    for (unsigned i = 0; i < warp_lanes; ++i) EXPECT_EQ(bench[2][i], 5U);
}

} // namespace
} // namespace isbesim::isa
