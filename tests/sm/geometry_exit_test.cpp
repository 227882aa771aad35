// SPDX-License-Identifier: Apache-2.0
// What EXIT does in geometry warps: the final OUT (OUT-07, OUT-09).
#include <algorithm>
#include <iterator>
#include <tuple>

#include <gtest/gtest.h>

#include "models/isbe/functional/gs_state.h"
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

class geometry_exit_on : public testing::TestWithParam<backend> {
protected:
    sm_bench bench{GetParam(), {}};
};
INSTANTIATE_TEST_SUITE_P(on, geometry_exit_on, testing::Values(backend::lt, backend::at),
                         testing::PrintToStringParamName());

TEST_P(geometry_exit_on, OUT_07_final_out_reports_what_each_thread_emitted)
{
    bench.bind(3, geometry_context({0x80}, 4));
    bench.run(bench.program(emit_twice), stage::geometry, 3, 0x0000ffff);
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

TEST(geometry_exit, OUT_07_a_wrong_R0_loses_that_thread_and_nobody_else)
{
    sm_config config;
    config.trap_gs_state = true;
    sm_bench bench(geometry_context({0x80}, 4), config);
    const isa::program& program = bench.program("OUT.EMIT R0, R0, RZ &wr=0 ?stall=2 ;\n"
                                                "S2R R1, SR_LANEID &wr=1 ?stall=2 ;\n"
                                                "ISETP.EQ.AND P0, PT, R1, 0x7, PT &req=0x02 ?stall=13 ;\n"
                                                "@P0 MOV32I R0, 0x1234 &req=0x01 ?stall=6 ;\n"
                                                "EXIT ?stall=15 ;\n");
    bench.run(program, stage::geometry);
    const warp_completion& completion = bench.completions.at(0).completion;
    EXPECT_EQ(completion.lost, 1U << 7);
    for (unsigned lane = 0; lane < 32; ++lane) EXPECT_EQ(completion.vertex_count[lane], lane == 7 ? 0U : 1U) << lane;
    const sm_counters counters = bench.counters();
    ASSERT_EQ(counters.traps.size(), 1U);
    EXPECT_EQ(counters.traps[0].code, 0x13);
    EXPECT_EQ(counters.traps[0].lanes, 1U << 7);
    EXPECT_EQ(counters.traps[0].pc, program.code.back().address);
}

// HARDWARE.md B.4, OUT: R0 must be up to date. An older state is a valid one: the vertices emitted after it are not
// counted, and the loss is reported.
TEST_P(geometry_exit_on, OUT_07_a_stale_R0_loses_the_vertices_behind_it)
{
    bench.bind(1, geometry_context({0x80}, 4));
    bench.run(bench.scheduled_program("S2R R1, SR_LANEID ;\nISETP.EQ.AND P0, PT, R1, 0x7, PT ;\n"
                                      "OUT.EMIT R0, R0, RZ ;\nMOV R2, R0 ;\n"
                                      "OUT.EMIT R0, R0, RZ ;\nOUT.EMIT R0, R0, RZ ;\n@P0 MOV R0, R2 ;\nEXIT ;\n"),
              stage::geometry, 1);
    const warp_completion& completion = bench.completions.at(0).completion;
    EXPECT_EQ(completion.lost, 0U);
    for (unsigned lane = 0; lane < 32; ++lane) EXPECT_EQ(completion.vertex_count[lane], lane == 7 ? 1U : 3U) << lane;
    EXPECT_EQ(completion.stale, 1U << 7);
    const auto warnings = bench.counters().warnings.warnings();
    ASSERT_EQ(warnings.size(), 1U);
    EXPECT_EQ(warnings[0].kind, warning_kind::stale_state);
    EXPECT_EQ(warnings[0].stage, stage::geometry);
    EXPECT_EQ(bench.counters().trap_count, 0U);
}

// Other registers than R0 may hold the state on the way, and a CUT after the last vertex may be missing.
struct kept_state {
    const char* text;
    lane_mask stale;
};
const kept_state kept_states[] = {
    {"EXIT ;\n", 0},
    {"OUT.EMIT R5, RZ, RZ ;\nOUT.EMIT_THEN_CUT R9, R5, RZ ;\nMOV R0, R9 ;\nEXIT ;\n", 0},
    {"OUT.EMIT R0, R0, RZ ;\nOUT.CUT R5, R0, RZ ;\nEXIT ;\n", 0},
    // Beyond the maximum nothing is emitted, so the state is not stale.
    {"OUT.EMIT R0, R0, RZ ;\nOUT.EMIT R0, R0, RZ ;\nOUT.EMIT R0, R0, RZ ;\nOUT.EMIT R4, R0, RZ ;\nEXIT ;\n", 0},
    {"OUT.EMIT R12, R12, RZ ;\nMOV R0, RZ ;\nEXIT ;\n", all_lanes},
    {"OUT.EMIT R0, R0, RZ ;\nOUT.EMIT R4, R0, RZ ;\nEXIT ;\n", all_lanes},
};

class geometry_exit_of : public testing::TestWithParam<std::tuple<backend, std::size_t>> {};

TEST_P(geometry_exit_of, OUT_07_only_what_is_lost_is_told_of)
{
    const auto [which, index] = GetParam();
    const auto& [text, stale] = kept_states[index];
    sm_bench bench(which, {});
    bench.bind(1, geometry_context({0x80}, 3));
    bench.run(bench.scheduled_program(text), stage::geometry, 1);
    EXPECT_EQ(bench.completions.at(0).completion.stale, stale) << text;
    EXPECT_EQ(bench.completions.at(0).completion.lost, 0U) << text;
    const auto warnings = bench.counters().warnings.warnings();
    const auto stale_ones = std::count_if(warnings.begin(), warnings.end(),
                                          [](const warning& each) { return each.kind == warning_kind::stale_state; });
    EXPECT_EQ(stale_ones, stale == 0 ? 0 : 1) << text;
}

INSTANTIATE_TEST_SUITE_P(on, geometry_exit_of,
                         testing::Combine(testing::Values(backend::lt, backend::at),
                                          testing::Range<std::size_t>(0, std::size(kept_states))));

TEST(geometry_exit, OUT_07_threads_that_exit_early_get_their_own_final_out)
{
    sm_bench bench(geometry_context({0x80}, 4));
    const isa::program& program = bench.program("S2R R1, SR_LANEID &wr=1 ?stall=2 ;\n"
                                                "ISETP.LT.AND P0, PT, R1, 0x8, PT &req=0x02 ?stall=13 ;\n"
                                                "@P0 EXIT ?stall=15 ;\n"
                                                "OUT.EMIT R0, R0, RZ &wr=0 ?stall=2 ;\n"
                                                "EXIT &req=0x01 ?stall=15 ;\n");
    bench.run(program, stage::geometry);
    EXPECT_EQ(finals(bench), 2U);
    EXPECT_EQ(bench.transactions.at(0).op.lanes, 0xffU);
    EXPECT_EQ(bench.transactions.at(2).op.lanes, 0xffffff00U);
    for (unsigned lane = 0; lane < 32; ++lane)
        EXPECT_EQ(bench.completions.at(0).completion.vertex_count[lane], lane < 8 ? 0U : 1U) << lane;
}

TEST(geometry_exit, OUT_07_final_out_waits_for_R0_even_if_exit_does_not)
{
    sm_bench bench(geometry_context({0x80}, 4));
    bench.run(bench.program("OUT.EMIT R0, R0, RZ &wr=0 ?stall=1 ;\nEXIT ?stall=15 ;\n"), stage::geometry);
    EXPECT_EQ(bench.completions.at(0).completion.lost, 0U);
    EXPECT_EQ(bench.completions.at(0).completion.vertex_count[31], 1U);
    // OUT issued 1, on the port 2, response; the final OUT in the next cycle or when EXIT's stall count is over, one
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
    bench.run(bench.program("OUT.EMIT R0, R0, RZ &wr=0 ?stall=2 ;\nEXIT &req=0x01 ?stall=15 ;\n"), stage::geometry, 0,
              all_lanes, 0, true);
    EXPECT_EQ(bench.completions.size(), 1U);
    EXPECT_EQ(finals(bench), 0U);
    EXPECT_EQ(bench.counters().final_outs, 0U);
}

/// A fast geometry warp in slot 0, its output attributes at 16384, its tokens, had it any, at 49152.
class fast_geometry_out : public testing::TestWithParam<backend> {
protected:
    fast_geometry_out()
    {
        context value = geometry_context({0x70}, 1);
        value.fast_geometry = true;
        bench.bind(0, value);
    }
    void run(const isa::program& program) { bench.run(program, stage::geometry, 0, all_lanes, bench.launched, true); }
    sm_bench bench{GetParam(), {}};
};
INSTANTIATE_TEST_SUITE_P(on, fast_geometry_out, testing::Values(backend::lt, backend::at),
                         testing::PrintToStringParamName());

TEST_P(fast_geometry_out, OUT_09_leaves_Rd_alone)
{
    run(bench.scheduled_program("MOV32I R0, 0x7 ;\nMOV32I R2, 0x42 ;\nOUT.EMIT R2, R0, RZ ;\nAST a[0x70], R2 ;\n"
                                "EXIT ;\n"));
    for (unsigned lane = 0; lane < 32; ++lane) EXPECT_EQ(bench.peek(16384 + 4 * lane), 0x42U) << lane;
    ASSERT_EQ(bench.transactions.size(), 1U) << "the store only";
    const sm_counters counters = bench.counters();
    EXPECT_EQ(counters.instructions[static_cast<unsigned>(opcode::out)], 1U);
    EXPECT_EQ(counters.latency[static_cast<unsigned>(opcode::out)].count(), 0U);
    EXPECT_EQ(counters.final_outs, 0U);
    EXPECT_EQ(counters.trap_count, 0U);
    EXPECT_TRUE(counters.warnings.warnings().empty());
    EXPECT_EQ(bench.completions.at(0).completion.lost, 0U);
    for (unsigned i = 0; i < 36; i += 4) EXPECT_EQ(bench.peek(49152 + i), 0U) << "token";
}

TEST_P(fast_geometry_out, OUT_09_every_kind_does_nothing)
{
    const char* const sm50 = "MOV32I R0, 0x7 ;\nMOV32I R2, 0x42 ;\nOUT.EMIT R2, RZ, R0 ;\nOUT.CUT R2, R0, R0 ;\n"
                             "OUT.EMIT_THEN_CUT R2, R2, 0x1 ;\nAST a[0x70], R2 ;\nEXIT ;\n";
    const char* const sm75 = "MOV R0, 0x7 ;\nMOV R2, 0x42 ;\nOUT.EMIT R2, R0, 0x1 ;\nOUT.CUT R2, R0, R0 ;\n"
                             "OUT.EMIT_THEN_CUT R2, R2, RZ ;\nOUT.FINAL RZ, R0, RZ ;\nAST a[0x70], R2 ;\nEXIT ;\n";
    run(bench.scheduled_program(sm50));
    EXPECT_EQ(bench.peek(16384), 0x42U);
    bench.poke(16384, 0);
    run(bench.scheduled_program(sm75, isa::architecture::sm75));
    EXPECT_EQ(bench.peek(16384), 0x42U);
    EXPECT_EQ(bench.transactions.size(), 2U) << "two stores";
    EXPECT_EQ(bench.counters().instructions[static_cast<unsigned>(opcode::out)], 3U + 4);
    EXPECT_EQ(bench.counters().final_outs, 0U);
    EXPECT_EQ(bench.counters().trap_count, 0U);
    EXPECT_TRUE(bench.counters().warnings.warnings().empty()) << "not even of the CUT with an operand";
    EXPECT_EQ(bench.core().counters().discarded_gs_overflow, 0U);
}

TEST_P(fast_geometry_out, OUT_09_OUT_10_an_encoding_that_means_nothing_traps_all_the_same)
{
    const isa::program& program = bench.scheduled_program("MOV32I R2, 0x42 ;\nOUT R2, R0, RZ ;\nAST a[0x70], R2 ;\n"
                                                          "EXIT ;\n");
    run(program);
    ASSERT_EQ(bench.counters().traps.size(), 1U);
    EXPECT_EQ(bench.counters().traps[0].code, 0x09);
    EXPECT_EQ(bench.counters().traps[0].pc, program.code[1].address);
    EXPECT_EQ(bench.peek(16384), 0x42U);
}

// Scoreboards are released in the next cycle; nothing is read, so that nothing need be ready, and nothing is written.
TEST_P(fast_geometry_out, OUT_09_costs_an_issue_slot_and_nothing_else)
{
    const auto cycles = [&](const char* text) {
        const std::uint64_t start = bench.clock.now();
        run(bench.program(text));
        return bench.completions.back().cycle - start;
    };
    const auto with = cycles("OUT.EMIT R2, R0, RZ &wr=0 &rd=1 ?stall=1 ;\nNOP &req=0x03 ?stall=1 ;\nEXIT ?stall=1 ;\n");
    const auto without = cycles("NOP ?stall=1 ;\nNOP &req=0x03 ?stall=1 ;\nEXIT ?stall=1 ;\n");
    EXPECT_EQ(with, without);
    cycles("MOV32I R0, 0x7 ?stall=1 ;\nOUT.EMIT R2, R0, R0 ?stall=6 ;\nEXIT ;\n");
    EXPECT_TRUE(bench.counters().warnings.warnings().empty()) << "R0 is not read";
    cycles("ALD R2, a[0x70], RZ &wr=0 ?stall=1 ;\nOUT.EMIT R2, R0, RZ &req=0x00 ?stall=6 ;\n"
           "MOV R3, R2 ?stall=6 ;\nEXIT &req=0x01 ?stall=15 ;\n");
    const sm_counters counters = bench.counters();
    ASSERT_EQ(counters.warnings.warnings().size(), 2U);
    EXPECT_EQ(counters.warnings.warnings()[0].kind, warning_kind::missing_handle);
    EXPECT_EQ(counters.warnings.warnings()[1].kind, warning_kind::register_hazard)
        << "the load of R2 is not back when MOV reads it";
}

TEST(geometry_exit, OUT_09_an_out_of_a_fast_warp_needs_no_place_in_the_queue)
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

TEST_P(fast_geometry_out, OUT_07_OUT_09_R0_may_hold_anything_in_the_end)
{
    run(bench.scheduled_program("MOV32I R0, 0x12345678 ;\nAST a[0x70], R0, R0 ;\nEXIT ;\n"));
    EXPECT_EQ(bench.completions.at(0).completion.lost, 0U);
    EXPECT_EQ(bench.peek(16384), 0x12345678U);
}

TEST(geometry_exit, vertex_warps_have_no_final_out)
{
    sm_bench bench(vertex_context({0x80}));
    bench.run(bench.program("EXIT ;\n"), stage::vertex);
    EXPECT_TRUE(bench.transactions.empty());
    EXPECT_EQ(bench.completions.at(0).cycle, 2U);
}

} // namespace
} // namespace isbesim
