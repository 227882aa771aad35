// SPDX-License-Identifier: Apache-2.0
// Sections 4.1, 4.2 and 4.4: ALD, AST and AL2P. The storage holds its own byte addresses, so a load says where it went.
// Names begin with the row of the conformance list that they cover.
#include <gtest/gtest.h>

#include "tests/rtl/bench.h"

using namespace rtl;

namespace {

constexpr std::uint32_t one = 0x3f800000;

std::uint32_t loaded(const response& r, unsigned component, unsigned lane)
{
    return r.data[32 * component + lane];
}

class attribute : public ::testing::Test {
protected:
    attribute() : b(make_machine()) { b.fill_with_addresses(0x2000); }

    void bind(stage s) { b.bind(0, six_attributes(s)); }

    bench b;
};

TEST_F(attribute, ISBE_04_skewed_layout_of_the_corrected_example_table)
{
    // n = 2: POINT_SIZE (0x06c) rank 0, POSITION_X (0x070) rank 1, 256 vertices, 0x800 bytes.
    descriptor d = six_attributes(stage::gs);
    d.in.allocated = d.in.enabled = {};
    d.in.allocate_and_enable({0x06c, 0x070});
    d.in.attr_bytes = 0x800;
    d.in.vertex_count = 256;
    b.bind(0, d);
    const struct {
        std::uint32_t vertex, size, x;
    } rows[] = {{0, 0x000, 0x080},  {31, 0x07c, 0x0fc}, {32, 0x100, 0x180},  {63, 0x17c, 0x1fc},
                {64, 0x200, 0x280}, {95, 0x27c, 0x2fc}, {224, 0x700, 0x780}, {255, 0x77c, 0x7fc}};
    for (const auto& row : rows) {
        request q = ald(0x06c);
        q.handle.fill(row.vertex);
        EXPECT_EQ(loaded(b.run(q), 0, 17), row.size) << row.vertex;
        q = ald(0x070);
        q.handle.fill(row.vertex);
        EXPECT_EQ(loaded(b.run(q), 0, 17), row.x) << row.vertex;
    }
}

TEST_F(attribute, ALD_01_sizes_write_one_to_four_components)
{
    bind(stage::vsb);
    for (unsigned size = 1; size <= 4; ++size) {
        const response r = b.run(ald(0x70, size));
        for (unsigned c = 0; c < 4; ++c) {
            EXPECT_EQ(loaded(r, c, 9), c < size ? 0x80 * c + 4 * 9 : 0u) << size << ' ' << c;
        }
        EXPECT_EQ(r.status[9], 0);
        EXPECT_EQ(r.passes, size);
    }
}

TEST_F(attribute, ALD_02_address_bits_are_dropped_by_size)
{
    bind(stage::vsb);
    EXPECT_EQ(loaded(b.run(ald(0x73, 1)), 0, 0), 0x000u); // 0x70
    EXPECT_EQ(loaded(b.run(ald(0x77, 1)), 0, 0), 0x080u); // 0x74
    EXPECT_EQ(loaded(b.run(ald(0x74, 2)), 0, 0), 0x000u); // 0x70, 0x74
    EXPECT_EQ(loaded(b.run(ald(0x7f, 2)), 1, 0), 0x180u); // 0x78, 0x7c
    EXPECT_EQ(loaded(b.run(ald(0x78, 3)), 0, 0), 0x000u); // 0x70 .. 0x78
    EXPECT_EQ(loaded(b.run(ald(0x78, 3)), 2, 0), 0x100u);
    EXPECT_EQ(loaded(b.run(ald(0x7c, 4)), 3, 0), 0x180u);
    // The sum is aligned, not its parts.
    request q = ald(0x06, 4);
    q.address.fill(0x7a);
    EXPECT_EQ(loaded(b.run(q), 0, 0), 0x200u); // 0x80
}

TEST_F(attribute, ALD_03_each_component_defaults_alone)
{
    bind(stage::vsb);
    const response r = b.run(ald(0x80, 4)); // 0x88 and 0x8c are not allocated
    EXPECT_EQ(loaded(r, 0, 3), 0x200u + 12);
    EXPECT_EQ(loaded(r, 1, 3), 0x280u + 12);
    EXPECT_EQ(loaded(r, 2, 3), 0u);
    EXPECT_EQ(loaded(r, 3, 3), one);
    EXPECT_EQ(r.status[3], defaulted);
    EXPECT_EQ(r.passes, 2u); // components without an access take no pass
}

TEST_F(attribute, ALD_03_enabled_needs_both_sets)
{
    descriptor d = six_attributes(stage::vsb);
    d.in.allocate({0x88});
    d.in.enable({0x8c});
    b.bind(0, d);
    const response r = b.run(ald(0x80, 4));
    EXPECT_EQ(loaded(r, 2, 0), 0u);  // allocated only
    EXPECT_EQ(loaded(r, 3, 0), one); // enabled only
    EXPECT_EQ(r.status[0], defaulted);
}

TEST_F(attribute, ALD_04_default_values)
{
    descriptor d = six_attributes(stage::vsb);
    d.in.allocated = d.in.enabled = {};
    b.bind(0, d);
    for (unsigned address = 0; address < 0x400; address += 16) {
        const response r = b.run(ald(static_cast<int>(address), 4));
        for (unsigned c = 0; c < 4; ++c) {
            const unsigned a = address + 4 * c;
            std::uint32_t expected = 0; // ATTRIBUTE_DEFAULT = 0x0e: bits 1, 2, 3
            if (a == 0x07c) expected = one;
            if (a >= 0x080 && a <= 0x27f && c == 3) expected = one;
            if (a == 0x28c || a == 0x2ac) expected = one;
            if (a == 0x29c || a == 0x2bc) expected = one;
            if (a >= 0x300 && a <= 0x39f && c == 3) expected = one;
            EXPECT_EQ(loaded(r, c, 30), expected) << std::hex << a;
        }
        EXPECT_EQ(r.status[30], defaulted);
    }
}

TEST(attribute_other, ALD_04_default_values_of_the_other_configuration)
{
    bench b(make_other()); // ATTRIBUTE_DEFAULT = 0x31: bits 0, 4, 5; POSITION_W_DEFAULT = 2.0
    descriptor d = six_attributes(stage::vsb);
    d.in.allocated = d.in.enabled = {};
    b.bind(0, d);
    const struct {
        int address;
        std::array<std::uint32_t, 4> value;
    } rows[] = {{0x070, {0, 0, 0, 0x40000000}}, {0x080, {0, 0, 0, 0}}, {0x270, {0, 0, 0, 0}},
                {0x280, {one, one, one, one}},  {0x290, {0, 0, 0, 0}}, {0x2a0, {one, one, one, one}},
                {0x2b0, {0, 0, 0, 0}},          {0x2c0, {0, 0, 0, 0}}, {0x300, {0, 0, 0, 0}},
                {0x390, {0, 0, 0, 0}},          {0x3a0, {0, 0, 0, 0}}};
    for (const auto& row : rows) {
        const response r = b.run(ald(row.address, 4));
        for (unsigned c = 0; c < 4; ++c) EXPECT_EQ(loaded(r, c, 1), row.value[c]) << std::hex << row.address << c;
    }
}

TEST_F(attribute, ALD_05_beyond_the_map_is_zero)
{
    bind(stage::vsb);
    request q = ald(8, 2);
    q.address = per_lane([](unsigned) { return 0x3f8; }); // 0x400
    q.address[1] = static_cast<std::uint32_t>(-9);        // -1
    q.address[2] = 0x7fffffff;                            // no wrap
    q.address[3] = 0x3f7;                                 // 0x3ff: inside, not enabled
    const response r = b.run(q);
    for (unsigned lane : {0u, 1u, 2u}) {
        EXPECT_EQ(r.status[lane], out_of_range) << lane;
        EXPECT_EQ(loaded(r, 0, lane), 0u);
    }
    EXPECT_EQ(r.status[3], defaulted);
    EXPECT_EQ(r.error, 0u);
}

TEST_F(attribute, ALD_06_output_is_read_back_in_place)
{
    bind(stage::ti);
    request q = ast(0x80);
    b.run(q);
    q = ald(0x80, 1, true);
    q.handle = per_lane([](unsigned i) { return 31 - i; });
    const response r = b.run(q);
    for (unsigned i = 0; i < 32; ++i) EXPECT_EQ(loaded(r, 0, i), 0xda7a0000 + 31 - i);
}

TEST_F(attribute, ALD_08_output_id_24_belongs_to_the_lane)
{
    descriptor d = six_attributes(stage::ti);
    d.out.allocate_and_enable({0x60, 0x64});
    b.bind(0, d);
    request q = ald(0x60, 2, true);
    q.handle.fill(5);
    const response r = b.run(q);
    EXPECT_EQ(loaded(r, 0, 20), 0x800u + 4 * 20);       // PRIMITIVE_ID: the lane's own vertex, rank 0
    EXPECT_EQ(loaded(r, 1, 20), 0x800u + 0x80 + 4 * 5); // the next component: the handle's, rank 1
    q.handle.fill(99);
    EXPECT_EQ(b.run(q).status[20], handle_range); // of component 1 only
    EXPECT_EQ(loaded(b.run(q), 0, 20), 0x800u + 4 * 20);
}

TEST_F(attribute, ALD_09_output_in_a_geometry_task_or_mesh_shader_is_an_error)
{
    request physical = ald(0, 1, true);
    physical.form = form::phys;
    for (const stage s : {stage::vsa, stage::vsb, stage::ti, stage::ts}) {
        bind(s);
        EXPECT_EQ(b.run(ald(0x70, 1, true)).error, 0u);
        EXPECT_EQ(b.run(physical).error, 0u);
    }
    for (const stage s : {stage::gs, stage::task, stage::mesh}) {
        bind(s);
        const response r = b.run(ald(0x88, 4, true));
        EXPECT_EQ(r.error, error_combination);
        EXPECT_EQ(r.passes, 1u);
        EXPECT_EQ(loaded(r, 3, 0), 0u); // no default either
        EXPECT_EQ(r.status[0], 0);
        EXPECT_EQ(b.run(physical).error, error_combination);
        EXPECT_EQ(b.run(ald(0x70)).error, 0u);
    }
}

TEST_F(attribute, ALD_11_handles_select_vertices)
{
    bind(stage::gs);
    request q = ald(0x74);
    q.handle = per_lane([](unsigned i) { return 39 - i; }); // 39 .. 8: both groups of 32
    response r = b.run(q);
    for (unsigned i = 0; i < 32; ++i) {
        const unsigned v = 39 - i;
        EXPECT_EQ(loaded(r, 0, i), v / 32 * 0x300 + 0x80 + v % 32 * 4) << v;
    }
    EXPECT_EQ(r.passes, 1u); // vertices 32..39 are in banks 0..7 of row 7, 8..31 in banks 8..31 of row 1
}

TEST_F(attribute, ALD_11_handle_out_of_range)
{
    bind(stage::ts);
    request q = ald(0x80, 4);
    q.handle = per_lane([](unsigned i) { return i; });
    q.handle[0] = 40; // vertex_count
    q.handle[1] = 0x80000000;
    q.handle[2] = 39;
    q.handle[3] = 0x10003; // 16 bits would be 3
    const response r = b.run(q);
    for (const unsigned lane : {0u, 1u, 3u}) {
        EXPECT_EQ(r.status[lane], handle_range) << lane; // before the maps: no default value
        for (unsigned c = 0; c < 4; ++c) EXPECT_EQ(loaded(r, c, lane), 0u);
    }
    EXPECT_EQ(loaded(r, 0, 2), 0x300u + 4 * 0x80 + 7 * 4);
    EXPECT_EQ(loaded(r, 3, 2), one);
    EXPECT_EQ(r.status[2], defaulted);
    // A vertex shader does not look at the handle, and its vertex is the lane: vertex_count 20 ends it.
    descriptor d = six_attributes(stage::vsb);
    d.in.vertex_count = 20;
    b.bind(0, d);
    const response vs = b.run(q);
    EXPECT_EQ(vs.status[19], defaulted);
    EXPECT_EQ(vs.status[20], handle_range);
    EXPECT_EQ(loaded(vs, 0, 0), 0x200u);
}

TEST_F(attribute, ALD_12_primitive_id_is_per_primitive)
{
    bind(stage::gs);
    request q = ald(0x60);
    q.handle.fill(0x80000000);
    response r = b.run(q); // not enabled
    EXPECT_EQ(r.status[0], defaulted);
    EXPECT_EQ(loaded(r, 0, 0), 0u);

    descriptor d = six_attributes(stage::gs);
    d.in.allocate_and_enable({0x60, 0x64});
    d.primitive[31] = 9;
    d.primitive[30] = 10; // 4*10 + 4 > 40
    b.bind(0, d);
    q.size = 2;
    r = b.run(q);
    EXPECT_EQ(loaded(r, 0, 0), 0x1200u);
    EXPECT_EQ(loaded(r, 0, 13), 0x1204u);
    EXPECT_EQ(loaded(r, 0, 29), 0x1208u);
    EXPECT_EQ(loaded(r, 0, 31), 0x1224u);
    EXPECT_EQ(loaded(r, 0, 30), 0u);
    EXPECT_EQ(r.status[0], handle_range); // component 1 has a vertex
    EXPECT_EQ(r.status[30], out_of_range | handle_range);
}

TEST_F(attribute, ALD_16_PHYS_of_AL2P_is_ALD)
{
    descriptor d = six_attributes(stage::gs);
    d.in.allocate_and_enable({0x60});
    d.in.allocate({0x90});
    b.bind(0, d);
    for (int address = -8; address < 0x408; address += 4) {
        request logical = ald(address);
        logical.handle = per_lane([](unsigned i) { return 2 * i; }); // 40 and more: out of range
        const response expected = b.run(logical);
        request translate = logical;
        translate.opcode = op::al2p;
        const response translated = b.run(translate);
        request physical = logical;
        physical.form = form::phys;
        physical.immediate = 0x123; // ignored
        for (unsigned i = 0; i < 32; ++i) physical.address[i] = translated.data[i];
        const response r = b.run(physical);
        EXPECT_EQ(r.data, expected.data) << std::hex << address;
        EXPECT_EQ(r.status, expected.status) << std::hex << address;
    }
}

TEST_F(attribute, ALD_18_inactive_lanes_do_nothing)
{
    bind(stage::gs);
    request q = ald(0x70, 4);
    q.lanes = 0x00000ff0;
    q.handle.fill(1000);
    for (unsigned i = 4; i < 12; ++i) q.handle[i] = i;
    const response r = b.run(q);
    for (unsigned i = 0; i < 32; ++i) {
        EXPECT_EQ(r.status[i], 0) << i;
        for (unsigned c = 0; c < 4; ++c) EXPECT_EQ(loaded(r, c, i), i >= 4 && i < 12 ? 0x80 * c + 4 * i : 0u);
    }
    q.lanes = 0;
    EXPECT_EQ(b.run(q).data, (std::array<std::uint32_t, 128>{}));
}

TEST_F(attribute, AST_01_stores_to_the_lanes_own_vertex)
{
    for (const stage s : {stage::vsa, stage::vsb, stage::ti, stage::ts, stage::task, stage::mesh}) {
        bind(s);
        b.fill_with_addresses(0x2000);
        request q = ast(0x7c, 4); // aligned: 0x70 .. 0x7c
        q.output = false;         // AST works on the output space, whatever this says
        q.handle.fill(7);         // not looked at
        q.lanes = 0xff00ff00;
        const response r = b.run(q);
        EXPECT_EQ(r.status[9], 0);
        EXPECT_EQ(r.passes, 4u);
        for (unsigned c = 0; c < 4; ++c) {
            const auto line = b.peek(0x800 + 0x80 * c);
            for (unsigned i = 0; i < 32; ++i) {
                EXPECT_EQ(line[i], (q.lanes >> i & 1) != 0 ? 0xda7a0000 + 32 * c + i : 0x800 + 0x80 * c + 4 * i);
            }
        }
    }
}

TEST_F(attribute, AST_02_disabled_components_are_dropped)
{
    bind(stage::vsb);
    const response r = b.run(ast(0x80, 4));
    EXPECT_EQ(r.status[0], dropped_map);
    EXPECT_EQ(r.passes, 2u);
    EXPECT_EQ(b.peek_word(0xa00), 0xda7a0000u);
    EXPECT_EQ(b.peek_word(0xa80), 0xda7a0020u);
    EXPECT_EQ(b.peek_word(0xb00), 0x00000b00u); // vertex 32: unused
    EXPECT_EQ(r.data, (std::array<std::uint32_t, 128>{}));
}

TEST_F(attribute, AST_03_beyond_the_map_is_dropped)
{
    bind(stage::vsb);
    request q = ast(0);
    q.address.fill(0x400);
    q.address[1] = 0xffffffff;
    const response r = b.run(q);
    EXPECT_EQ(r.status[0], out_of_range);
    EXPECT_EQ(r.status[1], out_of_range);
    EXPECT_EQ(r.passes, 1u);
    for (std::uint32_t line = 0; line < 0x1400; line += 128) EXPECT_EQ(b.peek_word(line), line);
}

TEST_F(attribute, AST_05_vertex_beyond_the_count)
{
    descriptor d = six_attributes(stage::vsb);
    d.out.vertex_count = 31;
    b.bind(0, d);
    const response r = b.run(ast(0x70));
    EXPECT_EQ(r.status[30], 0);
    EXPECT_EQ(r.status[31], handle_range);
    EXPECT_EQ(b.peek_word(0x87c), 0x87cu);
}

TEST_F(attribute, AST_09_the_highest_lane_wins_a_word)
{
    descriptor d = six_attributes(stage::ti);
    b.bind(0, d);
    request q = ast(0x10);
    q.form = form::patch; // lanes of one primitive store to one word
    const response r = b.run(q);
    EXPECT_EQ(r.passes, 1u);
    EXPECT_EQ(b.peek_word(0x1410), 0xda7a0000u + 11); // primitive 0: lanes 0..11
    EXPECT_EQ(b.peek_word(0x1410 + 40), 0xda7a0000u + 23);
    EXPECT_EQ(b.peek_word(0x1410 + 80), 0xda7a0000u + 31);
    for (unsigned i = 0; i < 32; ++i) EXPECT_EQ(r.status[i], i == 11 || i == 23 || i == 31 ? 0 : write_conflict) << i;
}

TEST_F(attribute, AST_11_PHYS_stores)
{
    bind(stage::vsb);
    request translate = ald(0x84, 1, true);
    translate.opcode = op::al2p;
    const response translated = b.run(translate);
    request q = ast(0);
    q.form = form::phys;
    for (unsigned i = 0; i < 32; ++i) q.address[i] = translated.data[i];
    q.address[1] = 0xa2040000 | 0x22 << 8;           // not enabled
    q.address[2] = 0xa2040000 | 1 << 17;             // out of range
    q.address[3] = 0xa2000000 | 1 << 16 | 0x20 << 8; // input space
    q.address[4] = 0x80;                             // no tag
    q.address[5] = 0xa2340000 | 1 << 16;             // bits 23:20
    q.address[6] = 0xa2050000 | 0x21 << 8 | 6;       // rank n
    q.address[7] = 0xa20d0000 | 0x21 << 8 | 5;       // bit 19 does not matter
    const response r = b.run(q);
    const std::uint16_t expected[] = {0, dropped_map, out_of_range, not_al2p, not_al2p, not_al2p, not_al2p, 0};
    for (unsigned i = 0; i < 8; ++i) EXPECT_EQ(r.status[i], expected[i]) << i;
    EXPECT_EQ(b.peek_word(0xa80), 0xda7a0000u);
    EXPECT_EQ(b.peek_word(0xa9c), 0xda7a0007u);
    for (unsigned i = 1; i < 7; ++i) EXPECT_EQ(b.peek_word(0xa80 + 4 * i), 0xa80 + 4 * i) << i;
}

TEST_F(attribute, AL2P_01_the_example_of_the_hardware_notes)
{
    bind(stage::vsb);
    request q = ald(0x70, 1, true);
    q.opcode = op::al2p;
    q.address.fill(0x10);
    q.address[1] = static_cast<std::uint32_t>(-0x71);
    q.address[2] = 0x390;
    q.address[3] = 0x0c; // 0x7c
    q.address[4] = 0x18; // 0x88: not allocated; rank 6
    const response r = b.run(q);
    EXPECT_EQ(loaded(r, 0, 0), 0xa2052004u);
    EXPECT_EQ(loaded(r, 0, 1), 0xa2060000u);
    EXPECT_EQ(loaded(r, 0, 2), 0xa2060000u);
    EXPECT_EQ(loaded(r, 0, 3), 0xa2051f03u);
    EXPECT_EQ(loaded(r, 0, 4), 0xa2042206u);
    for (unsigned i = 0; i < 32; ++i) EXPECT_EQ(r.status[i], 0);
    EXPECT_EQ(r.passes, 1u);
    q.output = false;
    EXPECT_EQ(loaded(b.run(q), 0, 0), 0xa2012004u);
}

TEST_F(attribute, AL2P_01_enabled_needs_both_sets_and_id_24_is_marked)
{
    descriptor d = six_attributes(stage::vsb);
    d.in.enable({0x88});
    d.in.allocate({0x60, 0x90});
    b.bind(0, d);
    request q = ald(0);
    q.opcode = op::al2p;
    q.address[0] = 0x88; // enabled only: rank 7 (0x60 is below)
    q.address[1] = 0x90; // allocated only: rank 7
    q.address[2] = 0x60; // id 24
    q.address[3] = 0x3bc;
    q.address[4] = 0x3fc; // id 255 does not exist
    const response r = b.run(q);
    EXPECT_EQ(loaded(r, 0, 0), 0xa2002207u);
    EXPECT_EQ(loaded(r, 0, 1), 0xa2002407u);
    EXPECT_EQ(loaded(r, 0, 2), 0xa2081800u);
    EXPECT_EQ(loaded(r, 0, 3), 0xa200ef08u);
    EXPECT_EQ(loaded(r, 0, 4), 0xa200ff08u);
}

TEST_F(attribute, AL2P_01_ids_240_and_up_do_not_exist)
{
    descriptor d = six_attributes(stage::vsb);
    d.in.allocated.fill(~0u);
    d.in.enabled.fill(~0u);
    d.in.attr_bytes = 0x80 * 240; // beyond this storage; nothing is accessed there
    b.bind(0, d);
    request q = ald(0);
    q.opcode = op::al2p;
    q.address[0] = 0x3bc;
    q.address[1] = 0x3c0;
    const response r = b.run(q);
    EXPECT_EQ(loaded(r, 0, 0), 0xa201efefu);
    EXPECT_EQ(loaded(r, 0, 1), 0xa200f0f0u);
    EXPECT_EQ(b.run(ald(0x3c0)).status[0], defaulted);
}

TEST_F(attribute, AL2P_02_size_only_aligns)
{
    bind(stage::vsb);
    const struct {
        unsigned size;
        std::uint32_t result;
    } rows[] = {{1, 0xa2011f03}, {2, 0xa2011e02}, {3, 0xa2011c00}, {4, 0xa2011c00}};
    for (const auto& row : rows) {
        request q = ald(0x7c, row.size);
        q.opcode = op::al2p;
        const response r = b.run(q);
        EXPECT_EQ(loaded(r, 0, 0), row.result);
        EXPECT_EQ(loaded(r, 1, 0), 0u);
    }
}

TEST_F(attribute, AL2P_03_a_foreign_value_does_no_harm)
{
    bind(stage::gs);
    request q = ald(0);
    q.form = form::phys;
    q.address[0] = 0xa2051c00; // of the output space
    q.address[1] = 0x70;
    q.address[2] = 0xa2011c06; // rank n
    q.address[3] = 0xa2001c06; // not enabled: the rank does not matter
    q.address[4] = 0xa2031c00; // out of range, even if enabled
    q.handle[5] = 40;
    q.address[5] = 0xa2001c00; // the vertex is tested before the map
    const response r = b.run(q);
    const std::uint16_t expected[] = {not_al2p, not_al2p, not_al2p, defaulted, out_of_range, handle_range};
    for (unsigned i = 0; i < 6; ++i) {
        EXPECT_EQ(r.status[i], expected[i]) << i;
        EXPECT_EQ(loaded(r, 0, i), 0u);
    }
}

TEST_F(attribute, offsets_beyond_the_region_are_out_of_range)
{
    descriptor d = six_attributes(stage::vsb);
    d.in.attr_bytes = 0x80 + 4 * 10 + 3; // rank 1: lanes 0..9
    d.out.attr_bytes = 0x80 + 4 * 10;
    b.bind(0, d);
    const response r = b.run(ald(0x70, 2));
    EXPECT_EQ(r.status[9], 0);
    EXPECT_EQ(r.status[10], out_of_range);
    EXPECT_EQ(loaded(r, 0, 10), 40u); // component 0 is inside
    EXPECT_EQ(loaded(r, 1, 10), 0u);
    b.run(ast(0x74));
    EXPECT_EQ(b.peek_word(0x8a4), 0xda7a0009u);
    EXPECT_EQ(b.peek_word(0x8a8), 0x8a8u);
}

TEST(attribute_other, ISBE_05_unskewed_layout)
{
    bench b(make_other());
    b.fill_with_addresses(24 * 128);
    descriptor d = six_attributes(stage::gs); // n = 6: 24 bytes a vertex
    d.in.attr_base = 0x100;
    b.bind(2, d);
    request q = ald(0x70, 4);
    q.context = 2;
    q.handle = per_lane([](unsigned i) { return 39 - i; });
    const response r = b.run(q);
    for (unsigned i = 0; i < 32; ++i) {
        for (unsigned c = 0; c < 4; ++c) EXPECT_EQ(loaded(r, c, i), 0x100 + (39 - i) * 24 + 4 * c);
    }
    // Word 6v + c + 64 of vertex v, 8 banks by xor: banks of the most words have 6, 6, 5 and 5 of 32 (without a map 8).
    EXPECT_EQ(r.passes, 6 + 6 + 5 + 5u);
}

TEST_F(attribute, errors_in_the_order_of_the_table)
{
    const auto error = [&](request q, unsigned slot = 0) {
        q.context = slot;
        return b.run(q).error;
    };
    bind(stage::vsb);
    request phys = ald(0, 2);
    phys.form = form::phys;
    request patch = ald(0);
    patch.form = form::patch;
    request out;
    out.opcode = op::out;
    request raw = bench::physical(op::isbewr, 0);
    raw.region = region::attr;

    EXPECT_EQ(error(ald(0x70), 8), error_combination);       // no such slot
    EXPECT_EQ(error(ald(0x70), 1), error_combination);       // stage 0
    EXPECT_EQ(error(phys, 1), error_combination);            // before the encoding
    EXPECT_EQ(error(bench::physical(op::isberd, 0), 9), 0u); // no context needed
    EXPECT_EQ(error(bench::physical(op::isbewr, 0), 1), 0u); // nor the output space
    EXPECT_EQ(error(raw), error_encoding);                   // input space
    raw.output = true;
    EXPECT_EQ(error(raw), 0u);
    EXPECT_EQ(error(phys), error_encoding);
    phys.opcode = op::ast;
    EXPECT_EQ(error(phys), error_encoding);
    phys.size = 1;
    EXPECT_EQ(error(phys), 0u);
    EXPECT_EQ(error(out), error_combination);
    for (const stage s : {stage::vsa, stage::vsb, stage::ti, stage::ts, stage::gs, stage::task, stage::mesh}) {
        bind(s);
        request q = patch;
        EXPECT_EQ(error(q), s == stage::ts ? 0 : error_combination);
        q.output = true;
        EXPECT_EQ(error(q), s == stage::ti ? 0 : error_combination);
        q.opcode = op::ast;
        EXPECT_EQ(error(q), s == stage::ti ? 0 : error_combination);
        q.output = false;
        EXPECT_EQ(error(q), s == stage::ti ? 0 : error_combination);
        EXPECT_EQ(error(out), s == stage::gs ? 0 : error_combination);
    }
    // An error with the context out of the way of the storage: nothing is written, no status.
    b.fill_with_addresses(0x2000);
    bind(stage::vsb);
    request q = ast(0);
    q.form = form::patch;
    const response r = b.run(q);
    EXPECT_EQ(r.status, (std::array<std::uint16_t, 32>{}));
    EXPECT_EQ(b.peek_word(0x1400), 0x1400u);
}

TEST_F(attribute, a_bind_beyond_the_table_has_no_effect)
{
    bind(stage::vsb);
    descriptor d = six_attributes(stage::vsb);
    d.in.attr_base = 0x80;
    EXPECT_EQ(b.bind(8, d).error, error_combination);
    EXPECT_EQ(b.bind(0xffff, d).error, error_combination);
    for (unsigned slot = 1; slot < 8; ++slot) {
        request q = ald(0x70);
        q.context = slot;
        EXPECT_EQ(b.run(q).error, error_combination);
    }
    EXPECT_EQ(loaded(b.run(ald(0x70)), 0, 0), 0u);
    EXPECT_EQ(b.bind(7, d).error, 0u);
    request q = ald(0x70);
    q.context = 7;
    EXPECT_EQ(loaded(b.run(q), 0, 0), 0x80u);
}

} // namespace
