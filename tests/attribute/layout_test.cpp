// SPDX-License-Identifier: Apache-2.0
// Layout formulas against the tables of HARDWARE.md D.2, D.3 and examples E9 and E10.
#include "models/attribute/layout.h"

#include <gtest/gtest.h>

#include "models/attribute/al2p.h"
#include "tests/support/warp_operations.h"

namespace isbesim::test {
namespace {

// ISBE-04: the corrected table, all sixteen rows, byte for byte.
TEST(layout, ISBE_04_table_of_256_vertices_with_point_size_and_position_x)
{
    const unsigned begin[] = {0x000, 0x080, 0x100, 0x180, 0x200, 0x280, 0x300, 0x380,
                              0x400, 0x480, 0x500, 0x580, 0x600, 0x680, 0x700, 0x780};
    const unsigned end[] = {0x080, 0x100, 0x180, 0x200, 0x280, 0x300, 0x380, 0x400,
                            0x480, 0x500, 0x580, 0x600, 0x680, 0x700, 0x780, 0x800};
    const unsigned first[] = {0, 0, 32, 32, 64, 64, 96, 96, 128, 128, 160, 160, 192, 192, 224, 224};
    const unsigned last[] = {31, 31, 63, 63, 95, 95, 127, 127, 159, 159, 191, 191, 223, 223, 255, 255};
    const auto rows = layout_table(true, ids({0x6c, 0x70}), 256);
    ASSERT_EQ(rows.size(), 16U);
    for (unsigned i = 0; i < 16; ++i) {
        EXPECT_EQ(rows[i].begin, begin[i]);
        EXPECT_EQ(rows[i].end, end[i]);
        EXPECT_EQ(rows[i].first, first[i]);
        EXPECT_EQ(rows[i].last, last[i]);
        EXPECT_EQ(rows[i].attribute, i % 2 == 0 ? 0x6cU / 4 : 0x70U / 4);
    }
    EXPECT_EQ(attribute_bytes(true, 2, 256), 0x800U);
}

TEST(layout, E9_offsets)
{
    const unsigned table[][3] = {{0, 0x000, 0x080},  {31, 0x07c, 0x0fc}, {32, 0x100, 0x180},  {63, 0x17c, 0x1fc},
                                 {64, 0x200, 0x280}, {95, 0x27c, 0x2fc}, {224, 0x700, 0x780}, {255, 0x77c, 0x7fc}};
    for (const auto& row : table) {
        EXPECT_EQ(attribute_offset(true, 2, 0, row[0]), row[1]);
        EXPECT_EQ(attribute_offset(true, 2, 1, row[0]), row[2]);
    }
}

TEST(layout, every_value_has_a_place_of_its_own)
{
    for (const bool skew : {true, false})
        for (const unsigned n : {1U, 2U, 7U, 240U}) {
            std::vector<bool> used(attribute_bytes(skew, n, 96) / 4);
            for (unsigned rank = 0; rank < n; ++rank)
                for (unsigned v = 0; v < 96; ++v) {
                    const auto offset = attribute_offset(skew, n, rank, v);
                    ASSERT_EQ(offset % 4, 0U);
                    ASSERT_FALSE(used.at(offset / 4));
                    used[offset / 4] = true;
                }
        }
}

TEST(layout, unskewed_table_is_an_array_of_vertices)
{
    const auto rows = layout_table(false, ids({0x70, 0x74, 0x80}), 3);
    ASSERT_EQ(rows.size(), 9U);
    EXPECT_EQ(rows[5].begin, 20U);
    EXPECT_EQ(rows[5].end, 24U);
    EXPECT_EQ(rows[5].attribute, 0x80U / 4);
    EXPECT_EQ(rows[5].first, 1U);
    EXPECT_EQ(rows[5].last, 1U);
    EXPECT_EQ(attribute_bytes(false, 3, 3), 36U);
}

TEST(layout, a_last_group_that_is_not_full)
{
    const auto rows = layout_table(true, ids({0x70}), 33);
    ASSERT_EQ(rows.size(), 2U);
    EXPECT_EQ(rows[1].end, 0x100U);
    EXPECT_EQ(rows[1].first, 32U);
    EXPECT_EQ(rows[1].last, 32U);
    EXPECT_TRUE(layout_table(true, ids({0x70}), 0).empty());
    EXPECT_TRUE(layout_table(true, {}, 64).empty());
}

TEST(layout, ISBE_11_E10_mesh)
{
    mesh_layout mesh;
    mesh.vertex_attributes = ids({0x70, 0x74, 0x78, 0x7c, 0x80, 0x84, 0x88});
    mesh.primitive_attributes = ids({0x60, 0x64});
    mesh.max_vertices = 64;
    mesh.max_primitives = 126;
    EXPECT_EQ(mesh.vertex_bytes(), 0x700U);
    EXPECT_EQ(mesh.primitive_bytes(), 0x400U);
    EXPECT_EQ(mesh.shared_base(), 0xb00U);
    EXPECT_EQ(mesh.vertex_offset(0x74 / 4, 40), 0x420U);
    EXPECT_EQ(mesh.vertex_offset(0x88 / 4, 40), 0x6a0U);
    EXPECT_EQ(mesh.primitive_offset(0x64 / 4, 70), 0x998U);
    const auto rows = mesh.table();
    ASSERT_EQ(rows.size(), 22U); // lines
    for (unsigned i = 0; i < 22; ++i) {
        EXPECT_EQ(rows[i].begin, 128U * i);
        EXPECT_EQ(rows[i].end, 128U * (i + 1));
        EXPECT_EQ(rows[i].per_primitive, i >= 14);
    }
    EXPECT_EQ(rows[21].last, 125U);
}

TEST(al2p, fields_round_trip)
{
    // HARDWARE.md C and example E8; what comes back below could lie anywhere.
    al2p_result example;
    example.rank = 4;
    example.id = 0x20;
    example.enabled = true;
    example.space = space::output;
    EXPECT_EQ(encode_al2p(example), 0xa2052004U);
    example = {};
    example.rank = 0xfe;
    example.per_primitive = true;
    EXPECT_EQ(encode_al2p(example), 0xa20800feU);
    EXPECT_TRUE(decode_al2p(0xa20800feU).per_primitive);
    EXPECT_FALSE(decode_al2p(0xa20800feU).out_of_range);
    example = {};
    example.out_of_range = true;
    EXPECT_EQ(encode_al2p(example), 0xa2020000U);
    EXPECT_TRUE(decode_al2p(0xa2020000U).out_of_range);
    EXPECT_FALSE(decode_al2p(0xa2020000U).per_primitive);
    EXPECT_EQ(al2p_result{}.rank, 0U);
    for (unsigned id = 0; id < 256; id += 5)
        for (const bool enabled : {true, false})
            for (const auto which : {space::input, space::output}) {
                al2p_result r;
                r.id = static_cast<std::uint8_t>(id);
                r.rank = static_cast<std::uint8_t>(255 - id);
                r.enabled = enabled;
                r.space = which;
                const auto again = decode_al2p(encode_al2p(r));
                EXPECT_EQ(again.id, r.id);
                EXPECT_EQ(again.rank, r.rank);
                EXPECT_EQ(again.enabled, enabled);
                EXPECT_EQ(again.space, which);
                EXPECT_FALSE(again.out_of_range);
                EXPECT_FALSE(again.per_primitive);
                EXPECT_TRUE(is_al2p_result(encode_al2p(r), which));
                EXPECT_FALSE(is_al2p_result(encode_al2p(r), which == space::input ? space::output : space::input));
            }
}

} // namespace
} // namespace isbesim::test
