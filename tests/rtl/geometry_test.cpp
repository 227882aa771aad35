// SPDX-License-Identifier: Apache-2.0
// Section 4.6: geometry state, OUT, and AST in a geometry shader.
#include <gtest/gtest.h>

#include "tests/rtl/bench.h"

using namespace rtl;

namespace {

std::uint8_t rotl8(std::uint32_t value, unsigned by)
{
    return static_cast<std::uint8_t>((value & 0xff) << by | (value & 0xff) >> (8 - by));
}

std::uint32_t state(unsigned slot, unsigned last, unsigned valid, unsigned strip)
{
    const std::uint32_t low = slot | last << 16 | valid << 18 | strip << 20;
    const std::uint32_t check = (low & 0xff) ^ rotl8(low >> 8, 3) ^ rotl8(low >> 16, 5);
    return low | check << 24;
}

class geometry : public ::testing::Test {
protected:
    geometry() : b(make_machine()) { bind(make()); }

    // Maximum 4 vertices, 8 threads, streams 0 and 2 enabled; tokens at 0x1104, 32 of them.
    static descriptor make()
    {
        descriptor d = six_attributes(stage::gs);
        d.maximum = 4;
        d.threads = 8;
        d.stream_mask = 0b0101;
        d.out.map_bytes = 4 + 32;
        return d;
    }
    void bind(const descriptor& d) { b.bind(0, d); }

    static request out(out_type type, unsigned stream = 0)
    {
        request q;
        q.opcode = op::out;
        q.type = type;
        q.address.fill(stream);
        q.lanes = 0xff;
        return q;
    }
    std::uint8_t token(unsigned number)
    {
        return static_cast<std::uint8_t>(b.peek_word(0x1104 + number / 4 * 4) >> 8 * (number % 4));
    }

    bench b;
};

TEST_F(geometry, OUT_06_checksum_by_hand)
{
    // slot 1, stream 2, valid, strip 1: 23:0 = 0x160001; b0 = 01, b1 = 00, b2 = 0x16 -> rotl8(0x16,5) = 0xc2; 0xc3.
    EXPECT_EQ(state(1, 2, 1, 1), 0xc3160001u);
    const response r = b.run(out(out_type::emit, 2));
    EXPECT_EQ(r.data[0], 0xc3160001u);
    EXPECT_EQ(r.data[7], 0xc3160001u);
    EXPECT_EQ(r.data[8], 0u);  // inactive
    EXPECT_EQ(r.data[32], 0u); // component 1
}

TEST_F(geometry, OUT_01_emit_numbers_tokens_slot_by_slot)
{
    request q = out(out_type::emit, 0xfffffffe); // stream 2: bits 1:0
    q.lanes = 0x1f;
    response r = b.run(q);
    EXPECT_EQ(r.passes, 1u);                                    // tokens 0..4 lie in two words, two banks
    for (unsigned i = 0; i < 5; ++i) EXPECT_EQ(token(i), 0xa2); // enabled: bit 5
    EXPECT_EQ(token(5), 0x00);
    q.handle = per_lane([](unsigned) { return state(1, 2, 1, 1); });
    r = b.run(q);
    EXPECT_EQ(r.data[0], state(2, 2, 1, 2));
    for (unsigned i = 0; i < 5; ++i) EXPECT_EQ(token(8 + i), 0xa2); // 1 * 8 threads + lane
    EXPECT_EQ(r.status[0], 0);
}

TEST_F(geometry, OUT_02_03_cut_and_emit_then_cut)
{
    request q = out(out_type::cut, 3); // its stream is ignored
    q.handle = per_lane([](unsigned) { return state(2, 0, 1, 2); });
    response r = b.run(q);
    EXPECT_EQ(r.data[1], state(2, 0, 1, 0));
    EXPECT_EQ(token(8 + 1), 0xe0); // 0xc0 | mask | stream 0, on the last vertex: slot 1
    q.handle = per_lane([](unsigned) { return state(2, 0, 1, 0); });
    r = b.run(q); // nothing to cut
    EXPECT_EQ(r.data[1], state(2, 0, 1, 0));
    EXPECT_EQ(r.status[1], 0);
    EXPECT_EQ(token(16 + 1), 0x00);
    r = b.run(out(out_type::cut)); // nor at the start
    EXPECT_EQ(r.data[0], 0u);

    q = out(out_type::emit_then_cut, 1);
    q.handle = per_lane([](unsigned) { return state(3, 1, 1, 3); });
    r = b.run(q);
    EXPECT_EQ(r.data[7], state(4, 1, 1, 0));
    EXPECT_EQ(token(24 + 7), 0xc1); // stream 1 is not enabled
}

TEST_F(geometry, OUT_04_a_stream_change_starts_a_new_strip)
{
    request q = out(out_type::emit, 3);
    q.handle = per_lane([](unsigned) { return state(2, 0, 1, 2); });
    EXPECT_EQ(b.run(q).data[0], state(3, 3, 1, 1));
    EXPECT_EQ(token(16), 0x83);
    q.address.fill(0);
    EXPECT_EQ(b.run(q).data[0], state(3, 0, 1, 3)); // same stream: it goes on
}

TEST_F(geometry, OUT_05_disabled_streams_advance_without_the_mask_bit)
{
    for (unsigned stream = 0; stream < 4; ++stream) {
        const response r = b.run(out(out_type::emit, stream));
        EXPECT_EQ(r.data[0], state(1, stream, 1, 1));
        EXPECT_EQ(token(0), 0x80 | (stream == 0 || stream == 2 ? 0x20u : 0u) | stream);
    }
}

TEST_F(geometry, OUT_06_the_strip_count_saturates)
{
    descriptor d = make();
    d.maximum = 40;
    d.out.map_bytes = 4 + 80;
    bind(d);
    std::uint32_t s = 0;
    for (unsigned k = 1; k <= 10; ++k) {
        request q = out(out_type::emit);
        q.lanes = 1;
        q.handle[0] = s;
        s = b.run(q).data[0];
        EXPECT_EQ(s, state(k, 0, 1, k));
    }
    request q = out(out_type::emit);
    q.lanes = 1;
    q.handle[0] = state(1, 0, 1, 14);
    EXPECT_EQ(b.run(q).data[0], state(2, 0, 1, 15));
    q.handle[0] = state(1, 0, 1, 15);
    EXPECT_EQ(b.run(q).data[0], state(2, 0, 1, 15));
}

TEST_F(geometry, OUT_06_states_that_OUT_did_not_make)
{
    request q = out(out_type::emit);
    q.handle[0] = 0x12345678;
    q.handle[1] = state(1, 0, 1, 1) ^ 0x01000000; // checksum
    q.handle[2] = state(1, 0, 1, 1) ^ 0x00000002; // slot
    q.handle[3] = state(5, 0, 1, 1);              // beyond the maximum
    q.handle[4] = state(1, 0, 0, 0);              // no stream, but not 0
    q.handle[5] = state(1, 0, 1, 1 | 8);          // fine
    q.handle[6] = state(1, 2, 3, 1);              // bit 19
    const response r = b.run(q);
    for (const unsigned lane : {0u, 1u, 2u, 3u, 4u, 6u}) {
        EXPECT_EQ(r.status[lane], gs_state) << lane;
        EXPECT_EQ(r.data[lane], q.handle[lane]);
    }
    EXPECT_EQ(r.status[5], 0);
    EXPECT_EQ(r.data[5], state(2, 0, 1, 10));
    EXPECT_EQ(token(8 + 0), 0);
    EXPECT_EQ(token(8 + 5), 0xa0);
}

TEST_F(geometry, OUT_07_final_changes_nothing)
{
    request q = out(out_type::final);
    q.handle[0] = state(4, 0, 1, 2);
    q.handle[1] = 7; // invalid
    const response r = b.run(q);
    EXPECT_EQ(r.data[0], q.handle[0]);
    EXPECT_EQ(r.status[0], 0);
    EXPECT_EQ(r.status[1], gs_state);
    EXPECT_EQ(r.data[1], 7u);
    EXPECT_EQ(r.passes, 1u);
}

TEST_F(geometry, OUT_08_nothing_happens_beyond_the_maximum)
{
    for (const out_type type : {out_type::emit, out_type::cut, out_type::emit_then_cut}) {
        request q = out(type);
        q.handle = per_lane([](unsigned) { return state(4, 0, 1, 2); });
        const response r = b.run(q);
        EXPECT_EQ(r.status[0], type == out_type::cut ? 0 : gs_overflow); // CUT loses nothing
        EXPECT_EQ(r.data[0], state(4, 0, 1, 2));
        EXPECT_EQ(r.passes, 1u);
    }
    for (unsigned i = 0; i < 32; ++i) EXPECT_EQ(token(i), 0) << i;
}

TEST_F(geometry, OUT_08_lanes_and_tokens_beyond_the_thread_count)
{
    descriptor d = make();
    d.out.map_bytes = 4 + 30; // tokens 0..29
    bind(d);
    request q = out(out_type::emit);
    q.lanes = 0x1ff;
    q.handle = per_lane([](unsigned) { return state(3, 0, 1, 3); });
    q.handle[8] = 0;
    const response r = b.run(q);
    EXPECT_EQ(r.status[5], 0);           // token 29
    EXPECT_EQ(r.status[6], gs_overflow); // token 30
    EXPECT_EQ(r.data[6], state(3, 0, 1, 3));
    EXPECT_EQ(r.status[8], gs_overflow); // there are 8 threads
    EXPECT_EQ(r.data[8], 0u);
    EXPECT_EQ(token(29), 0xa0);
    EXPECT_EQ(token(30), 0);
}

TEST_F(geometry, OUT_09_fast_geometry_leaves_the_state_alone)
{
    descriptor d = make();
    d.fast_geometry = true;
    bind(d);
    for (const out_type type : {out_type::final, out_type::emit, out_type::cut, out_type::emit_then_cut}) {
        request q = out(type);
        q.handle.fill(0x12345678);
        q.handle[3] = state(1, 0, 1, 1); // valid where there are states
        q.handle[4] = state(4, 0, 1, 1);
        q.lanes = all_lanes;
        const response r = b.run(q);
        for (unsigned lane = 0; lane < 32; ++lane) {
            EXPECT_EQ(r.data[lane], q.handle[lane]);
            EXPECT_EQ(r.status[lane], 0);
        }
        for (unsigned i = 0; i < 32; ++i) EXPECT_EQ(token(i), 0) << i;
    }
}

TEST_F(geometry, AST_06_the_state_selects_the_output_vertex)
{
    request q = ast(0x74);
    q.lanes = 0xff;
    q.handle = per_lane([](unsigned) { return state(3, 0, 1, 1); });
    q.handle[2] = 0;
    q.handle[3] = 0x00000001;
    const response r = b.run(q);
    EXPECT_EQ(b.peek_word(0x880 + 4 * 24), 0xda7a0000u); // slot 3 * 8 threads
    EXPECT_EQ(b.peek_word(0x880 + 4 * 25), 0xda7a0001u);
    EXPECT_EQ(b.peek_word(0x880 + 4 * 2), 0xda7a0002u);
    EXPECT_EQ(r.status[3], gs_state);
    EXPECT_EQ(b.peek_word(0x880 + 4 * 27), 0u);
    // A fast geometry shader has no state: the lane's own vertex.
    descriptor d = make();
    d.fast_geometry = true;
    bind(d);
    EXPECT_EQ(b.run(q).status[3], 0);
    EXPECT_EQ(b.peek_word(0x880 + 4 * 3), 0xda7a0003u);
}

TEST_F(geometry, AST_07_stores_past_the_threads_own_space_are_killed)
{
    descriptor d = make();
    d.out.vertex_count = 30;
    bind(d);
    request q = ast(0x88); // not enabled: the vertex is tested first
    q.lanes = 0x1ff;
    q.handle = per_lane([](unsigned) { return state(3, 0, 1, 1); });
    q.handle[0] = state(4, 0, 1, 1); // slot at the maximum
    const response r = b.run(q);
    EXPECT_EQ(r.status[0], gs_overflow);
    EXPECT_EQ(r.status[5], dropped_map);
    EXPECT_EQ(r.status[6], gs_overflow); // vertex 30
    EXPECT_EQ(r.status[8], gs_overflow); // no thread
}

TEST(geometry_other, OUT_01_blocked_slots)
{
    bench b(make_other());
    descriptor d = six_attributes(stage::gs);
    d.maximum = 5;
    d.threads = 4;
    d.stream_mask = 1;
    d.out.attr_base = 0x400;
    d.out.map_base = 0x800;
    d.out.map_bytes = 4 + 20;
    b.bind(0, d);
    request q;
    q.opcode = op::out;
    q.type = out_type::emit_then_cut;
    q.lanes = 0xf;
    q.handle = per_lane([](unsigned) { return state(2, 0, 1, 1); });
    EXPECT_EQ(b.run(q).data[3], state(3, 0, 1, 0));
    // Token of lane l: 5l + 2 -> bytes 6, 11, 16, 21 of MAP.
    EXPECT_EQ(b.peek_word(0x804), 0x00e00000u);
    EXPECT_EQ(b.peek_word(0x808), 0xe0000000u);
    EXPECT_EQ(b.peek_word(0x810), 0x000000e0u);
    EXPECT_EQ(b.peek_word(0x814), 0x0000e000u);
    q = ast(0x70);
    q.lanes = 0xf;
    q.handle = per_lane([](unsigned) { return state(2, 0, 1, 1); });
    b.run(q); // unskewed: vertex 5l + 2, 24 bytes each
    EXPECT_EQ(b.peek_word(0x400 + 24 * 2), 0xda7a0000u);
    EXPECT_EQ(b.peek_word(0x400 + 24 * 17), 0xda7a0003u);
}

} // namespace
