// SPDX-License-Identifier: Apache-2.0
// Paths of lanes: what waits where, what an instruction reports, what a launch forgets.
#include <gtest/gtest.h>

#include "tests/isa/lab.h"
#include "tests/support/error_text.h"

namespace isbesim::isa {
namespace {

constexpr auto turing = architecture::sm75;

void expect_refusal(lab& bench, const std::string& part)
{
    const auto error = error_text<execution_error>([&] { bench.run(); });
    EXPECT_NE(error.find(part), std::string::npos) << error;
}

void expect_refusal(const std::string& text, architecture arch, const std::string& part, lane_mask lanes = all_lanes)
{
    lab bench(text, lanes, 0, arch);
    bench.warp.predicates[0] = 0xffU;
    expect_refusal(bench, part);
}

TEST(path_rules, ISA_03_refusals_name_their_reason)
{
    expect_refusal("SYNC;", architecture::sm50, "SYNC has no meaning here: a SYNC without SSY");
    expect_refusal("BRK;", architecture::sm50, "a BRK without PBK");
    expect_refusal("CONT;", architecture::sm50, "a CONT without PCNT");
    expect_refusal("RET;", architecture::sm50, "a RET without CAL");
    expect_refusal("BSYNC B4;", turing, "a lane that its BSSY did not name");
    expect_refusal("NOP; BRX R0 0x1000;", architecture::sm50,
                   "address 0x0010: BRX goes to address 0x1018, where nothing is");
    expect_refusal("@P0 BAR.SYNC 0x0; BAR.SYNC 0x1;", turing, "the lanes left wait for each other at barriers");
    expect_refusal("S2R R0, SR_NTID;", architecture::sm50, "this special register");
    lab unknown("NOP; NOP;");
    unknown.code.code.pop_back();
    expect_refusal(unknown, "the program runs past its end, expected EXIT before");
    // The driver's routines follow it in the list, but not in memory.
    lab before_the_library("NOP;");
    before_the_library.code.code.pop_back();
    attach_library(before_the_library.code, assemble("MOV32I R0, 0x0; EXIT;", architecture::sm50), 0x7fd60);
    expect_refusal(before_the_library, "the program runs past its end, expected EXIT before");
    for (const char* text : {"KIL;", "LONGJMP;", "BPT.TRAP 0x1;"})
        expect_refusal(text, architecture::sm50, "address 0x0008: ");
}

TEST(path_rules, ISA_03_the_last_instruction_may_jump_back)
{
    lab bench("BRA 0x18; EXIT; BRA 0x10;");
    bench.code.code.pop_back();
    bench.run();
    EXPECT_EQ(bench.warp.pc, 0x18U) << "behind EXIT";
}

TEST(path_rules, ISA_03_a_launch_forgets_everything)
{
    lab bench("SSY 0x8; BRA 0x10; NOP; MOV32I R1, 0x5;", all_lanes, 8);
    bench.warp.pc = 0x10;
    bench.warp.predicates.fill(0x55U);
    bench.warp.condition.fill(0x66U);
    bench.warp.barriers.fill(0x77U);
    bench.warp.stack.push_back({divergence_entry::kind::ssy, 8, 1});
    bench.warp.local[1].fill(9);
    bench.fill(3, 4);
    bench.warp.launch(bench.code, 0xff0U, 5);
    EXPECT_EQ(bench.warp.pc, 0U);
    EXPECT_EQ(bench.warp.active, 0xff0U);
    EXPECT_EQ(bench.warp.live, 0xff0U);
    EXPECT_TRUE(bench.warp.stack.empty());
    for (unsigned p = 0; p < 7; ++p) EXPECT_EQ(bench.warp.predicates[p], 0U);
    EXPECT_EQ(bench.warp.predicates[7], all_lanes);
    for (const auto each : bench.warp.condition) EXPECT_EQ(each, 0U);
    for (const auto each : bench.warp.barriers) EXPECT_EQ(each, 0U);
    EXPECT_EQ(bench[3][4], 0U);
    ASSERT_EQ(bench.warp.local.size(), 2U) << "whole words";
    EXPECT_EQ(bench.warp.local[1][7], 0U);
    EXPECT_EQ(warp_state{}.clock, 0U);
    EXPECT_TRUE(warp_state{}.finished());
    EXPECT_EQ(warp_state{}.active, 0U);
    EXPECT_EQ(warp_state{}.pc, 0U);
}

TEST(path_rules, ISA_03_what_a_step_reports)
{
    lab bench("@P0 IADD R1, R1, 0x1; EXIT;", 0xffffU);
    bench.warp.predicates[0] = 0xff00ff00U;
    const step first = bench.issue();
    EXPECT_EQ(first.kind, step_kind::done);
    EXPECT_EQ(first.lanes, 0xff00U);
    EXPECT_EQ(first.trap, 0);
    EXPECT_EQ(first.components, 1);
    const step none = step{};
    EXPECT_EQ(none.lanes, 0U);

    lab some("EXIT P0; MOV R1, 0x5;", 0xffffU, 0, turing);
    some.warp.predicates[0] = 0xffU;
    const step left = some.issue();
    EXPECT_EQ(left.kind, step_kind::exited);
    EXPECT_EQ(left.lanes, 0xffU);
    EXPECT_EQ(some.warp.live, 0xff00U);
    EXPECT_EQ(some.warp.active, 0xff00U);
    lab nobody("EXIT !PT; MOV R1, 0x5;", 0xffffU, 0, turing);
    const step stayed = nobody.issue();
    EXPECT_EQ(stayed.kind, step_kind::done);
    EXPECT_EQ(stayed.lanes, 0U);
    EXPECT_EQ(nobody.warp.live, 0xffffU);
    lab guarded("@P1 EXIT P0; MOV R1, 0x5;", 0xffffU, 0, turing);
    guarded.warp.predicates[0] = 0x00ffU;
    guarded.warp.predicates[1] = 0x0f0fU;
    guarded.issue();
    EXPECT_EQ(guarded.warp.live, 0xfff0U);

    lab bar("BAR.SYNC 0x2; EXIT;", 0xffU, 0, turing);
    const step arrived = bar.issue();
    EXPECT_EQ(arrived.kind, step_kind::barrier);
    EXPECT_EQ(arrived.lanes, 0xffU);
    EXPECT_EQ(bar.warp.active, 0xffU) << "a complete warp does not wait";
    EXPECT_TRUE(bar.warp.stack.empty());
    lab half("@P0 BAR.SYNC 0x2; EXIT;", 0xffU, 0, turing);
    half.warp.predicates[0] = 0x0fU;
    EXPECT_EQ(half.issue().kind, step_kind::barrier);
    EXPECT_EQ(half.warp.active, 0xf0U);
}

TEST(path_rules, ISA_03_breaking_out_of_a_barrier)
{
    const auto left = [](const std::string& text) {
        lab bench("BSSY B5, 0x30; " + text + " EXIT; EXIT;", 0x00ff'ff00U, 0, turing);
        bench.warp.predicates[0] = 0x0f0f'0f0fU;
        bench.warp.predicates[1] = 0x3333'3333U;
        bench.issue();
        EXPECT_EQ(bench.warp.barriers[5], 0x00ff'ff00U);
        bench.issue();
        EXPECT_EQ(bench.warp.barriers[4] | bench.warp.barriers[6], 0U);
        return bench.warp.barriers[5];
    };
    EXPECT_EQ(left("BREAK B5;"), 0U);
    EXPECT_EQ(left("BREAK P0, B5;"), 0x00ff'ff00U & ~0x0f0f'0f0fU);
    EXPECT_EQ(left("@P1 BREAK P0, B5;"), 0x00ff'ff00U & ~0x0303'0303U);
    EXPECT_EQ(left("@P1 BREAK !P0, B5;"), 0x00ff'ff00U & ~0x3030'3030U);
}

TEST(path_rules, ISA_03_barrier_registers_of_some_lanes)
{
    lab bench("@P0 BMOV.32 B3, R4; BMOV.32 R5, B3; @P1 BMOV.32.CLEAR R6, B3; BMOV.32 R7, B3;", 0x0000'fff0U, 0, turing);
    bench.warp.predicates[0] = 0xffff'ff00U; // the first lane that takes part is 8
    bench.warp.predicates[1] = 0x0000'00f0U;
    for (unsigned i = 0; i < warp_lanes; ++i) bench[4][i] = 100 + i;
    bench.fill(6, 1);
    bench.run();
    for (unsigned i = 0; i < warp_lanes; ++i) {
        const bool in = i >= 4 && i < 16;
        EXPECT_EQ(bench[5][i], in ? 108U : 0U);
        EXPECT_EQ(bench[6][i], i >= 4 && i < 8 ? 108U : 1U);
        EXPECT_EQ(bench[7][i], 0U);
    }
}

TEST(path_rules, ISA_03_jumps_of_some_lanes)
{
    for (const auto arch : {architecture::sm50, turing}) {
        const bool old = arch == architecture::sm50;
        // Lanes that are not named go on behind; the others each to their own place.
        const std::string text =
            old ? "@P0 BRX R4 -0x10; MOV32I R2, 0x1; EXIT; MOV32I R2, 0x2; EXIT; MOV32I R2, 0x3; EXIT;"
                : "@P0 BRX R4 -0x10; MOV R2, 0x1; EXIT; MOV R2, 0x2; EXIT; MOV R2, 0x3; EXIT;";
        lab bench(text, 0x0fff'ffffU, 0, arch);
        const word next = 0x10, second = bench.code.code[3].address, third = bench.code.code[5].address;
        for (unsigned i = 0; i < warp_lanes; ++i) bench[4][i] = (i % 3 == 0 ? second : third) - next + 0x10;
        bench[4][31] = 0x5555; // never launched
        bench.warp.predicates[0] = 0xf0ff'fff0U;
        bench.run();
        for (unsigned i = 0; i < warp_lanes; ++i) {
            const bool jumps = (0xf0ff'fff0U >> i & 1U) != 0;
            EXPECT_EQ(bench[2][i], i >= 28 ? 0U : !jumps ? 1U : i % 3 == 0 ? 2U : 3U) << i;
        }
    }
    // A guarded jump to one address leaves the rest where it is.
    lab jump("@P0 JMP 0x20; MOV R2, 0x1; MOV R3, 0x3;", turing);
    jump.warp.predicates[0] = 0xff00U;
    jump.run();
    for (unsigned i = 0; i < warp_lanes; ++i) EXPECT_EQ(jump[2][i], i >= 8 && i < 16 ? 0U : 1U);
    // Of SM50's guarded branch, lanes that exited or were never there do not come back.
    lab branch("@P0 BRA 0x18; MOV32I R2, 0x1; MOV32I R3, 0x3;", 0x00ffU);
    branch.warp.predicates[0] = 0xfff0U;
    branch.run();
    for (unsigned i = 0; i < warp_lanes; ++i) EXPECT_EQ(branch[2][i], i < 4 ? 1U : 0U);
    for (unsigned i = 0; i < warp_lanes; ++i) EXPECT_EQ(branch[3][i], i < 8 ? 3U : 0U);
}

TEST(path_rules, ISA_03_a_barrier_waits_for_those_that_it_names)
{
    // Lanes 0 to 7 meet at B0 among themselves while the others are at B1 already, which waits for everybody.
    lab bench("BSSY B1, end; @!P0 BRA meet; BSSY B0, in; in: BSYNC B0; MOV R1, 0x5; meet: BSYNC B1; end: MOV R2, 0x7;",
              turing);
    bench.warp.predicates[0] = 0xffU;
    bench.run();
    for (unsigned i = 0; i < warp_lanes; ++i) {
        EXPECT_EQ(bench[1][i], i < 8 ? 5U : 0U);
        EXPECT_EQ(bench[2][i], 7U);
    }
    // A guarded BSYNC holds its own lanes back only.
    lab guarded("BSSY B0, 0x40; @P0 BSYNC B0; MOV R1, 0x5; BSYNC B0; MOV R2, 0x7;", turing);
    guarded.warp.predicates[0] = 0xffU;
    guarded.issue();
    guarded.issue();
    EXPECT_EQ(guarded.warp.active, 0xffff'ff00U);
    guarded.run();
    EXPECT_EQ(guarded.warp.pc, 0x60U) << "behind the EXIT";
    for (unsigned i = 0; i < warp_lanes; ++i) EXPECT_EQ(guarded[2][i], 7U);
}

TEST(path_rules, ISA_03_lane_zero_alone_goes_on_where_it_was_sent)
{
    lab bench("@P0 BRA far; MOV R1, 0x1; EXIT; MOV R4, 0x4; far: MOV R2, 0x2; BRA !PT, far;", 3, 0, turing);
    lab old(
        "SSY join; @P0 BRA far; MOV32I R1, 0x1; EXIT; MOV32I R4, 0x4; far: MOV32I R2, 0x2; SYNC; join: MOV32I R3, 0x3;",
        3);
    for (lab* each : {&bench, &old}) {
        each->warp.predicates[0] = 1;
        each->run();
        EXPECT_EQ((*each)[1][0], 0U);
        EXPECT_EQ((*each)[1][1], 1U);
        EXPECT_EQ((*each)[2][0], 2U);
        EXPECT_EQ((*each)[2][1], 0U);
        EXPECT_EQ((*each)[4][0], 0U);
    }
    EXPECT_EQ(old[3][0], 3U);
}

TEST(path_rules, ISA_03_on_sm50_the_lanes_that_do_not_branch_go_first)
{
    lab bench("NOP; BRA over; back: MOV32I R1, 0x1; EXIT; over: @P0 BRA back; MOV32I R2, 0x2;");
    bench.warp.predicates[0] = 0xff00U;
    for (unsigned k = 0; k < 3; ++k) bench.issue();
    EXPECT_EQ(bench.warp.active, ~0xff00U);
    ASSERT_EQ(bench.warp.stack.size(), 1U);
    EXPECT_EQ(bench.warp.stack[0].lanes, 0xff00U);
    bench.run();
    for (unsigned i = 0; i < warp_lanes; ++i) EXPECT_EQ(bench[1][i] + bench[2][i], i >= 8 && i < 16 ? 1U : 2U);
}

} // namespace
} // namespace isbesim::isa
