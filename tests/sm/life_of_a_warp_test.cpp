// SPDX-License-Identifier: Apache-2.0
// Launch, back-pressure, completion, and programs or machines that get stuck.
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

#include "models/isa/text/text.h"
#include "tests/sm/allocation_counter.h"
#include "tests/sm/silent_isbe.h"
#include "tests/sm/sm_bench.h"
#include "tests/support/error_text.h"

namespace isbesim {
namespace {

std::uint64_t stalled(sm_bench& bench, stall_reason reason)
{
    return bench.counters().stalls[reason];
}

TEST(life_of_a_warp, a_full_attribute_queue_holds_back_the_issue)
{
    // The ISBE takes one request at a time and each holds the banks for four passes.
    isbe_config isbe;
    isbe.request_queue_depth = 1;
    sm_config config;
    config.schedulers = 1;
    config.attribute_queue_depth = 1;
    sm_bench bench(backend::at, config, isbe);
    bench.bind(0, vertex_context({0x80, 0x84, 0x88, 0x8c}));
    std::string text;
    for (unsigned i = 0; i < 6; ++i) text += "AST.128 a[0x80], R0 ?stall=1 ;\n";
    bench.run(bench.program(text + "EXIT ?stall=1 ;\n"), stage::vertex);
    // One place: the next store issues in the cycle after the transfer of the one before it, and is on the port in the
    // cycle after that.
    ASSERT_EQ(bench.transactions.size(), 6U);
    std::uint64_t full = 0;
    for (unsigned i = 0; i + 1 < 6; ++i) {
        EXPECT_EQ(bench.transactions[i + 1].times.begin_request, bench.transactions[i].times.accept + 2) << i;
        // issued in begin_request - 1, could have in the cycle after the one before
        full += bench.transactions[i + 1].times.begin_request - bench.transactions[i].times.begin_request - 1;
    }
    EXPECT_GE(full, 5U);
    EXPECT_EQ(stalled(bench, stall_reason::attribute_queue), full);
}

TEST(life_of_a_warp, a_deep_queue_does_not)
{
    sm_config config;
    config.schedulers = 1;
    config.attribute_queue_depth = 8;
    sm_bench bench(vertex_context({0x80}), config);
    std::string text;
    for (unsigned i = 0; i < 6; ++i) text += "AST a[0x80], R0 ?stall=1 ;\n";
    bench.run(bench.program(text + "EXIT ?stall=1 ;\n"), stage::vertex);
    for (unsigned i = 0; i < 6; ++i) EXPECT_EQ(bench.transactions.at(i).times.begin_request, 2 + i);
    EXPECT_EQ(stalled(bench, stall_reason::attribute_queue), 0U);
    // last store on the port in 7, response, completion
    EXPECT_EQ(bench.completions.at(0).cycle, 7 + port_latency({}, opcode::ast) + 1);
    EXPECT_EQ(stalled(bench, stall_reason::drain), bench.completions.at(0).cycle - 8); // EXIT in 7
}

TEST(life_of_a_warp, OUT_09_out_of_a_fast_warp_needs_no_place_in_the_queue)
{
    sm_config config;
    config.attribute_queue_depth = 1;
    sm_bench bench(backend::at, config);
    context value = geometry_context({0x70, 0x74, 0x78, 0x7c}, 1);
    value.fast_geometry = true;
    bench.bind(0, value);
    const std::string stores = "AST.128 a[0x70], R4 ?stall=1 ;\n";
    const auto cycles = [&](const std::string& last) {
        const std::uint64_t start = bench.clock.now();
        std::string text;
        for (unsigned i = 0; i < 12; ++i) text += stores; // more than fit before the first is done
        bench.run(bench.program(text + last + "EXIT ?stall=1 ;\n"), stage::geometry, 0, all_lanes, 0, true);
        return bench.completions.back().cycle - start;
    };
    EXPECT_EQ(cycles("OUT.EMIT R0, R0, RZ ?stall=1 ;\n"), cycles("NOP ?stall=1 ;\n"));
}

TEST(life_of_a_warp, a_launch_into_a_taken_slot_waits_for_its_release)
{
    sm_bench bench(backend::at, {});
    const isa::program& program = bench.program("NOP ?stall=10 ;\nEXIT ?stall=1 ;\n");
    bench.launch(program, stage::vertex, 4, all_lanes, 1);
    EXPECT_TRUE(bench.launcher->can_launch());
    bench.launch(program, stage::vertex, 4, all_lanes, 2);
    EXPECT_FALSE(bench.launcher->can_launch());
    bench.run();
    ASSERT_EQ(bench.completions.size(), 2U);
    EXPECT_EQ(bench.completions[0].tag, 1U);
    EXPECT_EQ(bench.completions[0].cycle, 12U);
    EXPECT_EQ(bench.completions[1].tag, 2U);
    EXPECT_EQ(bench.completions[1].cycle, 24U);
    EXPECT_EQ(bench.unit->resident(), 0U);
    EXPECT_DOUBLE_EQ(bench.counters().warps.mean(24), 1.0);
    EXPECT_EQ(bench.counters().warps.peak(), 1U);
}

TEST(life_of_a_warp, launches_after_a_waiting_one_keep_their_order)
{
    sm_bench bench(backend::at, {});
    const isa::program& program = bench.program("NOP ?stall=10 ;\nEXIT ?stall=1 ;\n");
    bench.launch(program, stage::vertex, 4, all_lanes, 1);
    bench.launch(program, stage::vertex, 4, all_lanes, 2); // waits for the slot
    bench.launch(program, stage::vertex, 5, all_lanes, 3); // waits for the request channel
    bench.run();
    ASSERT_EQ(bench.completions.size(), 3U);
    EXPECT_EQ(bench.completions[0].cycle, 12U);
    EXPECT_EQ(bench.completions[1].cycle, 24U);
    EXPECT_EQ(bench.completions[2].cycle, 24U) << "launched when the slot became free";
    EXPECT_EQ(bench.completions[1].tag + bench.completions[2].tag, 5U);
}

TEST(life_of_a_warp, a_program_without_EXIT_is_an_error_that_names_the_place)
{
    sm_bench bench(backend::at, {});
    const isa::program& program = bench.program("NOP ?stall=1 ;\nNOP ?stall=1 ;\n");
    bench.launch(program, stage::geometry, 6);
    const auto error = error_text<sm_error>([&] { bench.run(1000); });
    EXPECT_NE(error.find("geometry warp 6 at 0x0018"), std::string::npos) << error;
    EXPECT_TRUE(bench.completions.empty());
}

TEST(life_of_a_warp, an_SM_without_one_of_its_parts_is_refused)
{
    const cycle_clock clock(sc_core::sc_time(1, sc_core::SC_NS));
    for (unsigned sm_config::*const part :
         {&sm_config::schedulers, &sm_config::warps, &sm_config::attribute_queue_depth, &sm_config::alu_latency,
          &sm_config::variable_latency, &sm_config::memory_latency, &sm_config::global_latency,
          &sm_config::texture_latency}) {
        sm_config config;
        config.*part = 0;
        EXPECT_THROW(sm("sm", config, clock, warp_initiator::style::approximately_timed), std::invalid_argument);
    }
}

/// An SM whose ISBE never answers.
struct silent_bench : launch_initiator::client {
    explicit silent_bench(const sm_config& config)
        : unit("sm", config, clock, warp_initiator::style::approximately_timed)
    {
        launcher.socket.bind(unit.launch);
        unit.isbe.bind(isbe.socket);
        sc_core::sc_start(sc_core::SC_ZERO_TIME);
    }
    void completed(std::uint64_t, const warp_completion&) override { ++completions; }
    void launch(const isa::program& program, stage warp_stage, unsigned slot)
    {
        warp_launch launch;
        launch.program = &program;
        launch.constants = &constants;
        launch.stage = warp_stage;
        launch.lanes = all_lanes;
        launch.context = static_cast<std::uint16_t>(slot);
        launcher.launch(launch, slot);
    }

    const cycle_clock clock{sc_core::sc_time(1, sc_core::SC_NS)};
    const isa::constant_banks constants;
    sm unit;
    silent_isbe isbe{"isbe", 1};
    launch_initiator launcher{"launcher", clock, *this};
    unsigned completions = 0;
};

TEST(life_of_a_warp, deadlock_polls_nothing_and_state_dump_names_waiting_warps)
{
    sm_config config;
    config.attribute_queue_depth = 2;
    silent_bench bench(config);
    const isa::program waits =
        isa::assemble("ALD R0, a[0x80] &wr=4 ?stall=2 ;\nNOP &req=0x10 ;\nEXIT ;\n", isa::architecture::sm50);
    const isa::program leaves = isa::assemble("AST a[0x80], R0 ?stall=2 ;\nEXIT ;\n", isa::architecture::sm50);
    // One goes through, two wait in the queue, one does not get in.
    for (unsigned slot = 0; slot < 4; ++slot) bench.launch(slot == 0 ? waits : leaves, stage::vertex, slot);
    sc_core::sc_start(1000 * bench.clock.period());
    const std::uint64_t deltas = sc_core::sc_delta_count();
    sc_core::sc_start(1000000 * bench.clock.period());
    EXPECT_LE(sc_core::sc_delta_count() - deltas, 2U) << "a process polls";
    EXPECT_EQ(bench.completions, 0U);
    EXPECT_EQ(bench.unit.resident(), 4U);
    const std::string state_dump = bench.unit.state_dump();
    for (const char* part : {"vertex warp 0 at 0x0010: waits for scoreboards 0x10",
                             "vertex warp 1 at 0x0018: all lanes have exited, 1 attribute",
                             "vertex warp 3 at 0x0008: waits for a place in the attribute queue"})
        EXPECT_NE(state_dump.find(part), std::string::npos) << part << " in " << state_dump;
}

TEST(life_of_a_warp, state_dump_names_a_final_OUT_waiting_for_R0)
{
    silent_bench bench({});
    const isa::program program =
        isa::assemble("ALD R0, a[0x80], RZ &wr=4 ?stall=2 ;\nEXIT ;\n", isa::architecture::sm50);
    bench.launch(program, stage::geometry, 0);
    sc_core::sc_start(1000 * bench.clock.period());
    EXPECT_EQ(bench.completions, 0U);
    const std::string state_dump = bench.unit.state_dump();
    EXPECT_NE(state_dump.find(": the final OUT waits for R0, 1 attribute operations unanswered"), std::string::npos)
        << state_dump;
}

class steady_state : public testing::TestWithParam<backend> {};
INSTANTIATE_TEST_SUITE_P(on, steady_state, testing::Values(backend::lt, backend::at),
                         testing::PrintToStringParamName());

TEST_P(steady_state, allocates_nothing)
{
    sm_bench bench(GetParam(), {});
    bench.transactions.reserve(100000);
    bench.completions.reserve(1000);
    std::string text;
    for (unsigned i = 0; i < 40; ++i)
        text += "ALD R0, a[0x80] &wr=0 ?stall=2 ;\nAST a[0x80], R0 &req=0x01 &rd=1 ?stall=2 ;\n";
    const isa::program& program = bench.program(text + "EXIT ?stall=15 ;\n");
    for (unsigned slot = 0; slot < 16; ++slot) bench.bind(slot, vertex_context({0x80}));
    const auto round = [&] {
        for (unsigned slot = 0; slot < 16; ++slot) bench.launch(program, stage::vertex, slot);
        bench.run();
    };
    round();
    round();
    const std::size_t before = allocations();
    for (unsigned i = 0; i < 5; ++i) round();
    EXPECT_EQ(allocations() - before, 0U);
    EXPECT_GT(before, 0U) << "nothing counts";
    EXPECT_EQ(bench.completions.size(), 7 * 16U);
}

} // namespace
} // namespace isbesim
