// SPDX-License-Identifier: Apache-2.0
// Section 4.6: geometry state, OUT, and AST in a geometry shader, where the conformance rows, which run on the RTL,
// too, say less.
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

    // Maximum 4 vertices, 8 threads, streams 0 and 2 enabled, 32 tokens.
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
