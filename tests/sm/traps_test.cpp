// SPDX-License-Identifier: Apache-2.0
// Traps and warnings that the SM raises from the ISBE's answers, and what they do not disturb. Each trap with its code,
// lanes and place: tests/pipeline/traps_test.cpp.

#include <gtest/gtest.h>

#include "models/sm/warnings/trap_codes.h"
#include "tests/sm/sm_bench.h"

namespace isbesim {
namespace {

TEST(traps, ALD_09_output_load_in_a_geometry_shader_traps_and_writes_nothing)
{
    sm_bench bench(geometry_context({0x80}, 1));
    const isa::program& program = bench.program("MOV32I R4, 0x1234 ?stall=6 ;\n"
                                                "ALD.O R4, a[0x80], R0 &wr=0 ?stall=2 ;\n"
                                                "AST a[0x80], R4, R0 &req=0x01 &rd=0 ?stall=2 ;\n"
                                                "EXIT &req=0x01 ?stall=15 ;\n");
    bench.run(program, stage::geometry, 0, 0xff);
    const sm_counters counters = bench.counters();
    ASSERT_EQ(counters.traps.size(), 1U);
    EXPECT_EQ(counters.traps[0].code, 0x0a);
    EXPECT_EQ(counters.traps[0].stage, stage::geometry);
    EXPECT_EQ(counters.traps[0].lanes, 0xffU);
    EXPECT_EQ(counters.traps[0].pc, program.code[1].address);
    EXPECT_EQ(bench.transactions.at(1).op.data[0][5], 0x1234U) << "R4 is what it was, the warp goes on";
    EXPECT_EQ(counters.latency[static_cast<unsigned>(opcode::ald)].count(), 0U);
}

TEST(traps, ALD_18_no_lanes_no_transaction_and_the_register_stays)
{
    sm_bench bench(vertex_context({0x80}));
    bench.run(bench.program("MOV32I R4, 0x77 ?stall=6 ;\n"
                            "@!PT ALD R4, a[0x80] &wr=0 ?stall=1 ;\n"
                            "NOP &req=0x01 ?stall=1 ;\n"
                            "AST a[0x80], R4 &rd=0 ?stall=2 ;\nEXIT ?stall=15 ;\n"),
              stage::vertex);
    ASSERT_EQ(bench.transactions.size(), 1U) << "the store only";
    EXPECT_EQ(bench.transactions[0].op.data[0][9], 0x77U);
    EXPECT_EQ(bench.transactions[0].times.begin_request, 1 + 6 + 1 + 1 + 1U) << "no warp waited for the ISBE";
    EXPECT_EQ(bench.counters().instructions[static_cast<unsigned>(opcode::ald)], 1U);
    EXPECT_EQ(bench.counters().latency[static_cast<unsigned>(opcode::ald)].count(), 0U);
}

TEST(traps, ALD_18_guarded_lanes_keep_their_register)
{
    sm_bench bench(vertex_context({0x80}));
    for (unsigned vertex = 0; vertex < 32; ++vertex) bench.poke(vertex * 4, 0xa0 + vertex);
    bench.run(bench.program("S2R R1, SR_LANEID &wr=1 ?stall=2 ;\n"
                            "MOV32I R4, 0x77 ?stall=6 ;\n"
                            "ISETP.LT.AND P0, PT, R1, 0x8, PT &req=0x02 ?stall=13 ;\n"
                            "@P0 ALD R4, a[0x80] &wr=0 ?stall=2 ;\n"
                            "AST a[0x80], R4 &req=0x01 &rd=0 ?stall=2 ;\nEXIT ?stall=15 ;\n"),
              stage::vertex);
    EXPECT_EQ(bench.transactions.at(0).op.lanes, 0xffU);
    for (unsigned lane = 0; lane < 32; ++lane)
        EXPECT_EQ(bench.transactions.at(1).op.data[0][lane], lane < 8 ? 0xa0 + lane : 0x77U) << lane;
}

TEST(traps, OUT_06_a_state_that_out_did_not_make_leaves_Rd_and_traps_when_asked)
{
    sm_config config;
    config.trap_gs_state = true;
    sm_bench bench(geometry_context({0x80}, 2), config);
    bench.run(bench.program("MOV32I R1, 0xbad ?stall=1 ;\nMOV32I R2, 0x42 ?stall=6 ;\n"
                            "OUT.EMIT R2, R1, RZ &wr=0 ?stall=2 ;\n"
                            "AST a[0x80], R2, R0 &req=0x01 &rd=0 ?stall=2 ;\nEXIT &req=0x01 ?stall=15 ;\n"),
              stage::geometry);
    EXPECT_EQ(bench.counters().traps.at(0).code, 0x13);
    EXPECT_EQ(bench.transactions.at(1).op.data[0][0], 0x42U) << "HARDWARE.md E.5: Rd keeps its old value";
}

TEST(traps, warnings_of_operands_are_counted_by_place)
{
    sm_bench bench(geometry_context({0x80}, 2));
    const isa::program& program = bench.program("ALD R4, a[0x80] &wr=0 ?stall=2 ;\n"
                                                "ALD R5, a[0x60] &wr=0 ?stall=2 ;\n" // PRIMITIVE_ID needs no handle
                                                "OUT.EMIT R0, R0, RZ &req=0x01 &wr=0 ?stall=2 ;\n"
                                                "OUT.CUT R0, R0, R4 &req=0x01 &wr=0 ?stall=2 ;\n"
                                                "EXIT &req=0x01 ?stall=15 ;\n");
    for (unsigned repeat = 0; repeat < 2; ++repeat) {
        bench.run(program, stage::geometry);
    }
    const auto warnings = bench.counters().warnings.warnings();
    ASSERT_EQ(warnings.size(), 2U);
    EXPECT_EQ(warnings[0].kind, warning_kind::missing_handle);
    EXPECT_EQ(warnings[0].pc, program.code[0].address);
    EXPECT_EQ(warnings[0].count, 2U);
    EXPECT_EQ(warnings[1].kind, warning_kind::cut_stream);
    EXPECT_EQ(warnings[1].pc, program.code[3].address);
}

TEST(traps, AST_06_a_store_without_the_state_register_is_a_warning)
{
    sm_bench bench(backend::at, {});
    const context regular = geometry_context({0x80}, 2);
    context fast = regular;
    fast.fast_geometry = true;
    bench.bind(0, regular);
    bench.bind(1, fast);
    bench.bind(2, vertex_context({0x80}));
    bench.bind(3, regular);
    const isa::program& program = bench.scheduled_program("MOV32I R4, 0x44 ;\nMOV R0, RZ ;\nOUT.EMIT R0, R0, RZ ;\n"
                                                          "AST a[0x80], R4, R0 ;\nAST a[0x80], R4 ;\n"
                                                          "AST a[0x80], R4, RZ ;\nEXIT ;\n");
    bench.launch(program, stage::geometry, 0);
    bench.launch(program, stage::geometry, 1, all_lanes, 0, true);
    bench.launch(bench.scheduled_program("AST a[0x80], R4 ;\nEXIT ;\n"), stage::vertex, 2);
    bench.run(bench.scheduled_program("MOV R0, RZ ;\nAST a[0x80], R4, R0 ;\nAST a[0x80], R4, RZ ;\nEXIT ;\n",
                                      isa::architecture::sm75),
              stage::geometry, 3);
    const auto warnings = bench.counters().warnings.warnings();
    ASSERT_EQ(warnings.size(), 3U) << "twice in the first program, once in the last";
    for (const auto& each : warnings) EXPECT_EQ(each.kind, warning_kind::missing_state);
    EXPECT_NE(describe(warnings[0]).find("state register"), std::string::npos) << describe(warnings[0]);
    EXPECT_EQ(bench.peek(16384), 0x44U) << "the store happens all the same";
}

TEST(traps, ISBE_12_skew_outside_the_attribute_region_is_a_warning)
{
    sm_bench bench(backend::at, {});
    context value = vertex_context({0x80});
    value.stage = stage::mesh;
    bench.bind(0, value);
    const isa::program& program = bench.scheduled_program("ISBERD.O.MAP.SKEW.U8 R1, [R0] ;\n"
                                                          "ISBERD.PATCH.SKEW.32 R1, [R0] ;\n"
                                                          "ISBERD.PRIM.SKEW.U16 R1, [R0] ;\n"
                                                          "ISBEWR.O.MAP.SKEW.U8 [R0], R1 ;\n"
                                                          "ISBERD.O.ATTR.SKEW.32 R1, [R0] ;\n"
                                                          "ISBEWR.O.ATTR.SKEW.32 [R0], R1 ;\n"
                                                          "ISBERD.O.MAP.U8 R1, [R0] ;\nISBERD.PATCH.32 R1, [R0] ;\n"
                                                          "EXIT ;\n",
                                                          isa::architecture::sm75);
    bench.run(program, stage::mesh);
    std::vector<std::uint32_t> places;
    const sm_counters counters = bench.counters();
    for (const auto& each : counters.warnings.warnings())
        if (each.kind == warning_kind::skew_ignored) places.push_back(each.pc);
    ASSERT_EQ(places.size(), 4U) << "MAP, PATCH and PRIM; neither ATTR nor what has no .SKEW";
    for (unsigned i = 0; i < 4; ++i) EXPECT_EQ(places[i], program.code[i].address);
}

TEST(traps, ALD_17_AST_PHYS_of_several_words_traps_and_stores_nothing)
{
    sm_bench bench(vertex_context({0x80, 0x84, 0x88, 0x8c}));
    for (const char* size : {"64", "96", "128"}) {
        bench.run(bench.scheduled_program("MOV32I R4, 0x44 ;\nAL2P.O R1, RZ, 0x80 ;\nAST.PHYS." + std::string(size) +
                                          " a[R1], R4 ;\nEXIT ;\n"),
                  stage::vertex);
    }
    const sm_counters counters = bench.counters();
    ASSERT_EQ(counters.traps.size(), 3U);
    for (const auto& trap : counters.traps) EXPECT_EQ(trap.code, 0x09);
    EXPECT_EQ(bench.transactions.size(), 3U) << "AL2P only";
    for (unsigned i = 0; i < 4 * 32; ++i) EXPECT_EQ(bench.peek(16384 + 4 * i), 0U);
}

TEST(traps, have_the_names_that_the_kernel_gives_them)
{
    EXPECT_STREQ(trap_code::name_of(trap_code::illegal_instr_encoding), "ILLEGAL_INSTR_ENCODING");
    EXPECT_STREQ(trap_code::name_of(trap_code::illegal_sph_instr_combo), "ILLEGAL_SPH_INSTR_COMBO");
    EXPECT_STREQ(trap_code::name_of(trap_code::oor_addr), "OOR_ADDR");
    EXPECT_STREQ(trap_code::name_of(trap_code::misaligned_addr), "MISALIGNED_ADDR");
    EXPECT_STREQ(trap_code::name_of(trap_code::geometry_sm_error), "GEOMETRY_SM_ERROR");
    EXPECT_STREQ(trap_code::name_of(0xff), "unnamed");
}

} // namespace
} // namespace isbesim
