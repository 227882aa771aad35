// SPDX-License-Identifier: Apache-2.0
// Sections 4.3 and 4.5 and the winner rule: patches and raw bytes, where the conformance rows, which run on the RTL,
// too, say less. The storage holds its own byte addresses to begin with.
#include <gtest/gtest.h>

#include "tests/rtl/bench.h"

using namespace rtl;

namespace {

class raw : public ::testing::Test {
protected:
    raw() : b(make_machine())
    {
        b.fill_with_addresses(0x2000);
        bind(six_attributes(stage::mesh));
    }
    void bind(const descriptor& d) { b.bind(0, d); }

    // What lane 0 reads from the ATTR region of the input space.
    std::uint32_t read(unsigned size, unsigned address)
    {
        request q;
        q.opcode = op::isberd;
        q.region = region::attr;
        q.size = size;
        q.lanes = 1;
        q.address[0] = address;
        const response r = b.run(q);
        passes = r.passes;
        return r.data[0];
    }

    bench b;
    unsigned passes = 0;
};

TEST_F(raw, ALD_13_patch_words_need_no_map)
{
    descriptor d = six_attributes(stage::ts);
    d.in.allocated = d.in.enabled = {};
    d.primitive[31] = 3; // there are 3 patches: 0, 1, 2
    bind(d);
    request q = ald(0x10, 4);
    q.form = form::patch;
    q.handle.fill(0xffffffff);
    const response r = b.run(q);
    for (unsigned i = 0; i < 31; ++i) {
        EXPECT_EQ(r.status[i], 0);
        for (unsigned c = 0; c < 4; ++c) EXPECT_EQ(r.data[32 * c + i], 0x1310 + i / 12 * 40 + 4 * c) << i;
    }
    EXPECT_EQ(r.status[31], out_of_range);
    EXPECT_EQ(r.data[31], 0u);
}

TEST_F(raw, ALD_13_patch_bounds)
{
    bind(six_attributes(stage::ts)); // 10 words: 0x00 .. 0x27
    request q = ald(0x20, 4);
    q.form = form::patch;
    response r = b.run(q);
    EXPECT_EQ(r.status[0], out_of_range); // of components 2 and 3
    EXPECT_EQ(r.data[0], 0x1320u);
    EXPECT_EQ(r.data[32], 0x1324u);
    EXPECT_EQ(r.data[64], 0u);
    EXPECT_EQ(r.passes, 2u); // three primitives, 40 bytes apart: different banks
    q = ald(0x24);
    q.form = form::patch;
    EXPECT_EQ(b.run(q).status[0], 0);
    q.immediate = 0x28;
    EXPECT_EQ(b.run(q).status[0], out_of_range);
    q.immediate = 0x7fffffff;
    q.address.fill(0x7fffffff); // no wrap
    EXPECT_EQ(b.run(q).status[0], out_of_range);
}

TEST_F(raw, ALD_14_patch_address_is_register_plus_immediate)
{
    bind(six_attributes(stage::ti));
    request q = ald(-16, 2, true);
    q.form = form::patch;
    q.address = per_lane([](unsigned) { return 0x2c; }); // 0x1c, aligned to 0x18
    q.address[1] = 8;                                    // -8
    q.address[2] = 15;                                   // -1: the sign counts before alignment
    q.address[3] = 17;                                   // 1 -> 0
    const response r = b.run(q);
    EXPECT_EQ(r.data[0], 0x1418u);
    EXPECT_EQ(r.data[32], 0x141cu);
    EXPECT_EQ(r.status[1], out_of_range);
    EXPECT_EQ(r.status[2], out_of_range);
    EXPECT_EQ(r.data[2], 0u);
    EXPECT_EQ(r.data[3], 0x1400u);
}

TEST_F(raw, ISBE_02_reads_are_zero_extended_at_any_byte)
{
    b.poke(0, per_lane([](unsigned i) { return 0x83828180u + 0x04040404u * i; })); // byte k holds 0x80 + k
    for (unsigned a = 0; a < 8; ++a) {
        const std::uint32_t first = 0x80 + a;
        EXPECT_EQ(read(1, a), first);
        EXPECT_EQ(passes, 1u);
        EXPECT_EQ(read(2, a), first | (first + 1) << 8);
        EXPECT_EQ(passes, a % 4 == 3 ? 2u : 1u); // component 1 is the next word
        EXPECT_EQ(read(4, a), first | (first + 1) << 8 | (first + 2) << 16 | (first + 3) << 24);
        EXPECT_EQ(passes, a % 4 != 0 ? 2u : 1u);
    }
}

TEST_F(raw, lanes_on_different_bytes_of_a_word_all_succeed)
{
    request q;
    q.opcode = op::isbewr;
    q.output = true;
    q.region = region::attr;
    q.size = 1;
    q.address = per_lane([](unsigned i) { return i; });
    for (unsigned i = 0; i < 32; ++i) q.data[i] = 0xf0 + i % 8;
    const response r = b.run(q);
    EXPECT_EQ(r.passes, 1u);
    for (unsigned i = 0; i < 32; ++i) EXPECT_EQ(r.status[i], 0) << i;
    for (unsigned w = 0; w < 8; ++w) EXPECT_EQ(b.peek_word(0x800 + 4 * w), w % 2 == 0 ? 0xf3f2f1f0u : 0xf7f6f5f4u);
}

/// Half-words of lanes 0, 1 and 3 that overlap: bytes 0 and 1, 1 and 2, 2 and 3.
request overlapping(region where)
{
    request q;
    q.opcode = op::isbewr;
    q.output = true;
    q.region = where;
    q.size = 2;
    q.lanes = 0b1011;
    q.address = {0, 1, 0, 2};
    q.data[0] = 0x1100;
    q.data[1] = 0x3322;
    q.data[3] = 0x5544;
    return q;
}

TEST_F(raw, AST_09_the_winner_is_chosen_byte_by_byte)
{
    const response r = b.run(overlapping(region::attr));
    EXPECT_EQ(b.peek_word(0x800), 0x55442200u);
    EXPECT_EQ(r.status[0], write_conflict); // lost byte 1 to lane 1
    EXPECT_EQ(r.status[1], write_conflict); // lost byte 2 to lane 3
    EXPECT_EQ(r.status[3], 0);
}

TEST(raw_other, AST_09_the_lowest_lane_wins)
{
    bench b(make_other());
    const response r = b.run(overlapping(region::physical));
    EXPECT_EQ(b.peek_word(0), 0x55331100u);
    EXPECT_EQ(r.status[0], 0);
    EXPECT_EQ(r.status[1], write_conflict);
    EXPECT_EQ(r.status[3], write_conflict);
}

TEST_F(raw, a_later_component_overwrites_without_status)
{
    // Lane 0 writes bytes 2..5, lane 1 bytes 4..7: lane 0 reaches byte 4 in component 1, after lane 1's component 0.
    request q;
    q.opcode = op::isbewr;
    q.output = true;
    q.region = region::attr;
    q.size = 4;
    q.lanes = 3;
    q.address = {2, 4};
    q.data[0] = 0x44332211;
    q.data[1] = 0x88776655;
    const response r = b.run(q);
    EXPECT_EQ(b.peek_word(0x804), 0x88774433u);
    EXPECT_EQ(r.status[0], 0);
    EXPECT_EQ(r.status[1], 0);
    EXPECT_EQ(r.passes, 2u);
}

} // namespace
