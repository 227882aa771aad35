// SPDX-License-Identifier: Apache-2.0
// Divergence: branches, loops, calls and exits on parts of a warp.
#include <gtest/gtest.h>

#include "tests/isa/lab.h"

namespace isbesim::isa {
namespace {

constexpr const char* lane_in_r0 = "S2R R0, SR_LANEID;\n";

TEST(flow, ISA_03_if_else_meets_again)
{
    lab bench(std::string(lane_in_r0) + R"(
        SSY join;
        ISETP.LT.AND P0, PT, R0, 0xa, PT;
        @P0 BRA then;
        MOV32I R1, 0x64;
        SYNC;
        then: MOV32I R1, 0xc8;
        SYNC;
        join: IADD R2, R1, R0;)");
    bench.run();
    for (unsigned i = 0; i < warp_lanes; ++i) EXPECT_EQ(bench[2][i], (i < 10 ? 200 : 100) + i);
    EXPECT_TRUE(bench.warp.stack.empty());
}

TEST(flow, ISA_03_sync_of_some_lanes)
{
    // Lanes that skip the body wait at the SYNC, the others run it.
    lab bench(std::string(lane_in_r0) + R"(
        SSY join;
        LOP.AND R1, R0, 0x1;
        ISETP.NE.AND P0, PT, R1, RZ, PT;
        @!P0 SYNC;
        MOV32I R2, 0x7;
        SYNC;
        join: IADD R3, R2, 0x1;)");
    bench.run();
    for (unsigned i = 0; i < warp_lanes; ++i) EXPECT_EQ(bench[3][i], i % 2 != 0 ? 8U : 1U);
}

TEST(flow, ISA_03_loop_with_break_counts_per_lane)
{
    // Lane n runs the body n times.
    lab bench(std::string(lane_in_r0) + R"(
        PBK done;
        again: ISETP.GE.AND P0, PT, R1, R0, PT;
        @P0 BRK;
        IADD R1, R1, 0x1;
        IADD R2, R2, R1;
        BRA again;
        done: IADD R3, R2, 0x5;)");
    bench.run();
    for (unsigned i = 0; i < warp_lanes; ++i) EXPECT_EQ(bench[3][i], i * (i + 1) / 2 + 5);
}

TEST(flow, ISA_03_continue_skips_the_rest_of_the_body)
{
    // Sum of the even numbers 1..10 by skipping odd ones; break inside an if inside the loop.
    lab bench(std::string(lane_in_r0) + R"(
        PBK done;
        head: PCNT head;
        IADD R1, R1, 0x1;
        SSY more;
        ISETP.GT.AND P0, PT, R1, 0xa, PT;
        @P0 BRK;
        SYNC;
        more: LOP.AND R4, R1, 0x1;
        ISETP.NE.AND P1, PT, R4, RZ, PT;
        @P1 CONT;
        IADD R2, R2, R1;
        CONT;
        done: MOV R3, R2;)");
    bench.run();
    for (unsigned i = 0; i < warp_lanes; ++i) EXPECT_EQ(bench[3][i], 30U);
    EXPECT_TRUE(bench.warp.stack.empty());
}

TEST(flow, ISA_03_break_leaves_enclosing_ifs)
{
    // Half of the lanes leave from inside a nested if, the others later.
    lab bench(std::string(lane_in_r0) + R"(
        ISETP.LT.AND P0, PT, R0, 0x10, PT;
        PBK done;
        again: IADD R1, R1, 0x1;
        SSY join;
        @!P0 BRA other;
        BRK;
        other: SYNC;
        join: ISETP.GE.AND P1, PT, R1, 0x4, PT;
        @P1 BRK;
        BRA again;
        done: IADD R2, R1, 0x64;)");
    bench.run();
    for (unsigned i = 0; i < warp_lanes; ++i) EXPECT_EQ(bench[2][i], i < 16 ? 101U : 104U);
}

TEST(flow, ISA_03_exit_of_some_lanes)
{
    lab bench(std::string(lane_in_r0) + R"(
        SSY join;
        ISETP.LT.AND P0, PT, R0, 0x8, PT;
        @P0 BRA leave;
        MOV32I R1, 0x1;
        SYNC;
        leave: MOV32I R1, 0x2;
        EXIT;
        join: IADD R1, R1, 0x10;)");
    bench.run();
    for (unsigned i = 0; i < warp_lanes; ++i) EXPECT_EQ(bench[1][i], i < 8 ? 2U : 17U);
    EXPECT_EQ(bench.warp.live, 0U);
}

TEST(flow, ISA_03_exit_of_all_lanes_on_the_path_resumes_the_others)
{
    lab bench("SSY join; @P0 EXIT; @!P1 BRA side; SYNC; side: EXIT; join: MOV32I R1, 0x9;");
    bench.warp.predicates[0] = 0x0000000fU;
    bench.warp.predicates[1] = 0x0000ffffU;
    bench.run();
    for (unsigned i = 0; i < warp_lanes; ++i) EXPECT_EQ(bench[1][i], i >= 4 && i < 16 ? 9U : 0U);
}

TEST(flow, ISA_03_divergent_return)
{
    lab bench(std::string(lane_in_r0) + R"(
        CAL function;
        IADD R2, R1, 0x1;
        EXIT;
        function: MOV32I R1, 0x5;
        ISETP.LT.AND P0, PT, R0, 0x3, PT;
        @P0 RET;
        MOV32I R1, 0xa;
        RET;)");
    bench.run();
    for (unsigned i = 0; i < warp_lanes; ++i) EXPECT_EQ(bench[2][i], i < 3 ? 6U : 11U);
}

TEST(flow, ISA_03_uniform_branch_and_inactive_lanes)
{
    lab bench("BRA over; MOV32I R1, 0x1; over: MOV32I R2, 0x2;", 0x00000f00U);
    bench.run();
    for (unsigned i = 0; i < warp_lanes; ++i) {
        EXPECT_EQ(bench[1][i], 0U);
        EXPECT_EQ(bench[2][i], i >= 8 && i < 12 ? 2U : 0U);
    }
}

TEST(flow, ISA_03_branch_to_a_bundle_skips_the_control_word)
{
    // 0x20 is the control word of the second bundle, its first instruction is at 0x28.
    lab bench("BRA 0x20; MOV32I R1, 0x1; MOV32I R1, 0x2; MOV32I R2, 0x3;");
    bench.run();
    EXPECT_EQ(bench[1][0], 0U);
    EXPECT_EQ(bench[2][0], 3U);
}

// PTX ISA, bar, up to sm_6x: a warp arrives as a whole, whichever of its lanes get there.
TEST(flow, PIPE_04_bar_of_some_lanes_waits_for_nobody)
{
    lab bench("SSY 0x48; @P0 BRA 0x30; BAR.SYNC 0x0; SYNC; BAR.SYNC 0x0; SYNC; NOP;");
    bench.warp.predicates[0] = 0xffU;
    unsigned bars = 0;
    while (!bench.warp.finished()) {
        const step s = bench.issue();
        if (s.kind != step_kind::barrier) continue;
        EXPECT_EQ(s.lanes, bars++ == 0 ? 0xffffff00U : 0xffU);
    }
    EXPECT_EQ(bars, 2U);
}

TEST(flow, ISA_03_steps_report_what_happened)
{
    lab bench("@P0 EXIT; BAR.SYNC 0x0;");
    bench.warp.predicates[0] = 0xffU;
    step s = bench.issue();
    EXPECT_EQ(s.kind, step_kind::exited);
    EXPECT_EQ(s.lanes, 0xffU);
    EXPECT_EQ(bench.warp.live, 0xffffff00U);
    s = bench.issue();
    EXPECT_EQ(s.kind, step_kind::barrier);
    s = bench.issue();
    EXPECT_EQ(s.kind, step_kind::exited);
    EXPECT_TRUE(bench.warp.finished());
}

} // namespace
} // namespace isbesim::isa
