// What EXIT does in geometry warps: the final OUT (OUT-07, OUT-09).
#include <gtest/gtest.h>

#include "models/isbe/gs_state.h"
#include "tests/sm/sm_bench.h"

namespace isbesim {
namespace {

// Every thread emits twice to stream 0 and leaves the state in R0.
const char* const emit_twice = "OUT.EMIT R0, R0, RZ &wr=0 ?stall=2 ;\n"
                               "OUT.EMIT R0, R0, RZ &req=0x01 &wr=0 ?stall=2 ;\n"
                               "EXIT &req=0x01 ?stall=15 ;\n";

unsigned finals(const sm_bench& bench)
{
    unsigned count = 0;
    for (const seen_transaction& each : bench.transactions)
        if (each.op.op == opcode::out && each.op.type == out_type::final) ++count;
    return count;
}

void all_threads_emit_twice(backend which)
{
    sm_bench bench(which, {});
    bench.bind(3, geometry_context({0x80}, 4));
    bench.launch(bench.program(emit_twice), stage::geometry, 3, 0x0000ffff);
    bench.run();
    const warp_completion& completion = bench.completions.at(0).completion;
    EXPECT_EQ(completion.lost, 0U);
    for (unsigned lane = 0; lane < 16; ++lane) EXPECT_EQ(completion.vertex_count[lane], 2U) << lane;
    for (unsigned lane = 16; lane < 32; ++lane) EXPECT_EQ(completion.vertex_count[lane], 0U) << lane;
    EXPECT_EQ(finals(bench), 1U);
    EXPECT_EQ(bench.transactions.back().op.lanes, 0x0000ffffU);
    const sm_counters counters = bench.counters();
    EXPECT_EQ(counters.instructions[static_cast<unsigned>(opcode::out)], 2U) << "the final OUT is not an instruction";
    EXPECT_EQ(counters.final_outs, 1U);
    EXPECT_EQ(counters.threads[static_cast<unsigned>(stage::geometry)], 16U);
    EXPECT_EQ(counters.trap_count, 0U);
}

TEST(geometry_exit, OUT_07_final_out_reports_what_each_thread_emitted_at)
{
    all_threads_emit_twice(backend::at);
}

TEST(geometry_exit, OUT_07_final_out_reports_what_each_thread_emitted_lt)
{
    all_threads_emit_twice(backend::lt);
}

TEST(geometry_exit, OUT_07_a_wrong_R0_loses_that_thread_and_nobody_else)
{
    sm_config config;
    config.trap_gs_state = true;
    sm_bench bench(backend::at, config);
    bench.bind(0, geometry_context({0x80}, 4));
    const isa::program& program = bench.program("OUT.EMIT R0, R0, RZ &wr=0 ?stall=2 ;\n"
                                                "S2R R1, SR_LANEID &wr=1 ?stall=2 ;\n"
                                                "ISETP.EQ.AND P0, PT, R1, 0x7, PT &req=0x02 ?stall=13 ;\n"
                                                "@P0 MOV32I R0, 0x1234 &req=0x01 ?stall=6 ;\n"
                                                "EXIT ?stall=15 ;\n");
    bench.launch(program, stage::geometry, 0);
    bench.run();
    const warp_completion& completion = bench.completions.at(0).completion;
    EXPECT_EQ(completion.lost, 1U << 7);
    for (unsigned lane = 0; lane < 32; ++lane) EXPECT_EQ(completion.vertex_count[lane], lane == 7 ? 0U : 1U) << lane;
    const sm_counters counters = bench.counters();
    ASSERT_EQ(counters.traps.size(), 1U);
    EXPECT_EQ(counters.traps[0].code, 0x13);
    EXPECT_EQ(counters.traps[0].lanes, 1U << 7);
    EXPECT_EQ(counters.traps[0].pc, program.code.back().address);
}

TEST(geometry_exit, OUT_07_threads_that_exit_early_get_their_own_final_out)
{
    sm_bench bench(backend::at, {});
    bench.bind(0, geometry_context({0x80}, 4));
    const isa::program& program = bench.program("S2R R1, SR_LANEID &wr=1 ?stall=2 ;\n"
                                                "ISETP.LT.AND P0, PT, R1, 0x8, PT &req=0x02 ?stall=13 ;\n"
                                                "@P0 EXIT ?stall=15 ;\n"
                                                "OUT.EMIT R0, R0, RZ &wr=0 ?stall=2 ;\n"
                                                "EXIT &req=0x01 ?stall=15 ;\n");
    bench.launch(program, stage::geometry, 0);
    bench.run();
    EXPECT_EQ(finals(bench), 2U);
    EXPECT_EQ(bench.transactions.at(0).op.lanes, 0xffU);
    EXPECT_EQ(bench.transactions.at(2).op.lanes, 0xffffff00U);
    for (unsigned lane = 0; lane < 32; ++lane)
        EXPECT_EQ(bench.completions.at(0).completion.vertex_count[lane], lane < 8 ? 0U : 1U) << lane;
}

TEST(geometry_exit, OUT_07_final_out_waits_for_R0_even_if_exit_does_not)
{
    sm_bench bench(backend::at, {});
    bench.bind(0, geometry_context({0x80}, 4));
    bench.launch(bench.program("OUT.EMIT R0, R0, RZ &wr=0 ?stall=1 ;\nEXIT ?stall=15 ;\n"), stage::geometry, 0);
    bench.run();
    EXPECT_EQ(bench.completions.at(0).completion.lost, 0U);
    EXPECT_EQ(bench.completions.at(0).completion.vertex_count[31], 1U);
    // OUT issued 1, on the port 2, answered; the final OUT in the next cycle or when EXIT's stall count is over, one
    // more cycle to the port, its answer, completion
    const std::uint64_t first = 2 + port_latency({}, opcode::out);
    EXPECT_EQ(bench.transactions.at(0).times.response, first);
    EXPECT_EQ(bench.transactions.at(1).times.begin_request, std::max<std::uint64_t>(first + 1, 2 + 15) + 1);
    EXPECT_EQ(bench.completions.at(0).cycle, bench.transactions.at(1).times.response + 1);
}

TEST(geometry_exit, OUT_09_a_fast_geometry_warp_has_no_final_out)
{
    sm_bench bench(backend::at, {});
    context value = geometry_context({0x80}, 1);
    value.fast_geometry = true;
    bench.bind(0, value);
    bench.launch(bench.program("OUT.EMIT R0, R0, RZ &wr=0 ?stall=2 ;\nEXIT &req=0x01 ?stall=15 ;\n"), stage::geometry,
                 0, all_lanes, 0, true);
    bench.run();
    EXPECT_EQ(finals(bench), 0U);
    EXPECT_EQ(bench.counters().final_outs, 0U);
}

TEST(geometry_exit, vertex_warps_have_no_final_out)
{
    sm_bench bench(backend::at, {});
    bench.bind(0, vertex_context({0x80}));
    bench.launch(bench.program("EXIT ;\n"), stage::vertex, 0);
    bench.run();
    EXPECT_TRUE(bench.transactions.empty());
    EXPECT_EQ(bench.completions.at(0).cycle, 2U);
}

} // namespace
} // namespace isbesim
