// SPDX-License-Identifier: Apache-2.0
// Sections 4.3, 4.5 and 4.7 and the winner rule: patches, raw bytes, shared spaces. The storage holds its own byte
// addresses to begin with.
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

    // One lane's raw access.
    static request bytes(op opcode, region where, bool output, unsigned size, int address, std::uint32_t value = 0,
                         unsigned lane = 0)
    {
        request q;
        q.opcode = opcode;
        q.region = where;
        q.output = output;
        q.size = size;
        q.lanes = 1u << lane;
        q.address[lane] = static_cast<std::uint32_t>(address);
        q.data[lane] = value;
        return q;
    }
    std::uint32_t read(region where, bool output, unsigned size, int address)
    {
        const response r = b.run(bytes(op::isberd, where, output, size, address));
        status = r.status[0];
        passes = r.passes;
        return r.data[0];
    }
    void write(region where, unsigned size, int address, std::uint32_t value)
    {
        const response r = b.run(bytes(op::isbewr, where, true, size, address, value));
        status = r.status[0];
        passes = r.passes;
    }

    bench b;
    std::uint16_t status = 0;
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

TEST_F(raw, AST_08_patch_stores_bypass_the_map)
{
    descriptor d = six_attributes(stage::ti);
    d.out.allocated = d.out.enabled = {};
    bind(d);
    request q = ast(-16, 2);
    q.form = form::patch;
    q.lanes = 1u << 13; // primitive 1
    q.address.fill(48);
    const response r = b.run(q);
    EXPECT_EQ(r.status[13], 0);
    EXPECT_EQ(b.peek_word(0x1400 + 40 + 0x20), 0xda7a0000u + 13);
    EXPECT_EQ(b.peek_word(0x1400 + 40 + 0x24), 0xda7a0020u + 13);
    q.address.fill(0x3fc + 24); // 0x404
    EXPECT_EQ(b.run(q).status[13], out_of_range);
}

TEST_F(raw, ISBE_01_regions_of_both_spaces)
{
    EXPECT_EQ(read(region::map, false, 4, 8), 0x1008u);
    EXPECT_EQ(read(region::patch, false, 4, 8), 0x1308u);
    EXPECT_EQ(read(region::prim, false, 4, 8), 0x1208u);
    EXPECT_EQ(read(region::attr, false, 4, 8), 0x0008u);
    EXPECT_EQ(read(region::map, true, 4, 8), 0x1108u);
    EXPECT_EQ(read(region::patch, true, 4, 8), 0x1408u);
    EXPECT_EQ(read(region::prim, true, 4, 8), 0x1248u);
    EXPECT_EQ(read(region::attr, true, 4, 8), 0x0808u);
    EXPECT_EQ(read(region::physical, true, 4, 8), 0x0008u);
}

TEST_F(raw, ISBE_02_reads_are_zero_extended_at_any_byte)
{
    b.poke(0, per_lane([](unsigned i) { return 0x83828180u + 0x04040404u * i; })); // byte k holds 0x80 + k
    for (int a = 0; a < 8; ++a) {
        const std::uint32_t first = 0x80 + static_cast<unsigned>(a);
        EXPECT_EQ(read(region::attr, false, 1, a), first);
        EXPECT_EQ(passes, 1u);
        EXPECT_EQ(read(region::attr, false, 2, a), first | (first + 1) << 8);
        EXPECT_EQ(passes, a % 4 == 3 ? 2u : 1u); // component 1 is the next word
        EXPECT_EQ(read(region::attr, false, 4, a), first | (first + 1) << 8 | (first + 2) << 16 | (first + 3) << 24);
        EXPECT_EQ(passes, a % 4 != 0 ? 2u : 1u);
    }
}

TEST_F(raw, ISBE_02_address_is_register_plus_immediate_and_bounded)
{
    request q = bytes(op::isberd, region::map, false, 2, 70);
    q.immediate = -8;
    b.poke(0x1000, per_lane([](unsigned i) { return i << 16; }));
    EXPECT_EQ(b.run(q).data[0], 15u); // bytes 62 and 63: the upper half of word 15
    const struct {
        region where;
        bool output;
        unsigned size;
        int last;
    } rows[] = {{region::map, false, 1, 63},     {region::map, false, 4, 60},         {region::map, true, 2, 94},
                {region::patch, false, 4, 116},  {region::prim, true, 4, 36},         {region::attr, true, 4, 0x5fc},
                {region::attr, false, 1, 0x5ff}, {region::physical, false, 4, 0x1ffc}};
    for (const auto& row : rows) {
        read(row.where, row.output, row.size, row.last);
        EXPECT_EQ(status, 0) << row.last;
        EXPECT_EQ(read(row.where, row.output, row.size, row.last + 1), 0u);
        EXPECT_EQ(status, out_of_range) << row.last;
        EXPECT_EQ(passes, 1u);
        EXPECT_EQ(read(row.where, row.output, row.size, -1), 0u);
        EXPECT_EQ(status, out_of_range);
    }
    q = bytes(op::isberd, region::physical, false, 4, 0x7fffffff);
    q.immediate = 0x7fffffff;
    EXPECT_EQ(b.run(q).status[0], out_of_range); // no wrap
}

TEST_F(raw, ISBE_03_writes_touch_their_bytes_only)
{
    write(region::attr, 1, 0x101, 0xffffff11);
    EXPECT_EQ(b.peek_word(0x900), 0x00001100u | (0x900u & 0xffff00ffu));
    write(region::attr, 2, 0x107, 0xffff3322); // across a word boundary
    EXPECT_EQ(passes, 2u);
    EXPECT_EQ(b.peek_word(0x904), 0x22000904u);
    EXPECT_EQ(b.peek_word(0x908), 0x00000933u);
    write(region::attr, 4, 0x10e, 0x77665544);
    EXPECT_EQ(b.peek_word(0x90c), 0x5544090cu);
    EXPECT_EQ(b.peek_word(0x910), 0x00007766u);
    write(region::attr, 4, 0x5fd, 0x12345678); // one byte too many
    EXPECT_EQ(status, out_of_range);
    EXPECT_EQ(b.peek_word(0xdfc), 0xdfcu);
    EXPECT_EQ(b.peek_word(0xe00), 0xe00u);
}

TEST_F(raw, ISBE_06_07_map_writes_are_reversed)
{
    // HARDWARE.md E11: the count at [3], then indices byte by byte.
    write(region::map, 4, 3, 2);
    EXPECT_EQ(status, 0);
    const unsigned indices[] = {0, 1, 2, 2, 1, 3};
    for (int i = 0; i < 6; ++i) write(region::map, 1, 4 + i, indices[i]);
    EXPECT_EQ(b.peek_word(0x1100), 0x00000002u);
    EXPECT_EQ(b.peek_word(0x1104), 0x02020100u);
    EXPECT_EQ(b.peek_word(0x1108), 0x00000301u);
    write(region::map, 2, 9, 0xbbaa); // bytes 8 and 9, AA at 8
    EXPECT_EQ(b.peek_word(0x1108), 0x0000bbaau);
    write(region::map, 4, 2, 0x12345678); // would start at -1
    EXPECT_EQ(status, out_of_range);
    EXPECT_EQ(b.peek_word(0x1100), 0x00000002u);
    EXPECT_EQ(b.peek_word(0x10fc), 0x10fcu);
    write(region::map, 4, 95, 0x04030201);
    EXPECT_EQ(status, 0);
    EXPECT_EQ(b.peek_word(0x115c), 0x04030201u);
    write(region::map, 1, 96, 1);
    EXPECT_EQ(status, out_of_range);
    EXPECT_EQ(read(region::map, true, 4, 8), 0x0000bbaau); // reads are not reversed
}

TEST(raw_other, ISBE_07_map_byte_swap)
{
    bench b(make_other());
    descriptor d = six_attributes(stage::mesh);
    d.out.map_base = 0x200;
    b.bind(0, d);
    request q;
    q.opcode = op::isbewr;
    q.output = true;
    q.region = region::map;
    q.lanes = 7;
    q.size = 4;
    q.address[0] = 3;
    q.data[0] = 0x44332211;
    q.address[1] = 11;
    q.data[1] = 0x88776655;
    q.address[2] = 96;
    EXPECT_EQ(b.run(q).status[2], out_of_range);
    q.size = 2;
    q.lanes = 1;
    q.address[0] = 16; // bytes 15 and 16
    q.data[0] = 0xbbaa;
    b.run(q);
    EXPECT_EQ(b.peek_word(0x200), 0x11223344u);
    EXPECT_EQ(b.peek_word(0x208), 0x55667788u);
    EXPECT_EQ(b.peek_word(0x20c), 0xbb000000u);
    EXPECT_EQ(b.peek_word(0x210), 0x000000aau);
    q.region = region::attr; // other regions are not swapped
    q.address[0] = 0;
    d.out.attr_base = 0x100;
    b.bind(0, d);
    b.run(q);
    EXPECT_EQ(b.peek_word(0x100), 0xbbaau);
}

TEST_F(raw, ISBE_12_skew_changes_nothing)
{
    for (const region where : {region::map, region::patch, region::prim, region::attr}) {
        request q = bytes(op::isberd, where, false, 4, 12);
        const response plain = b.run(q);
        q.skew = true;
        EXPECT_TRUE(b.run(q) == plain);
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

TEST_F(raw, AST_09_the_winner_is_chosen_byte_by_byte)
{
    request q;
    q.opcode = op::isbewr;
    q.output = true;
    q.region = region::attr;
    q.size = 2;
    q.lanes = 0b1011;
    q.address = {0, 1, 0, 2}; // lane 0: bytes 0, 1. lane 1: bytes 1, 2. lane 3: bytes 2, 3
    q.data[0] = 0x1100;
    q.data[1] = 0x3322;
    q.data[3] = 0x5544;
    const response r = b.run(q);
    EXPECT_EQ(b.peek_word(0x800), 0x55442200u);
    EXPECT_EQ(r.status[0], write_conflict); // lost byte 1 to lane 1
    EXPECT_EQ(r.status[1], write_conflict); // lost byte 2 to lane 3
    EXPECT_EQ(r.status[3], 0);
}

TEST(raw_other, AST_09_the_lowest_lane_wins)
{
    bench b(make_other());
    request q;
    q.opcode = op::isbewr;
    q.region = region::physical;
    q.size = 2;
    q.lanes = 0b1011;
    q.address = {0, 1, 0, 2};
    q.data[0] = 0x1100;
    q.data[1] = 0x3322;
    q.data[3] = 0x5544;
    const response r = b.run(q);
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

TEST_F(raw, ISBE_09_reads_of_overwritten_input_are_flagged)
{
    descriptor d = six_attributes(stage::vsb);
    d.shared_spaces = true;
    d.out = d.in; // one memory
    bind(d);
    request store = ast(0x70);
    store.lanes = 0xf;
    b.run(store);
    response r = b.run(ald(0x70));
    EXPECT_EQ(r.status[3], overwritten);
    EXPECT_EQ(r.data[3], 0xda7a0003u); // beside the data
    EXPECT_EQ(r.status[4], 0);
    EXPECT_EQ(b.run(ald(0x70, 1, true)).status[3], 0); // the output space is its own
    EXPECT_EQ(read(region::attr, false, 1, 2), 0x7au);
    EXPECT_EQ(status, overwritten);
    read(region::attr, true, 1, 2);
    EXPECT_EQ(status, 0);
    read(region::physical, false, 1, 2); // no context, no status
    EXPECT_EQ(status, 0);
    // One byte from outside clears the word's bit.
    b.run(bytes(op::isbewr, region::physical, true, 1, 8, 0x55));
    r = b.run(ald(0x70, 4));
    EXPECT_EQ(r.status[1], overwritten);
    EXPECT_EQ(r.status[2], 0);
    EXPECT_EQ(r.data[2], 0xda7a0055u);
    // A raw write through the output space sets it, whole word, and a read across two words sees either.
    write(region::attr, 1, 0x10, 1);
    read(region::attr, false, 2, 0x0f + 4);
    EXPECT_EQ(status, overwritten);
    // Without shared spaces a write clears, and a read does not look.
    d.shared_spaces = false;
    b.bind(1, d);
    request q = ald(0x70);
    q.context = 1;
    EXPECT_EQ(b.run(q).status[1], 0);
    store.context = 1;
    b.run(store);
    EXPECT_EQ(b.run(ald(0x70)).status[1], 0);
}

} // namespace
