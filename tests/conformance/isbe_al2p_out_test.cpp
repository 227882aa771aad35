// SPDX-License-Identifier: Apache-2.0
// Rows AL2P-* and OUT-*, the ISBE's part. Expected values: HARDWARE.md C, E.6, worked examples E8, E13 to E17; state
// words by the layout and tokens by the formula of micro-architecture section 4.6.
#include "tests/conformance/isbe_fixture.h"

namespace isbesim::test {
namespace {

class al2p : public isbe_conformance {};
ISBESIM_ON_EVERY_BACK_END(al2p);
class out : public isbe_conformance {};
ISBESIM_ON_EVERY_BACK_END(out);

TEST_P(al2p, AL2P_01_the_result_carries_rank_id_enabled_range_and_space)
{
    context c = make_context(stage::vertex, ids({0x60, 0x80, 0x84}), ids({0x70, 0x74, 0x78, 0x7c, 0x80, 0x84}));
    c.input.enabled = ids({0x60, 0x84});
    bench().bind(0, c);
    warp_op op = make_al2p(0x70, space::output);
    op.address = all_lanes_have(0x10);
    op.address[1] = 0;
    op.address[2] = 0x18;                         // 0x88
    op.address[3] = static_cast<word>(-1) - 0x6f; // 0x70 - 0x70 = 0
    const warp_result r = run(op);
    EXPECT_EQ(r.data[0][0], 0xa2052004U) << "E8";
    EXPECT_EQ(r.data[0][1], 0xa2051c00U);
    EXPECT_EQ(r.data[0][2], 0xa2042206U) << "not enabled";
    EXPECT_EQ(r.data[0][3], 0xa2040000U);
    EXPECT_EQ(r.status, all_statuses(0));
    for (unsigned i = 1; i < 4; ++i) EXPECT_EQ(r.data[i], per_lane<word>{});

    // E8: 0x10 - 0x20 is out of range.
    op.immediate = -0x20;
    op.address[1] = 0x420;
    op.address[2] = 0x41f;
    const warp_result far = run(op);
    EXPECT_EQ(far.data[0][0], 0xa2060000U);
    EXPECT_EQ(far.data[0][1], 0xa2060000U);
    EXPECT_EQ(far.data[0][2], 0xa204ff06U) << "0x3ff is inside";

    EXPECT_EQ(run(make_al2p(0x60, space::input)).data[0][7], 0xa2091800U) << "per primitive";
    EXPECT_EQ(run(make_al2p(0x80, space::input)).data[0][7], 0xa2002001U) << "allocated, not enabled";
    EXPECT_EQ(run(make_al2p(0x84, space::input)).data[0][7], 0xa2012102U);
}

TEST_P(al2p, AL2P_02_size_only_aligns_the_address)
{
    bind(make_context(stage::vertex, ids({0x70, 0x74, 0x78, 0x7c}), {}));
    EXPECT_EQ(run(make_al2p(0x7c, space::input, 1)).data[0][0], 0xa2011f03U);
    EXPECT_EQ(run(make_al2p(0x7c, space::input, 2)).data[0][0], 0xa2011e02U);
    EXPECT_EQ(run(make_al2p(0x7c, space::input, 3)).data[0][0], 0xa2011c00U);
    EXPECT_EQ(run(make_al2p(0x7c, space::input, 4)).data[0][0], 0xa2011c00U);
    EXPECT_EQ(run(make_al2p(0x7c, space::input, 4)).data[1], per_lane<word>{}) << "scalar";
}

TEST_P(al2p, AL2P_03_PHYS_of_anything_else_is_reported_and_harmless)
{
    const attribute_set set = ids({0x80, 0x84});
    const context c = bind(make_context(stage::vertex, set, set));
    fill(c.input, [](unsigned, unsigned) { return 0x11111111U; });
    const auto before = image();
    per_lane<word> bad = all_lanes_have(0x80); // an untranslated address
    bad[1] = 0xa2052000;                       // of the output space, used on input below
    bad[2] = 0xa3012000;                       // tag
    bad[3] = 0xa2112000;                       // reserved bits
    bad[4] = 0xa2012002;                       // a rank that does not exist
    bad[5] = 0xffffffff;
    warp_op load = make_ald(0, 1);
    load.form = address_form::phys;
    load.address = bad;
    warp_result r = run(load);
    EXPECT_EQ(r.status, all_statuses(lane_status::not_al2p));
    EXPECT_EQ(r.data[0], per_lane<word>{});

    for (word& value : bad) value ^= 1U << 18; // the other space
    warp_op store = make_ast(0, 1, 0x4444);
    store.form = address_form::phys;
    store.address = bad;
    r = run(store);
    EXPECT_EQ(r.status, all_statuses(lane_status::not_al2p));
    EXPECT_EQ(image(), before);
}

// ---- OUT -----------------------------------------------------------------------------------------------------------

constexpr unsigned threads = 8, maximum = 4; // of make_context()
constexpr lane_mask warp = 0xff;

class gs_warp {
public:
    explicit gs_warp(isbe_bench& bench, const context& c) : bench_(bench), map_base_(c.output.map_base)
    {
        bench.bind(0, c);
    }
    per_lane<word> state{};
    warp_result last;

    void out(out_type type, unsigned sb)
    {
        warp_op op = make_out(type, sb, state);
        op.lanes = warp;
        last = bench_.run(op).result;
        state = last.data[0];
    }
    unsigned token(unsigned index) const { return bench_.peek_bytes(map_base_ + 4 + index, 1)[0]; }
    unsigned token(unsigned slot, unsigned lane) const { return token(slot * threads + lane); }

private:
    isbe_bench& bench_;
    word map_base_;
};

context gs_context()
{
    return make_context(stage::geometry, {}, ids({0x70}));
}

TEST_P(out, OUT_01_EMIT_ends_the_vertex_on_the_stream_of_the_two_low_bits)
{
    gs_warp gs(bench(), gs_context());
    gs.out(out_type::emit, 5); // stream 1
    EXPECT_EQ(gs.last.error, op_error::none);
    for (unsigned lane = 0; lane < threads; ++lane) {
        expect_lane(gs.last, lane, {state_word(1, 1, true, 1)});
        EXPECT_EQ(gs.token(0, lane), 0xa1U);
    }
    EXPECT_EQ(gs.state[threads], 0U) << "a lane that is off";
    gs.out(out_type::emit, 0xfffffffc); // stream 0
    EXPECT_EQ(gs.state[3], state_word(2, 0, true, 1));
    EXPECT_EQ(gs.token(1, 3), 0xa0U);
}

TEST_P(out, OUT_01_every_stream_has_its_number_in_the_token)
{
    // The stream has two bits: 2 and 3 differ from 0 and 1 in the upper one (HARDWARE.md B.4, E14).
    gs_warp gs(bench(), gs_context());
    constexpr word streams[] = {2, 3, 0xfffffffe, 0x7};
    for (unsigned slot = 0; slot < maximum; ++slot) {
        gs.out(out_type::emit, streams[slot]);
        for (unsigned lane = 0; lane < threads; ++lane) {
            EXPECT_EQ(gs.state[lane] >> 16 & 3U, streams[slot] & 3U);
            EXPECT_EQ(gs.token(slot, lane), 0xa0U | (streams[slot] & 3U)) << slot;
        }
    }
}

TEST_P(out, ISBE_06_tokens_follow_the_count)
{
    // HARDWARE.md D.4: the count word comes first, and OUT does not write it.
    const context c = gs_context();
    gs_warp gs(bench(), c);
    bench().poke(c.output.map_base, 0x12345678);
    for (unsigned i = 4; i <= maximum * threads + 4; i += 4) bench().poke(c.output.map_base + i, 0);
    gs.out(out_type::emit, 1);
    EXPECT_EQ(bench().peek(c.output.map_base), 0x12345678U);
    EXPECT_EQ(bench().peek(c.output.map_base + 4), 0xa1a1a1a1U);
    EXPECT_EQ(bench().peek(c.output.map_base + 8), 0xa1a1a1a1U);
    EXPECT_EQ(bench().peek(c.output.map_base + 12), 0U);
}

TEST_P(out, OUT_02_CUT_ends_the_strip_and_ignores_its_stream)
{
    gs_warp gs(bench(), gs_context());
    gs.out(out_type::cut, 0);
    EXPECT_EQ(gs.state[0], 0U) << "nothing to cut";
    gs.out(out_type::emit, 2);
    gs.out(out_type::emit, 2);
    EXPECT_EQ(gs.state[0], state_word(2, 2, true, 2));
    gs.out(out_type::cut, 1);
    EXPECT_EQ(gs.state[0], state_word(2, 2, true, 0));
    EXPECT_EQ(gs.token(0, 0), 0xa2U);
    EXPECT_EQ(gs.token(1, 0), 0xe2U) << "the last vertex of the strip carries the cut";
    const word after = gs.state[0];
    gs.out(out_type::cut, 2);
    EXPECT_EQ(gs.state[0], after) << "a second cut is empty";
}

TEST_P(out, OUT_03_EMIT_THEN_CUT)
{
    gs_warp gs(bench(), gs_context());
    gs.out(out_type::emit, 0);
    gs.out(out_type::emit_then_cut, 0);
    for (unsigned lane = 0; lane < threads; ++lane) {
        EXPECT_EQ(gs.state[lane], state_word(2, 0, true, 0));
        EXPECT_EQ(gs.token(0, lane), 0xa0U);
        EXPECT_EQ(gs.token(1, lane), 0xe0U);
    }
}

TEST_P(out, OUT_04_a_change_of_stream_starts_a_new_strip)
{
    // E14, also with stream 1 disabled.
    for (const unsigned mask : {0xfU, 0x1U}) {
        context c = gs_context();
        c.geometry.stream_mask = static_cast<std::uint8_t>(mask);
        gs_warp gs(bench(), c);
        gs.state = {};
        gs.out(out_type::emit, 0);
        gs.out(out_type::emit, 0);
        EXPECT_EQ(gs.state[0], state_word(2, 0, true, 2));
        gs.out(out_type::emit, 1);
        EXPECT_EQ(gs.state[0], state_word(3, 1, true, 1));
        gs.out(out_type::emit, 0);
        EXPECT_EQ(gs.state[0], state_word(4, 0, true, 1));
        EXPECT_EQ(gs.token(2, 0), mask == 0xf ? 0xa1U : 0x81U);
        EXPECT_EQ(gs.token(3, 0), 0xa0U);
    }
}

TEST_P(out, OUT_05_a_disabled_stream_is_marked_not_written)
{
    context c = gs_context();
    c.geometry.stream_mask = 0x5;
    gs_warp gs(bench(), c);
    for (unsigned s = 0; s < 4; ++s) gs.out(out_type::emit, s);
    EXPECT_EQ(gs.token(0, 2), 0xa0U);
    EXPECT_EQ(gs.token(1, 2), 0x81U);
    EXPECT_EQ(gs.token(2, 2), 0xa2U);
    EXPECT_EQ(gs.token(3, 2), 0x83U);
    EXPECT_EQ(gs.state[2] & 0xffffU, 4U) << "it counts all the same";
}

TEST_P(out, OUT_06_a_state_that_OUT_did_not_produce_is_detected)
{
    gs_warp gs(bench(), gs_context());
    gs.out(out_type::emit, 0);
    const auto before = image();
    // Every single wrong bit of a good state.
    for (unsigned bit = 0; bit < 32; bit += threads) {
        const word good = gs.state[0];
        warp_op op = make_out(out_type::emit, 0, {});
        op.lanes = warp;
        for (unsigned lane = 0; lane < threads; ++lane) op.handle[lane] = good ^ (1U << (bit + lane));
        const warp_result r = run(op);
        SCOPED_TRACE(bit); // and up, a lane each
        for (unsigned lane = 0; lane < threads; ++lane) expect_lane(r, lane, {op.handle[lane]}, lane_status::gs_state);
    }
    gs.state = all_lanes_have(0x12345678); // E16
    gs.out(out_type::emit, 0);
    expect_lane(gs.last, 0, {0x12345678}, lane_status::gs_state);
    EXPECT_EQ(image(), before);
}

TEST_P(out, OUT_07_the_final_OUT_emits_nothing_and_checks_its_own_lane)
{
    gs_warp gs(bench(), gs_context());
    gs.out(out_type::emit, 0);
    gs.state[3] = 0x12345678;
    const per_lane<word> states = gs.state;
    const auto before = image();
    gs.out(out_type::final, 0);
    for (unsigned lane = 0; lane < threads; ++lane)
        expect_lane(gs.last, lane, {states[lane]}, lane == 3 ? lane_status::gs_state : lane_status::ok);
    EXPECT_EQ(image(), before);
}

TEST_P(out, OUT_07_an_older_state_goes_on_from_where_it_was)
{
    // Three vertices; lane 2 returns to its state after the first, which is as valid as the last state.
    gs_warp gs(bench(), gs_context());
    gs.out(out_type::emit, 1);
    const word older = gs.state[2];
    gs.out(out_type::emit, 1);
    gs.out(out_type::emit_then_cut, 1);
    gs.state[2] = older;
    const auto before = image();
    gs.out(out_type::final, 0);
    for (unsigned lane = 0; lane < threads; ++lane) // a thread ends at the slot of the state it shows
        expect_lane(gs.last, lane, {lane == 2 ? state_word(1, 1, true, 1) : state_word(3, 1, true, 0)});
    EXPECT_EQ(image(), before) << "the later tokens stay, uncounted";

    // With that state a store and an EMIT use slot 1 again; the other threads have their fourth and last vertex.
    warp_op store = make_ast(0x70, 1, 0x900);
    store.lanes = warp;
    store.handle = gs.state;
    EXPECT_EQ(run(store).status, all_statuses(0));
    gs.out(out_type::emit, 0);
    const context c = gs_context();
    EXPECT_EQ(attribute(c.output, 0, 1 * threads + 2), 0x902U);
    EXPECT_EQ(attribute(c.output, 0, 3 * threads + 3), 0x903U);
    EXPECT_EQ(attribute(c.output, 0, 3 * threads + 2), 0U);
    EXPECT_EQ(gs.state[2], state_word(2, 0, true, 1));
    EXPECT_EQ(gs.token(1, 2), 0xa0U) << "written again, on another stream";
    EXPECT_EQ(gs.token(2, 2), 0xe1U) << "of the time before";
    EXPECT_EQ(gs.state[3], state_word(4, 0, true, 1));
    EXPECT_EQ(gs.token(3, 2), 0U);
    EXPECT_EQ(gs.token(1, 3), 0xa1U);
    EXPECT_EQ(gs.token(3, 3), 0xa0U);
}

TEST_P(out, OUT_08_beyond_the_maximum_nothing_happens)
{
    // E15, with a maximum of 4.
    gs_warp gs(bench(), gs_context());
    for (unsigned i = 0; i < maximum; ++i) gs.out(out_type::emit, 0);
    const word full = state_word(maximum, 0, true, maximum);
    EXPECT_EQ(gs.state[5], full);
    const auto before = image();
    for (const out_type type : {out_type::emit, out_type::emit_then_cut, out_type::cut}) {
        gs.out(type, 1);
        // CUT loses nothing: the strip ends with the thread's output.
        expect_lane(gs.last, 5, {full}, type == out_type::cut ? lane_status::ok : lane_status::gs_overflow);
    }
    EXPECT_EQ(image(), before);

    context c = gs_context(); // lanes beyond the threads, and a MAP too small for the last tokens
    c.geometry.thread_count = 6;
    c.output.map_bytes = 4 + 3;
    gs_warp small(bench(), c);
    small.out(out_type::emit, 0);
    for (unsigned lane = 0; lane < 3; ++lane) expect_lane(small.last, lane, {state_word(1, 0, true, 1)});
    for (unsigned lane = 3; lane < threads; ++lane) expect_lane(small.last, lane, {0}, lane_status::gs_overflow);
}

TEST_P(out, OUT_08_all_vertices_and_a_CUT_count_nothing_as_discarded)
{
    for (const bool fused : {false, true}) {
        gs_warp gs(bench(), gs_context());
        gs.state = {};
        for (unsigned i = 0; i + 1 < maximum; ++i) gs.out(out_type::emit, 0);
        gs.out(fused ? out_type::emit_then_cut : out_type::emit, 0);
        gs.out(out_type::cut, 0);
        gs.out(out_type::final, 0);
        for (unsigned lane = 0; lane < threads; ++lane) {
            expect_lane(gs.last, lane, {state_word(maximum, 0, true, fused ? 0 : maximum)});
            EXPECT_EQ(gs.token(maximum - 1, lane), fused ? 0xe0U : 0xa0U);
        }
        if (bench().core() != nullptr) {
            EXPECT_EQ(bench().core()->counters().discarded_gs_overflow, 0U);
        }
    }
    // In every thread one more EMIT is lost.
    context c = gs_context();
    c.geometry.max_vertices = 0;
    gs_warp none(bench(), c);
    none.state = {};
    none.out(out_type::cut, 0);
    EXPECT_EQ(none.last.status[5], lane_status::ok);
    none.out(out_type::emit, 0);
    EXPECT_EQ(none.last.status[5], lane_status::gs_overflow);
    if (bench().core() != nullptr) {
        EXPECT_EQ(bench().core()->counters().discarded_gs_overflow, threads);
    }
}

TEST_P(out, OUT_09_fast_geometry_leaves_everything)
{
    context c = gs_context();
    c.fast_geometry = true;
    gs_warp gs(bench(), c);
    gs.state = counting(0x12345678);
    gs.state[0] = 0; // valid where there is a state machine
    gs.state[1] = state_word(1, 0, true, 1);
    gs.state[2] = state_word(maximum, 0, true, 1);
    const per_lane<word> states = gs.state;
    const auto before = image();
    for (const auto type : {out_type::emit, out_type::cut, out_type::emit_then_cut, out_type::final}) {
        gs.out(type, 0);
        for (unsigned lane = 0; lane < threads; ++lane) expect_lane(gs.last, lane, {states[lane]});
        EXPECT_EQ(image(), before);
    }
    // A store goes to the lane's own vertex, for any handle.
    warp_op store = make_ast(0x70, 1, 0x900);
    store.lanes = warp;
    store.handle = gs.state;
    EXPECT_EQ(run(store).status, all_statuses(0));
    EXPECT_EQ(attribute(c.output, 0, 7), 0x907U);
}

TEST_P(out, OUT_10_outside_a_geometry_shader_is_an_error)
{
    for (const stage warp_stage :
         {stage::vertex_a, stage::vertex, stage::tess_init, stage::tess, stage::task, stage::mesh}) {
        bind(make_context(warp_stage, {}, ids({0x70})));
        const auto before = image();
        warp_op op = make_out(out_type::emit, 0, {});
        const warp_result r = run(op);
        EXPECT_EQ(r.error, op_error::illegal_sph_instr_combo);
        EXPECT_EQ(r.data[0], per_lane<word>{});
        EXPECT_EQ(image(), before);
    }
}

} // namespace
} // namespace isbesim::test
