// SPDX-License-Identifier: Apache-2.0
// Cycles of issue, from the control words (ISA-04). A warp launched in cycle c issues first in c + 1; EXIT issued in e
// without anything outstanding completes in e + 1.
#include <gtest/gtest.h>

#include "tests/sm/sm_bench.h"

namespace isbesim {
namespace {

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

TEST(issue_timing, ISA_04_a_write_scoreboard_lets_go_after_the_fixed_latency)
{
    sm_config config;
    config.variable_latency = 17;
    sm_bench bench(backend::at, config);
    bench.run(bench.program("S2R R0, SR_LANEID &wr=3 ?stall=1 ;\nNOP &req=0x08 ?stall=1 ;\nEXIT ;\n"), stage::vertex);
    EXPECT_EQ(bench.completions.at(0).cycle, 1 + 17 + 1 + 1U);
    EXPECT_EQ(bench.counters().stalls[stall_reason::scoreboard], 16U); // cycles 2..17
    EXPECT_EQ(bench.counters().stalls[stall_reason::stall_count], 0U);
}

TEST(issue_timing, ISA_04_a_read_scoreboard_lets_go_after_the_operands_were_read)
{
    sm_config config;
    config.read_release_latency = 9;
    sm_bench bench(backend::at, config);
    bench.run(bench.program("MUFU.RCP R1, R0 &rd=2 &wr=0 ?stall=2 ;\nNOP &req=0x04 ?stall=1 ;\nEXIT ;\n"),
              stage::vertex);
    EXPECT_EQ(bench.completions.at(0).cycle, 1 + 9 + 1 + 1U);
}

TEST(issue_timing, ISA_04_a_load_lets_go_one_cycle_after_its_answer)
{
    isbe_config isbe;
    isbe.pipeline_latency = 30;
    sm_bench bench(backend::at, {}, isbe);
    bench.bind(5, vertex_context({0x80}));
    bench.run(bench.program("ALD R0, a[0x80] &wr=1 ?stall=1 ;\nNOP &req=0x02 ?stall=1 ;\nEXIT ;\n"), stage::vertex, 5);
    // issued 1, on the port 2, response, next issue, EXIT, completion
    const std::uint64_t responded = 2 + 1 + 1 + 30;
    EXPECT_EQ(bench.transactions.at(0).times.begin_request, 2U);
    EXPECT_EQ(bench.transactions.at(0).times.response, responded);
    EXPECT_EQ(bench.completions.at(0).cycle, responded + 1 + 1 + 1);
    const latency_histogram histogram = bench.counters().latency[static_cast<unsigned>(opcode::ald)];
    EXPECT_EQ(histogram.count(), 1U);
    EXPECT_EQ(histogram.max(), responded - 1) << "issue to write-back";
}

TEST(issue_timing, ISA_04_the_same_load_on_the_loosely_timed_isbe)
{
    sm_bench bench(backend::lt, {});
    bench.bind(5, vertex_context({0x80}));
    bench.run(bench.program("ALD R0, a[0x80] &wr=1 ?stall=1 ;\nNOP &req=0x02 ?stall=1 ;\nEXIT ;\n"), stage::vertex, 5);
    EXPECT_EQ(bench.completions.at(0).cycle, 2 + port_latency({}, opcode::ald) + 1 + 1 + 1);
}

TEST(issue_timing, ISA_04_a_store_keeps_its_registers_until_it_has_left_the_queue)
{
    sm_config config;
    config.read_release_latency = 11;
    sm_bench bench(vertex_context({0x80}), config);
    // The second store's request is transferred in cycle 3.
    bench.run(bench.program("AST a[0x80], R0 &rd=0 ?stall=1 ;\nAST a[0x80], R1 &rd=1 ?stall=1 ;\n"
                            "NOP &req=0x02 ?stall=1 ;\nEXIT ;\n"),
              stage::vertex);
    EXPECT_EQ(bench.transactions.at(1).times.accept, 3U);
    const std::uint64_t responded = 3 + port_latency({}, opcode::ast);
    EXPECT_EQ(bench.completions.at(0).cycle, responded + 1) << "the answers outlast EXIT in cycle " << 3 + 11 + 1;
    // NOP in 14 = 3 + 11, so the scoreboard stall is 3..13 without cycles that issue
    EXPECT_EQ(bench.counters().stalls[stall_reason::scoreboard], 11U);
}

TEST(issue_timing, ISA_04_a_fixed_latency_result_read_too_early_is_reported_and_not_when_on_time)
{
    sm_bench bench(backend::at, {}); // alu_latency 6
    const isa::program& early = bench.program("MOV R0, RZ ?stall=5 ;\nMOV R1, R0 ?stall=6 ;\nEXIT ;\n");
    const isa::program& on_time = bench.program("MOV R0, RZ ?stall=6 ;\nMOV R1, R0 ?stall=6 ;\nEXIT ;\n");
    bench.run(on_time, stage::vertex);
    EXPECT_TRUE(bench.counters().warnings.warnings().empty());
    bench.run(early, stage::vertex);
    const auto warnings = bench.counters().warnings.warnings();
    ASSERT_EQ(warnings.size(), 1U);
    EXPECT_EQ(warnings[0].kind, warning_kind::register_hazard);
    EXPECT_EQ(warnings[0].reg, 0U);
    EXPECT_EQ(warnings[0].pc, early.code[1].address);
}

TEST(issue_timing, ISA_04_a_load_used_without_its_scoreboard_is_reported_register_by_register)
{
    sm_bench bench(vertex_context({0x80, 0x84, 0x88, 0x8c}));
    const isa::program& program = bench.program("ALD.128 R4, a[0x80] &wr=0 ?stall=2 ;\nMOV R9, R7 ?stall=6 ;\n"
                                                "MOV R10, R5 &req=0x01 ?stall=6 ;\nMOV R5, RZ ?stall=6 ;\nEXIT ;\n");
    for (unsigned repeat = 0; repeat < 3; ++repeat) {
        bench.run(program, stage::vertex);
    }
    const auto warnings = bench.counters().warnings.warnings();
    ASSERT_EQ(warnings.size(), 1U) << "once it has waited, all is well";
    EXPECT_EQ(warnings[0].reg, 7U);
    EXPECT_EQ(warnings[0].pc, program.code[1].address);
    EXPECT_EQ(warnings[0].count, 3U);
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

} // namespace
} // namespace isbesim
