// SPDX-License-Identifier: Apache-2.0
// Rows AST-*: effects of stores. Expected values: HARDWARE.md B.4, D.2, E.1 and worked examples E2, E3, E6, E15, E16.
#include "models/attribute/bmap.h"
#include "models/attribute/sph.h"
#include "tests/conformance/isbe_fixture.h"
#include "tests/support/print_choices.h"

namespace isbesim::test {
namespace {

class ast : public isbe_conformance {};
ISBESIM_ON_EVERY_BACK_END(ast);

TEST_P(ast, AST_01_four_sizes_and_alignment)
{
    const context c = bind(make_context(stage::vertex, {}, ids({0x70, 0x74, 0x78, 0x7c, 0x80, 0x84, 0x88, 0x8c})));
    for (unsigned size = 1; size <= 4; ++size) {
        fill(c.output, [](unsigned, unsigned) { return 0xaaaaaaaaU; });
        run(make_ast(0x80 + (size == 1 ? 3 : 7), size, 0x1000 * size)); // 2, 3 or 4 bits are dropped
        for (unsigned rank = 0; rank < 8; ++rank) {
            const bool stored = rank >= 4 && rank < 4 + size;
            for (unsigned v = 0; v < warp_lanes; ++v)
                ASSERT_EQ(attribute(c.output, rank, v), stored ? 0x1000 * size + 0x100 * (rank - 4) + v : 0xaaaaaaaaU)
                    << size << ' ' << rank << ' ' << v;
        }
    }
}

TEST_P(ast, AST_01_the_page_example_stores_to_reserved_attributes_and_is_discarded)
{
    // E2: AST.128 a[64] with OMAP bits 416..419 clear.
    bind(make_context(stage::vertex, {}, generic0));
    const auto before = image();
    EXPECT_EQ(run(make_ast(64, 4, 1)).status, all_statuses(lane_status::dropped_map));
    EXPECT_EQ(image(), before);
}

TEST_P(ast, AST_02_not_enabled_is_discarded_and_counted)
{
    context c = make_context(stage::vertex, {}, generic0);
    c.output.enabled = ids({0x80, 0x88});
    bench().bind(0, c);
    const warp_result r = run(make_ast(0x80, 4, 0x700));
    EXPECT_EQ(r.error, op_error::none);
    EXPECT_EQ(r.status, all_statuses(lane_status::dropped_map));
    for (unsigned v = 0; v < warp_lanes; ++v) {
        EXPECT_EQ(attribute(c.output, 0, v), 0x700 + v);
        EXPECT_EQ(attribute(c.output, 1, v), 0U);
        EXPECT_EQ(attribute(c.output, 2, v), 0x900 + v);
        EXPECT_EQ(attribute(c.output, 3, v), 0U);
    }
    if (bench().core() != nullptr) {
        EXPECT_EQ(bench().core()->counters().discarded_bmap, 2 * warp_lanes);
    }
}

TEST_P(ast, AST_03_below_0_and_from_0x400_on_is_discarded)
{
    const context c = bind(make_context(stage::vertex, {}, generic0));
    warp_op op = make_ast(0x80, 1, 0x700);
    op.address[1] = static_cast<word>(-0x81);
    op.address[2] = 0x400 - 0x80;
    op.address[3] = 0x7fffffff;
    op.address[4] = 0x80000000;
    const warp_result r = run(op);
    for (unsigned v = 0; v < warp_lanes; ++v) {
        const bool stored = v < 1 || v > 4;
        EXPECT_EQ(attribute(c.output, 0, v), stored ? 0x700 + v : 0);
        EXPECT_EQ(r.status[v], stored ? lane_status::ok : lane_status::out_of_range);
    }
}

TEST_P(ast, AST_04_the_store_request_range_enters_the_map)
{
    // E6.
    program_header header;
    header.omap = ids({0x70, 0x74, 0x80, 0x84});
    const attribute_set consumed = ids({0x70, 0x74, 0x80});
    const auto stored_then_read = [&](stage warp_stage, unsigned address) {
        context c = make_context(warp_stage, {}, ids({0x70, 0x74, 0x80, 0x84, 0x88}));
        c.output.enabled = bmap_out(header, consumed);
        bench().bind(0, c);
        run(make_ast(address, 1, 0x4000 + address));
        return run(make_ald(address, 1, space::output)).data[0][6];
    };
    header.store_req_start = 0xff;
    header.store_req_end = 0;
    EXPECT_EQ(stored_then_read(stage::vertex, 0x80), 0x4080U + 6);
    EXPECT_EQ(stored_then_read(stage::vertex, 0x84), 0U) << "dropped; the default";
    header.store_req_start = 0x20;
    header.store_req_end = 0x21;
    EXPECT_EQ(stored_then_read(stage::vertex, 0x84), 0x4084U + 6);
    header.store_req_end = 0x22;
    EXPECT_EQ(stored_then_read(stage::vertex, 0x88), 0U) << "in the range, but not in OMAP";

    // Ignored for a geometry shader.
    header.shader_type = shader_type::geometry;
    context c = make_context(stage::geometry, {}, ids({0x70, 0x74, 0x80, 0x84}));
    c.output.enabled = bmap_out(header, consumed);
    bench().bind(0, c);
    warp_op op = make_ast(0x84, 1, 1);
    op.lanes = 0xff;
    EXPECT_EQ(run(op).status[0], lane_status::dropped_map);
}

TEST_P(ast, AST_05_VS_TI_TS_store_their_own_vertex)
{
    for (const stage warp_stage : {stage::vertex_a, stage::vertex, stage::tess_init, stage::tess}) {
        const context c = bind(make_context(warp_stage, {}, generic0));
        fill(c.output, [](unsigned, unsigned) { return 0U; });
        warp_op op = make_ast(0x84, 1, 0x300);
        op.handle = counting(0x12345678); // Rc is not used
        EXPECT_EQ(run(op).status, all_statuses(0));
        for (unsigned v = 0; v < warp_lanes; ++v) EXPECT_EQ(attribute(c.output, 1, v), 0x300 + v);
    }
}

TEST_P(ast, AST_06_GS_state_selects_the_vertex_and_a_corrupted_one_suppresses_the_store)
{
    const context c = bind(make_context(stage::geometry, {}, generic0)); // 8 threads, 4 vertices each
    for (unsigned slot = 0; slot < 4; ++slot) {
        warp_op op = make_ast(0x80, 1, 0x1000 * (slot + 1));
        op.lanes = 0xff;
        op.handle = all_lanes_have(state_word(slot, 0, slot != 0, slot));
        EXPECT_EQ(run(op).status, all_statuses(0));
    }
    for (unsigned slot = 0; slot < 4; ++slot)
        for (unsigned lane = 0; lane < 8; ++lane)
            EXPECT_EQ(attribute(c.output, 0, slot * 8 + lane), 0x1000 * (slot + 1) + lane);

    // E16.
    const auto before = image();
    warp_op op = make_ast(0x80, 1, 0x9999);
    op.lanes = 0xff;
    op.handle = all_lanes_have(0x12345678);
    op.handle[1] = state_word(1, 0, true, 1) ^ 0x01000000; // checksum
    op.handle[2] = state_word(5, 0, true, 1);              // beyond the maximum
    op.handle[3] = state_word(1, 0, false, 1);             // a slot without a stream
    const warp_result r = run(op);
    for (unsigned lane = 0; lane < 8; ++lane) EXPECT_EQ(r.status[lane], lane_status::gs_state) << lane;
    EXPECT_EQ(image(), before);
}

TEST_P(ast, AST_06_blocked_slot_order)
{
    config() = alternative_isbe();
    const context c = bind(make_context(stage::geometry, {}, generic0));
    warp_op op = make_ast(0x80, 1, 0x1000);
    op.lanes = 0xff;
    op.handle = all_lanes_have(state_word(2, 0, true, 2));
    run(op);
    for (unsigned lane = 0; lane < 8; ++lane) EXPECT_EQ(attribute(c.output, 0, lane * 4 + 2), 0x1000 + lane);
}

TEST_P(ast, AST_07_GS_stores_past_its_own_space_are_killed)
{
    context c = bind(make_context(stage::geometry, {}, generic0));
    const auto before = image();
    warp_op op = make_ast(0x80, 4, 0x1000);
    op.lanes = 0xff;
    op.handle = all_lanes_have(state_word(4, 0, true, 4)); // E15: slot = maximum
    warp_result r = run(op);
    for (unsigned lane = 0; lane < 8; ++lane) EXPECT_EQ(r.status[lane], lane_status::gs_overflow);
    op.handle = all_lanes_have(0);
    op.lanes = 0xffffff00; // these threads do not exist
    r = run(op);
    for (unsigned lane = 8; lane < warp_lanes; ++lane) EXPECT_EQ(r.status[lane], lane_status::gs_overflow);
    EXPECT_EQ(image(), before);

    c.output.vertex_count = 20; // less than threads x maximum
    bench().bind(0, c);
    op.lanes = 0xff;
    op.handle = all_lanes_have(state_word(2, 0, true, 2));
    r = run(op);
    for (unsigned lane = 0; lane < 8; ++lane)
        EXPECT_EQ(r.status[lane], lane < 4 ? lane_status::ok : lane_status::gs_overflow);
}

TEST_P(ast, AST_07_a_full_thread_does_not_reach_the_next_ones_vertices)
{
    // In the slot order with a thread's vertices side by side the next thread's first comes after its last vertex.
    config() = alternative_isbe();
    constexpr unsigned maximum = 3;
    context c = make_context(stage::geometry, {}, ids({0x80}));
    c.geometry.max_vertices = maximum;
    bench().bind(0, c);
    const auto before = image();
    warp_op store = make_ast(0x80, 1, 0x1000);
    store.handle = all_lanes_have(state_word(maximum, 0, true, maximum));
    for (const unsigned threads : {8U, 1U}) {
        store.lanes = (1U << threads) - 1;
        const warp_result r = run(store);
        for (unsigned lane = 0; lane < threads; ++lane) EXPECT_EQ(r.status[lane], lane_status::gs_overflow) << lane;
        EXPECT_EQ(image(), before) << "vertex " << maximum << " is the first of thread 1";
    }
}

TEST_P(ast, AST_08_P_writes_the_patch_section_from_TI_only)
{
    for (const stage warp_stage : {stage::vertex, stage::tess_init, stage::tess, stage::geometry}) {
        const context c = bind(make_context(warp_stage, {}, {}));
        warp_op op = make_ast(0, 2, 0x500);
        op.form = address_form::patch;
        op.immediate = -16; // E3
        op.address = all_lanes_have(48);
        op.address[4] = 8;
        op.lanes = 0x11111111; // one lane for each patch
        const auto before = image();
        const warp_result r = run(op);
        if (warp_stage != stage::tess_init) {
            EXPECT_EQ(r.error, op_error::illegal_sph_instr_combo);
            EXPECT_EQ(image(), before);
            continue;
        }
        EXPECT_EQ(r.error, op_error::none);
        for (unsigned p = 0; p < 8; ++p) {
            EXPECT_EQ(bench().peek(c.output.patch_base + 64 * p + 0x20), p == 1 ? 0 : 0x500 + 4 * p);
            EXPECT_EQ(bench().peek(c.output.patch_base + 64 * p + 0x24), p == 1 ? 0 : 0x600 + 4 * p);
        }
        EXPECT_EQ(r.status[4], lane_status::out_of_range);
    }
}

class ast_winner : public testing::TestWithParam<std::tuple<std::string, lane_winner>> {};
INSTANTIATE_TEST_SUITE_P(on, ast_winner,
                         testing::Combine(testing::ValuesIn(back_ends_with_rtl()),
                                          testing::Values(lane_winner::highest, lane_winner::lowest)));

TEST_P(ast_winner, AST_09_one_lane_wins_a_word_and_the_others_are_flagged)
{
    isbe_config config;
    if (std::get<1>(GetParam()) == lane_winner::lowest) config = alternative_isbe();
    isbe_bench bench(std::get<0>(GetParam()), config);
    const context c = make_context(stage::tess_init, {}, {});
    bench.bind(0, c);
    warp_op op = make_ast(0x20, 1, 0x500);
    op.form = address_form::patch;
    op.lanes = 0xfffffffe; // four lanes a patch; patch 0 has three
    const warp_result r = bench.run(op).result;
    const bool highest = config.patch_winner == lane_winner::highest;
    for (unsigned lane = 1; lane < warp_lanes; ++lane) {
        const unsigned patch = lane / 4;
        const unsigned winner = highest ? 4 * patch + 3 : std::max(1U, 4 * patch);
        EXPECT_EQ(bench.peek(c.output.patch_base + 64 * patch + 0x20), 0x500 + winner);
        EXPECT_EQ(r.status[lane], lane == winner ? lane_status::ok : lane_status::write_conflict) << lane;
    }
}

TEST_P(ast, AST_11_PHYS_with_a_result_of_AL2P_O)
{
    // E8, and an address that is not enabled or out of range.
    const context c = bind(make_context(stage::vertex, {}, ids({0x70, 0x74, 0x78, 0x7c, 0x80, 0x84})));
    warp_op translate = make_al2p(0x70, space::output);
    translate.address = all_lanes_have(0x10);
    translate.address[1] = 0x18;                     // 0x88, not allocated
    translate.address[2] = static_cast<word>(-0x71); // -1
    translate.address[3] = 0x390;                    // 0x400
    warp_op store = make_ast(0, 1, 0x6600);
    store.form = address_form::phys;
    store.immediate = 0;
    store.address = run(translate).data[0];
    const warp_result r = run(store);
    for (unsigned v = 0; v < warp_lanes; ++v) EXPECT_EQ(attribute(c.output, 4, v), v >= 1 && v <= 3 ? 0 : 0x6600 + v);
    EXPECT_EQ(r.status[0], lane_status::ok);
    EXPECT_EQ(r.status[1], lane_status::dropped_map);
    EXPECT_EQ(r.status[2], lane_status::out_of_range);
    EXPECT_EQ(r.status[3], lane_status::out_of_range);
}

TEST_P(ast, ALD_17_AST_11_PHYS_with_a_vector_is_an_illegal_encoding)
{
    // Rank 0, attribute 0x80, enabled, output space: fine for one word.
    const context c = bind(make_context(stage::vertex, {}, generic0));
    for (unsigned size = 4; size >= 1; --size) {
        warp_op op = make_ast(0, size, 0x100);
        op.form = address_form::phys;
        op.address = all_lanes_have(0xa2052000);
        const auto before = image();
        const warp_result r = run(op);
        EXPECT_EQ(r.error, size == 1 ? op_error::none : op_error::illegal_instr_encoding) << size;
        EXPECT_EQ(r.status, all_statuses(0)) << size;
        EXPECT_EQ(image() == before, size != 1) << size;
    }
    EXPECT_EQ(attribute(c.output, 0, 31), 0x100U + 31);
}

TEST_P(ast, AST_12_lanes_that_are_off_write_nothing)
{
    const context c = bind(make_context(stage::vertex, {}, generic0));
    fill(c.output, [](unsigned, unsigned) { return 0x77777777U; });
    warp_op op = make_ast(0x80, 4, 0x100);
    op.lanes = 0x00ff00f0;
    const warp_result r = run(op);
    EXPECT_EQ(r.status, all_statuses(0));
    for (unsigned rank = 0; rank < 4; ++rank)
        for (unsigned v = 0; v < warp_lanes; ++v)
            EXPECT_EQ(attribute(c.output, rank, v),
                      ((op.lanes >> v) & 1U) != 0 ? 0x100 + 0x100 * rank + v : 0x77777777U);
}

} // namespace
} // namespace isbesim::test
