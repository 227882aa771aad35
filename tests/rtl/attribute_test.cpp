// SPDX-License-Identifier: Apache-2.0
// Sections 4.1, 4.2 and 4.4: ALD, AST and AL2P, where the conformance rows, which run on the RTL, too, say less. The
// storage holds its own byte addresses, so a load says where it went.
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
