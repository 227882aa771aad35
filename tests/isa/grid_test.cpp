// SPDX-License-Identifier: Apache-2.0
// Grids: the places of threads, warps that share memory and meet at BAR, and what ends a run.
#include "models/isa/execution/grid.h"

#include <gtest/gtest.h>

#include "models/isa/text/text.h"
#include "models/memory/global_memory.h"
#include "tests/isa/texture_lab.h"
#include "tests/support/error_text.h"

namespace isbesim::isa {
namespace {

using triple = std::array<std::uint32_t, 3>;

/// A grid with a buffer, whose address is in c[0x0][0x8].
struct grid_lab : grid {
    explicit grid_lab(const std::string& text, architecture arch = architecture::sm75)
        : program_(assemble(text + " EXIT ;", arch))
    {
        memory.add(address, std::vector<std::uint8_t>(4096));
        banks_[0] = {0, 0, address};
        banks_[handle_bank] = {0, 0, 0, 0, 0, handle_of(image_2d)};
        code = &program_;
        constants = &banks_;
        global = &memory;
    }

    grid_result run() { return run_grid(*this); }
    std::string error()
    {
        return error_text<execution_error>([&] { run(); });
    }
    word at(unsigned number)
    {
        word value = 0;
        std::memcpy(&value, memory.find(address + 4 * number, 4), 4);
        return value;
    }

    global_memory memory;

private:
    static constexpr word address = 0x22000000;
    program program_;
    constant_banks banks_;
};

/// Writes R6 to the next word of the buffer, whose first word counts them.
constexpr const char* append_r6 = R"(MOV R8, c[0x0][0x8] ; MOV R9, RZ ; MOV R10, 0x4 ;
    ATOMG.E.ADD.STRONG.GPU PT, R11, [R8], R10 ; IADD3 R8, R8, R11, RZ ; STG.E.SYS [R8+0x4], R6 ;)";

TEST(grids, ISA_03_every_thread_of_every_workgroup_runs_once_in_its_place)
{
    grid_lab bench(std::string(R"(S2R R0, SR_TID.X ; S2R R1, SR_TID.Y ; S2R R2, SR_TID.Z ; S2R R3, SR_CTAID.X ;
        S2R R4, SR_CTAID.Y ; S2R R5, SR_CTAID.Z ; LEA R6, R1, R0, 0x4 ; LEA R6, R2, R6, 0x8 ; LEA R6, R3, R6, 0xc ;
        LEA R6, R4, R6, 0x10 ; LEA R6, R5, R6, 0x14 ;)") +
                   append_r6);
    bench.groups = {2, 3, 2};
    bench.threads = {5, 3, 3};
    EXPECT_EQ(bench.run().count, 0U);
    unsigned number = 0;
    for (word group = 0; group < 12; ++group)
        for (word thread = 0; thread < 45; ++thread) {
            const word place = (group / 6 << 8 | group / 2 % 3 << 4 | group % 2) << 12 |
                               (thread / 15 << 8 | thread / 5 % 3 << 4 | thread % 5);
            ASSERT_EQ(bench.at(++number), place) << group << " " << thread;
        }
    EXPECT_EQ(bench.at(0), 4 * 540U);
}

TEST(grids, ISA_03_default_is_one_thread_without_memory)
{
    grid_lab bench(std::string("STS.U8 [0x0], RZ ; STL.U8 [0x0], RZ ; ") + append_r6);
    EXPECT_EQ(bench.run().count, 2U);
    EXPECT_EQ(bench.at(0), 4U);
    EXPECT_EQ(grid().most_steps, 67'108'864U);
    const grid_result none = grid_lab("NOP ;").run();
    EXPECT_EQ(none.count, 0U);
    EXPECT_EQ(none.first, 0U);
    EXPECT_EQ(none.address, 0U);
}

TEST(grids, ISA_03_a_workgroup_begins_with_its_memory_zero_and_its_clock_at_one)
{
    grid_lab bench(std::string("S2R R6, SR_CLOCKLO ; LDS R0, [0x4] ; LDL R1, [0x8] ; LEA R6, R0, R6, 0x4 ;"
                               "LEA R6, R1, R6, 0x8 ; MOV R2, 0x1 ; STS [0x4], R2 ; STL [0x8], R2 ; ") +
                   append_r6);
    bench.groups = {1, 2, 1};
    bench.shared_bytes = 8;
    bench.local_bytes = 12;
    EXPECT_EQ(bench.run().count, 0U);
    EXPECT_EQ(bench.at(0), 8U);
    EXPECT_EQ(bench.at(1), 1U);
    EXPECT_EQ(bench.at(2), 1U);
}

TEST(grids, ISA_03_windows_and_textures_are_those_of_the_grid)
{
    grid_lab bench(std::string("MOV R4, 0x70000000 ; MOV R5, RZ ; MOV R6, 0x7 ; ST.E.STRONG.GPU [R4], R6 ;"
                               "LDS R6, [0x0] ; ") +
                   append_r6);
    bench.windows.shared = 0x70000000;
    bench.shared_bytes = 4;
    EXPECT_EQ(bench.run().count, 0U);
    EXPECT_EQ(bench.at(1), 7U);
    const texture_lab images("NOP;");
    grid_lab textured(std::string("MOV R4, 0x3 ; MOV R5, 0x2 ; TLD.LZ RZ, R6, R4, 0xf, 0x5, 2D, 0x1 ; ") + append_r6);
    textured.textures = images.warp.textures;
    textured.run();
    EXPECT_EQ(textured.at(1), texel_at(3, 2, 0, 0));
}

/// Each lane reads what the lane from the other end stored, of another warp.
constexpr const char* exchange_sm50 = R"(S2R R4, SR_TID.X ; SHL R7, R4, 0x2 ; STS [R7], R4 ; BAR.SYNC 0x0 ;
    IADD R5, -R7, 0x17c ; LDS R6, [R5] ; IADD R8, R7, c[0x0][0x8] ; MOV R9, RZ ; STG.E [R8], R6 ;)";
/// ... and lanes of the last warp arrive on two paths, of which one stores after the other has arrived.
constexpr const char* exchange_sm75 = R"(S2R R4, SR_TID.X ; ISETP.LT.AND P0, PT, R4, 0x50, PT ; @P0 STS [R4.X4], R4 ;
    @P0 BAR.SYNC 0x0 ; IADD3 R5, -R4, 0x5f, RZ ; @!P0 STS [R4.X4], R4 ; @!P0 BAR.SYNC 0x0 ; IADD3 R5, -R4, 0x5f, RZ ;
    LDS R6, [R5.X4] ; LEA R8, R4, c[0x0][0x8], 0x2 ; MOV R9, RZ ; STG.E.SYS [R8], R6 ;)";

TEST(grids, ISA_03_warps_of_a_workgroup_share_memory_and_meet_at_bar)
{
    for (const auto& [arch, text] :
         {std::pair{architecture::sm50, exchange_sm50}, std::pair{architecture::sm75, exchange_sm75}}) {
        grid_lab bench(text, arch);
        bench.groups = {2, 1, 1};
        bench.threads = {96, 1, 1};
        bench.shared_bytes = 96 * 4;
        EXPECT_EQ(bench.run().count, 0U);
        for (unsigned i = 0; i < 96; ++i) EXPECT_EQ(bench.at(i), 95 - i) << i;
    }
}

/// What threads of one workgroup leave in the buffer's first word.
word left_by(unsigned threads, const std::string& text, std::uint64_t most_steps = grid().most_steps)
{
    grid_lab bench(text);
    bench.threads = {threads, 1, 1};
    bench.shared_bytes = 8;
    bench.most_steps = most_steps;
    EXPECT_EQ(bench.run().count, 0U);
    return bench.at(0);
}

TEST(grids, ISA_03_a_warp_waits_at_bar_when_its_other_lanes_have_left)
{
    EXPECT_EQ(left_by(33, R"(S2R R0, SR_TID.X ; ISETP.LT.AND P0, PT, R0, 0x10, PT ; ISETP.GE.AND P1, PT, R0, 0x20, PT ;
        @P1 STS [0x0], R0 ; @P1 BAR.SYNC 0x0 ; @P1 EXIT ; @P0 BAR.SYNC 0x0 ; @!P0 EXIT ; LDS R6, [0x0] ;
        MOV R8, c[0x0][0x8] ; MOV R9, RZ ; STG.E.SYS [R8], R6 ;)"),
              32U);
}

TEST(grids, ISA_03_a_warp_waits_at_bar_for_one_that_takes_many_turns)
{
    EXPECT_EQ(left_by(64, R"(S2R R0, SR_TID.X ; ISETP.LT.AND P0, PT, R0, 0x20, PT ; @P0 BRA meet ;
        again: IADD3 R1, R1, 0x1, RZ ; ISETP.LT.AND P1, PT, R1, 0x2000, PT ; @P1 BRA again ; STS [0x0], R1 ;
        meet: BAR.SYNC 0x0 ; @!P0 EXIT ; LDS R6, [0x0] ; MOV R8, c[0x0][0x8] ; MOV R9, RZ ; STG.E.SYS [R8], R6 ;)"),
              0x2000U);
}

TEST(grids, ISA_03_a_turn_is_4096_instructions)
{
    // The first warp stores as the last of its first turn, and reads as the first of its second what the other made.
    EXPECT_EQ(left_by(64, R"(S2R R0, SR_TID.X ; ISETP.GE.AND P1, PT, R0, 0x20, PT ; @P1 BRA other ;
        again: IADD3 R1, R1, 0x1, RZ ; ISETP.LT.AND P0, PT, R1, 0x554, PT ; @P0 BRA again ; STS [0x0], R1 ;
        LDS R6, [0x4] ; MOV R8, c[0x0][0x8] ; MOV R9, RZ ; STG.E.SYS [R8], R6 ; EXIT ;
        other: LDS R2, [0x0] ; STS [0x4], R2 ;)"),
              0x554U);
}

TEST(grids, ISA_03_a_warp_that_waits_in_a_loop_lets_others_go_on)
{
    EXPECT_EQ(left_by(64, R"(S2R R0, SR_TID.X ; ISETP.LT.AND P0, PT, R0, 0x20, PT ; @!P0 BRA last ;
        again: LDS R1, [0x0] ; ISETP.EQ.AND P1, PT, R1, 0x0, PT ; @P1 BRA again ;
        MOV R8, c[0x0][0x8] ; MOV R9, RZ ; STG.E.SYS [R8], R1 ; EXIT ; last: MOV R1, 0x2a ; STS [0x0], R1 ;)",
                      10'000),
              42U);
}

TEST(grids, ISA_03_only_a_warp_with_more_than_the_most_steps_is_endless)
{
    // 4,096 instructions, the EXIT among them: a turn.
    grid_lab bench("again: IADD3 R0, R0, 0x1, RZ ; ISETP.LT.AND P0, PT, R0, 0x555, PT ; @P0 BRA again ;");
    bench.most_steps = 4096;
    EXPECT_EQ(bench.error(), "");
    bench.most_steps = 4095;
    EXPECT_EQ(bench.error(), "a warp runs on and on");
    grid_lab endless("again: BRA again ;");
    endless.most_steps = 100;
    EXPECT_EQ(endless.error(), "a warp runs on and on");
}

TEST(grids, ISA_03_a_trap_changes_nothing_and_the_first_is_named)
{
    grid_lab bench(R"(MOV R2, c[0x0][0x8] ; MOV R3, RZ ; MOV R6, 0x9 ; STG.E.SYS [R2+0x2], R6 ; STG.E.SYS [R6], R6 ;
        STG.E.SYS [R2+0x4], R6 ;)");
    const auto traps = bench.run();
    EXPECT_EQ(traps.count, 2U);
    EXPECT_EQ(traps.first, 0x0f);
    EXPECT_EQ(traps.address, 0x30U);
    EXPECT_EQ(bench.at(0), 0U);
    EXPECT_EQ(bench.at(1), 9U);
}

TEST(grids, ISA_03_attributes_and_one_sided_barriers_are_refused)
{
    EXPECT_EQ(grid_lab("ALD R0, a[0x80] ;").error(), "attributes in a compute program");
    EXPECT_EQ(grid_lab("BAR.ARV 0x0, 0x20 ;", architecture::sm50).error(),
              "BAR.ARV in a compute program, which no open compiler emits");
    grid_lab empty("ALD R0, a[0x80] ;");
    empty.groups = {4, 0, 4};
    EXPECT_EQ(empty.error(), "");
    empty.groups = {4, 4, 4};
    empty.threads = {4, 4, 0};
    EXPECT_EQ(empty.error(), "");
}

} // namespace
} // namespace isbesim::isa
