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
TEST(issue_timing, schedulers_use_a_shared_pipe_in_turn)
{
    sm_config config;
    config.schedulers = 2;
    config.lanes[static_cast<unsigned>(sm_pipe::fp64)] = 1;
    sm_bench bench(backend::at, config);
    std::string text;
    for (unsigned i = 0; i < 4; ++i) text += "DADD R0, R2, R4 ?stall=1 ;\n";
    const isa::program& program = bench.program(text + "EXIT ;\n");
    for (const unsigned slot : {0U, 2U, 1U}) bench.launch(program, stage::vertex, slot, all_lanes, slot);
    bench.run();
    ASSERT_EQ(bench.completions.size(), 3U);
    EXPECT_EQ(bench.completions.front().tag, 1U);
    EXPECT_EQ(bench.completions.front().cycle, 1 + 7 * 32 + 2U) << "the eighth of twelve";
}

} // namespace
} // namespace isbesim
