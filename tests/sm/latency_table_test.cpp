// SPDX-License-Identifier: Apache-2.0
// The table of latencies of SM75 (HARDWARE.md F.4): programs that compilers scheduled for it have no hazard, and an
// instruction that comes one cycle too early is reported.
#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "models/isa/encoding/binary.h"
#include "models/isa/latency.h"
#include "models/isa/text/text.h"
#include "models/sm/scoreboards.h"
#include "models/sm/warnings/warning_table.h"
#include "test_paths.h"
#include "tests/sm/sm_bench.h"
#include "tests/testbench/temporary_folder.h"

namespace isbesim {
namespace {

/// A program issued from its first to its last instruction by its control words alone, as if no branch were taken.
/// The instructions that use or overwrite a register too early.
inline std::vector<std::string> hazards_of(const isa::program& code)
{
    constexpr std::uint64_t tracked_latency = 24, read_release = 8;
    register_hazards registers;
    scoreboards boards;
    std::uint64_t now = 1;
    std::vector<std::string> found;
    for (const auto& each : code.code) {
        const auto& info = each.issue;
        now = std::max(now, boards.free_at(each.control.wait_mask));
        const bool fixed = isa::has_fixed_latency(info);
        const std::uint64_t ready = now + (fixed ? isa::result_latency(info) : tracked_latency);
        const unsigned number = registers.check(info, now, ready, false);
        if (number != register_hazards::none)
            found.push_back(std::to_string(each.address) + " " + isa::instruction_text(each) + ": " +
                            std::to_string(number));
        registers.issued(info, now);
        if (!fixed) registers.set_ready(info, ready);
        boards.hold_until(each.control.write_barrier, ready);
        boards.hold_until(each.control.read_barrier, now + read_release);
        // What follows an unconditional branch is reached from elsewhere.
        if (info.latency == isa::latency_class::control && each.guard == isa::predicate_true && !each.guard_not)
            registers.reset();
        now += std::max<unsigned>(1, each.control.stall);
    }
    return found;
}

namespace fs = std::filesystem;

constexpr auto turing = isa::architecture::sm75, ampere = isa::architecture::sm86, blackwell = isa::architecture::sm120;

void expect_no_hazards(const fs::path& folder, isa::architecture arch)
{
    unsigned programs = 0;
    for (const auto& entry : fs::directory_iterator(folder)) {
        if (entry.path().string().find(".code.bin") == std::string::npos) continue;
        const auto text = testbench::temporary_folder::read(entry.path().string());
        const auto code = isa::decode_program({text.begin(), text.end()}, arch);
        for (const auto& hazard : hazards_of(code)) ADD_FAILURE() << entry.path().filename() << " " << hazard;
        ++programs;
    }
    EXPECT_GT(programs, 0U) << folder;
}

TEST(latency_table, ISA_04_compilers_programs_have_no_hazards)
{
    const fs::path source = ISBESIM_SOURCE_DIR, data = source / "tests/data";
    expect_no_hazards(data / "sm75", turing);
    expect_no_hazards(data / "nak/sm75", turing);
    expect_no_hazards(data / "nak/sm86", isa::architecture::sm86);
    expect_no_hazards(data / "nak/sm120", blackwell);
    for (const auto* draw : {"points", "primitives", "array", "cull", "shared", "ballot", "payload", "grid"})
        expect_no_hazards(source / "testbench/scenarios" / (std::string("mesh_nak_") + draw), turing);
}

struct dependence {
    const char* first;
    const char* second;
    unsigned cycles;
    isa::architecture arch = turing;
};

/// Numbers of sm75_instr_latencies.rs, of sm80_instr_latencies.rs, and of sm120_instr_latencies.rs.
constexpr dependence dependences[] = {
    {"MOV R1, R0", "MOV R2, R1", 4},
    {"MOV R1, R0", "FADD R2, R1, R3", 5},
    {"MOV R1, R0", "IMAD R2, R1, R3, R4", 5},
    {"MOV R1, R0", "MUFU.RCP R2, R1 &wr=0", 6},
    {"MOV R1, R0", "AST a[0x80], R1 &rd=0", 6},
    {"MOV R2, R0", "DADD R4, R2, R6 &wr=0", 6},
    {"MOV R1, R0", "HADD2 R2, R1, R3", 6},
    {"MOV R1, R0", "CCTL.IV [R1]", 8},
    {"FADD R1, R0, R3", "MOV R2, R1", 5},
    {"FADD R1, R0, R3", "FMUL R2, R1, R3", 4},
    {"IMAD R1, R0, R3, R4", "IADD3 R2, R1, R3, RZ", 5},
    {"IMAD R1, R0, R3, R4", "IMAD R2, R1, R3, R4", 4},
    {"IMAD.WIDE R2, R0, R1, R4", "MOV R6, R3", 5},
    {"IMAD.WIDE R2, R0, R1, R4", "IMAD R6, R3, R1, R4", 4},
    {"IMAD.WIDE R2, R0, R1, R4", "IMAD.WIDE R6, R2, R1, R4", 6},
    {"IMAD.WIDE R2, R0, R1, R4", "IMAD.WIDE R6, R0, R1, R2", 2},
    {"HADD2 R1, R0, R3", "HADD2 R2, R1, R3", 6},
    {"HADD2 R1, R0, R3", "MOV R2, R1", 8},
    {"CS2R R2, SR_CLOCKLO", "MOV R4, R2", 6},
    {"VOTE.ANY R1, PT, P1", "MOV R2, R1", 4},
    {"ISETP.EQ.AND P0, PT, R0, R1, PT", "SEL R2, R3, R4, P0", 4},
    {"ISETP.EQ.AND P0, PT, R0, R1, PT", "@P0 MOV R2, R1", 12},
    {"ISETP.EQ.AND P0, PT, R0, R1, PT", "BRA P0, 0x100", 12},
    {"ISETP.EQ.AND P0, PT, R0, R1, PT", "VOTE.ANY R1, PT, P0", 12},
    {"HSETP2.EQ.AND P0, PT, R0, R1, PT", "@P0 MOV R2, R1", 14},
    {"MOV R1, R0", "HADD2 R1, R3, R3", 2},
    {"MOV R1, R0", "HADD2 R0, R3, R3", 2},
    {"@P1 HADD2 R1, R0, R3", "MOV R1, R3", 4},
    {"CS2R R2, SR_CLOCKLO", "MOV R2, R4", 2},
    {"UIADD3 UR1, UR2, UR3, URZ", "UIADD3 UR4, UR1, UR3, URZ", 4},
    {"UIADD3 UR1, UR2, UR3, URZ", "IADD3 R4, R1, UR1, RZ", 6},
    {"UIADD3 UR1, UR2, UR3, URZ", "I2F R4, UR1 &wr=0", 9},
    {"UIADD3 UR1, UR2, UR3, URZ", "LDG.E.SYS R4, [R1.64+UR1] &wr=0", 9},
    {"UIADD3 UR1, UR2, UR3, URZ", "UMOV UR4, UR1", 7},
    {"UIADD3 UR1, UR2, UR3, URZ", "FADD R4, R5, cx[UR0][0x0]", 12},
    {"UIADD3 UR1, UR2, UR3, URZ", "UMOV UR1, 0x1", 7},
    {"UIADD3 UR1, UR2, UR3, URZ", "UMOV UR2, 0x1", 3},
    {"UMOV UR1, 0x1", "MOV R1, UR1", 2},
    {"ULDC UR1, c[0x0][0x0]", "MOV R1, UR1", 2},
    {"UMOV UR1, 0x1", "ULDC UR4, cx[UR0][0x0]", 5},
    {"UISETP.EQ.AND UP0, UPT, UR0, UR1, UPT", "@UP0 UMOV UR2, 0x1", 11},
    {"UISETP.EQ.AND UP0, UPT, UR0, UR1, UPT", "USEL UR2, UR3, UR4, UP0", 4},
    {"UISETP.EQ.AND UP0, UPT, UR0, UR1, UPT", "PLOP3.LUT P0, PT, PT, PT, UP0, 0x80, 0x0", 6},
    {"UISETP.EQ.AND UP0, UPT, UR0, UR1, UPT", "BRA.U !UP0, 0x0", 9, isa::architecture::sm86},
    {"UISETP.EQ.AND UP0, UPT, UR0, UR1, UPT", "BRA.U !UP0, 0x0", 9, isa::architecture::sm89},
    {"VOTEU.ALL UP0, P1", "BRA.U !UP0, 0x0", 2, isa::architecture::sm86},
    {"MOV R1, R0", "MUFU.RCP R2, R1 &wr=0", 4, ampere},
    {"MOV R1, R0", "LDC R2, c[0x0][R1] &wr=0", 4, ampere},
    {"MOV R1, R0", "AST a[0x80], R1 &rd=0", 5, ampere},
    {"IMAD R1, R0, R3, R4", "AST a[0x80], R1 &rd=0", 5, isa::architecture::sm89},
    {"MOV R1, R0", "STS [R1], R2 &rd=0", 5, ampere},
    {"MOV R1, R0", "SHFL.IDX PT, R2, R1, R3, 0x1f &wr=0", 5, ampere},
    {"MOV R1, R0", "CCTL.IV [R1]", 5, ampere},
    {"MOV R2, R0", "DADD R4, R2, R6 &wr=0", 6, ampere},
    {"MOV R1, R0", "HADD2 R2, R1, R3", 5, ampere},
    {"FADD R1, R0, R3", "HADD2 R2, R1, R3", 5, ampere},
    {"HADD2 R1, R0, R3", "HADD2 R2, R1, R3", 4, ampere},
    {"MOV R1, R0", "AL2P R2, R1, 0x80 &wr=0", 4, ampere},
    {"HADD2 R1, R0, R3", "FADD R2, R1, R3", 5, ampere},
    {"HADD2 R1, R0, R3", "MOV R2, R1", 5, ampere},
    {"FADD R1, R0, R3", "FADD R2, R1, R3", 4, ampere},
    {"ISETP.EQ.AND P0, PT, R0, R1, PT", "SEL R2, R3, R4, P0", 4, ampere},
    {"ISETP.EQ.AND P0, PT, R0, R1, PT", "@P0 MOV R2, R1", 13, ampere},
    {"ISETP.EQ.AND P0, PT, R0, R1, PT", "VOTE.ANY R1, PT, P0", 13, ampere},
    {"HSETP2.EQ.AND P0, PT, R0, R1, PT", "@P0 MOV R2, R1", 13, isa::architecture::sm89},
    {"@P1 CS2R R2, SR_CLOCKLO", "MOV R2, R4", 2, ampere},
    {"MOV R1, R0", "MOV R2, R1", 5, blackwell},
    {"MOV R1, R0", "FADD R2, R1, R3", 6, blackwell},
    {"MOV R1, R0", "MUFU.RCP R2, R1 &wr=0", 5, blackwell},
    {"MOV R1, R0", "AST a[0x80], R1 &rd=0", 6, blackwell},
    {"MOV R1, R0", "R2UR UR2, R1", 5, blackwell},
    {"MOV R2, R0", "DADD R4, R2, R6 &wr=0", 7, blackwell},
    {"FADD R1, R0, R3", "FADD R2, R1, R3", 5, blackwell},
    {"IMAD.WIDE R2, R0, R1, R4", "IMAD.WIDE R6, R2, R1, R4", 7, blackwell},
    {"IMAD.WIDE R2, R0, R1, R4", "IMAD.WIDE R6, R0, R1, R2", 3, blackwell},
    {"HADD2 R1, R0, R3", "HADD2 R2, R1, R3", 5, blackwell},
    {"HADD2 R1, R0, R3", "MOV R2, R1", 6, blackwell},
    {"CS2R R2, SR_CLOCKLO", "MOV R4, R2", 7, blackwell},
    {"ISETP.EQ.AND P0, PT, R0, R1, PT", "SEL R2, R3, R4, P0", 5, blackwell},
    {"ISETP.EQ.AND P0, PT, R0, R1, PT", "@P0 MOV R2, R1", 14, blackwell},
    {"UIADD3 UR1, UR2, UR3, URZ", "UIADD3 UR4, UR1, UR3, URZ", 5, blackwell},
    {"UIADD3 UR1, UR2, UR3, URZ", "IADD3 R4, R1, UR1, RZ", 7, blackwell},
    {"UIADD3 UR71, UR2, UR3, URZ", "I2F R4, UR71 &wr=0", 10, blackwell},
    {"UIADD3 UR1, UR2, UR3, URZ", "LDCU UR4, c[0x0][UR1] &wr=0", 13, blackwell},
    {"UIADD3 UR1, UR2, UR3, URZ", "LDC R4, cx[UR0][0x0] &wr=0", 13, blackwell},
    {"UMOV UR1, 0x1", "MOV R1, UR1", 3, blackwell},
    {"R2UR UR1, R0", "MOV R1, UR1", 14, blackwell},
    {"R2UR UR1, R0", "LDC R4, cx[UR0][0x0] &wr=0", 16, blackwell},
    {"R2UR UR1, R0", "LDCU UR4, c[0x0][UR1] &wr=0", 16, blackwell},
    {"R2UR UR1, R0", "UMOV UR1, 0x0", 10, blackwell},
    {"UISETP.EQ.AND UP0, UPT, UR0, UR1, UPT", "@UP0 UMOV UR2, 0x1", 12, blackwell},
    {"UISETP.EQ.AND UP0, UPT, UR0, UR1, UPT", "BRA.U !UP0, 0x0", 10, blackwell},
    {"VOTEU.ALL UP0, P1", "BRA.U !UP0, 0x0", 3, blackwell},
};

isa::program pair_of(const dependence& each, unsigned cycles, bool auto_schedule = false)
{
    constexpr unsigned longest = 15;
    auto text = std::string(each.first) + " ?stall=" + std::to_string(std::min(cycles, longest)) + " ;\n";
    if (cycles > longest) text += "NOP ?stall=" + std::to_string(cycles - longest) + " ;\n";
    return isa::assemble(text + each.second + " ;\n", each.arch, {auto_schedule});
}

TEST(latency_table, ISA_04_one_cycle_too_early_is_reported)
{
    for (const auto& each : dependences) {
        EXPECT_TRUE(hazards_of(pair_of(each, each.cycles)).empty()) << each.first << "; " << each.second;
        EXPECT_EQ(hazards_of(pair_of(each, each.cycles - 1)).size(), 1U) << each.first << "; " << each.second;
    }
}

TEST(latency_table, ISA_04_schedule_waits_as_long_and_no_longer)
{
    for (const auto& each : dependences) {
        const auto code = pair_of(each, 1, true);
        EXPECT_EQ(hazards_of(code).size(), 0U) << each.first << "; " << each.second;
        // At branches everything is awaited, and nothing before a branch is known.
        if (code.code[1].issue.latency == isa::latency_class::control) continue;
        unsigned waited = 0;
        for (std::size_t i = 0; i + 1 < code.code.size(); ++i) waited += code.code[i].control.stall;
        EXPECT_EQ(waited, each.cycles) << each.first << "; " << each.second;
    }
}

// Cycles of issue, from the control words (ISA-04). A warp launched in cycle c issues first in c + 1; EXIT issued in e
// without anything outstanding completes in e + 1.

TEST(issue_timing, ISA_04_stall_counts_are_honoured_to_the_cycle)
{
    sm_bench bench(backend::at, {});
    for (unsigned stall = 0; stall <= 15; ++stall) {
        const isa::program& program = bench.program("NOP ?stall=" + std::to_string(stall) + " ;\nEXIT ?stall=1 ;\n");
        const std::uint64_t start = bench.clock.now();
        bench.run(program, stage::vertex, 0, all_lanes, stall);
        ASSERT_EQ(bench.completions.size(), stall + 1);
        // stall 0 would be dual issue: one instruction per cycle here
        EXPECT_EQ(bench.completions.back().cycle, start + 1 + std::max(stall, 1U) + 1) << stall;
    }
}

/// Warps of two stores each on one scheduler, launched into slots 2, 0 and 1: the order on the port is that of issue.
std::vector<unsigned> issue_order(sm_config config)
{
    config.schedulers = 1;
    sm_bench bench(backend::at, config);
    const isa::program& program = bench.program("AST a[0x80], R0 ?stall=1 ;\nAST a[0x80], R0 ?stall=1 ;\nEXIT ;\n");
    for (const unsigned slot : {2U, 0U, 1U}) {
        bench.bind(slot, vertex_context({0x80}));
        bench.launch(program, stage::vertex, slot);
    }
    bench.run();
    std::vector<unsigned> order;
    for (const seen_transaction& each : bench.transactions) order.push_back(each.op.context);
    return order;
}

TEST(issue_timing, schedulers_take_turns_or_stay_as_configured)
{
    EXPECT_EQ(issue_order({}), (std::vector<unsigned>{0, 1, 2, 0, 1, 2}));
}

TEST(issue_timing, greedy_scheduler_stays_with_a_warp_until_it_waits)
{
    sm_config config;
    config.scheduler_policy = scheduler_rule::greedy_then_oldest;
    EXPECT_EQ(issue_order(config), (std::vector<unsigned>{2, 2, 0, 0, 1, 1})); // launched in that order
}

TEST(issue_timing, one_scheduler_issues_one_instruction_a_cycle_and_four_issue_four)
{
    sm_config config;
    config.schedulers = 4;
    sm_bench bench(backend::at, config);
    const isa::program& program = bench.program("NOP ?stall=1 ;\nNOP ?stall=1 ;\nNOP ?stall=1 ;\nEXIT ;\n");
    for (const unsigned slot : {0U, 1U, 2U, 3U}) bench.launch(program, stage::vertex, slot, all_lanes, slot);
    bench.run();
    ASSERT_EQ(bench.completions.size(), 4U);
    for (const seen_completion& each : bench.completions) EXPECT_EQ(each.cycle, 1 + 4U) << each.tag;

    const std::uint64_t start = bench.clock.now();
    bench.completions.clear();
    bench.launched = 0;
    for (const unsigned slot : {0U, 4U, 8U, 12U}) bench.launch(program, stage::vertex, slot, all_lanes, slot);
    bench.run();
    EXPECT_EQ(bench.completions.back().cycle, start + 1 + 16) << "16 instructions on one scheduler";
}

// One lane for all: an instruction begins every 32 cycles. One scheduler has two warps, the other has one.
TEST(issue_timing, a_shared_pipe_goes_to_the_oldest_warp)
{
    sm_config config;
    config.schedulers = 2;
    config.lanes[static_cast<unsigned>(sm_pipe::fp64)] = 1;
    sm_bench bench(backend::at, config);
    std::string text;
    for (unsigned i = 0; i < 4; ++i) text += "DADD R0, R2, R4 ?stall=1 ;\n";
    const isa::program& program = bench.program(text + "EXIT ;\n");
    for (const unsigned slot : {2U, 1U, 0U}) bench.launch(program, stage::vertex, slot, all_lanes, slot);
    bench.run();
    ASSERT_EQ(bench.completions.size(), 3U);
    for (unsigned i = 0; i < 3; ++i) {
        EXPECT_EQ(bench.completions[i].tag, 2 - i);
        EXPECT_EQ(bench.completions[i].cycle, 1 + (4 * i + 3) * 32 + 2U);
    }
}

// The other warp comes to the pipe a cycle before the one with more work, not after it: 31 cycles more. No order
// of waiting instructions helps, since none waits when the pipe is taken.
TEST(issue_timing, a_warp_that_comes_earlier_to_a_shared_pipe_can_cost_cycles)
{
    sm_config config;
    config.schedulers = 2;
    config.lanes[static_cast<unsigned>(sm_pipe::fp64)] = 1;
    sm_bench bench(backend::at, config);
    const auto after = [&](unsigned instructions, const std::string& then) -> const isa::program& {
        std::string text;
        for (unsigned i = 0; i < instructions; ++i) text += "NOP ?stall=1 ;\n";
        return bench.program(text + "DADD R0, R2, R4 ?stall=1 ;\n" + then + "EXIT ;\n");
    };
    const auto cycles = [&](unsigned instructions) {
        const auto start = bench.clock.now();
        bench.completions.clear();
        bench.launched = 0;
        bench.launch(after(11, "NOP ?stall=15 ;\nNOP ?stall=15 ;\nNOP ?stall=15 ;\n"), stage::vertex, 0);
        bench.launch(after(instructions, ""), stage::vertex, 1);
        bench.run();
        return bench.completions.back().cycle - start;
    };
    const auto early = cycles(10); // when it ends the pipe is free
    EXPECT_EQ(cycles(20), 1 + 11 + 1 + 3 * 15 + 1U);
    EXPECT_EQ(early, 1 + 11 + 31 + 1 + 3 * 15 + 1U);
}

} // namespace
} // namespace isbesim
