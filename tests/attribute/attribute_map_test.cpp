// SPDX-License-Identifier: Apache-2.0
// The address map, header bits and default values against the tables of HARDWARE.md A.2 to A.4 and example E7.
#include "models/attribute/attribute_map.h"

#include <random>
#include <set>

#include <gtest/gtest.h>

#include "models/attribute/attribute_set.h"
#include "tests/support/warp_operations.h"

namespace isbesim::test {
namespace {

TEST(attribute_map, names_of_the_table)
{
    const std::pair<unsigned, const char*> table[] = {
        {0x05c, "VPRS_TABLE_INDEX"},
        {0x060, "PRIMITIVE_ID"},
        {0x064, "RT_ARRAY_INDEX"},
        {0x068, "VIEWPORT_INDEX"},
        {0x06c, "POINT_SIZE"},
        {0x070, "POSITION_X"},
        {0x07c, "POSITION_W"},
        {0x080, "GENERIC[0].x"},
        {0x27c, "GENERIC[31].w"},
        {0x280, "COLOR_FRONT_DIFFUSE_R"},
        {0x29c, "COLOR_FRONT_SPECULAR_A"},
        {0x2a4, "COLOR_BACK_DIFFUSE_G"},
        {0x2b8, "COLOR_BACK_SPECULAR_B"},
        {0x2c0, "CLIP_DISTANCE[0]"},
        {0x2dc, "CLIP_DISTANCE[7]"},
        {0x2e4, "POINT_SPRITE_T"},
        {0x2e8, "FOG_COORDINATE"},
        {0x2ec, "RESERVED[0x2ec]"},
        {0x2f0, "TESS_EVAL_POINT_U"},
        {0x2f4, "TESS_EVAL_POINT_V"},
        {0x2f8, "INSTANCE_ID"},
        {0x2fc, "VERTEX_ID"},
        {0x300, "FIXED_FNC_TEXTURE[0].S"},
        {0x39c, "FIXED_FNC_TEXTURE[9].Q"},
        {0x3a0, "VIEWPORT_MASK"},
        {0x3a4, "VIEWPORT_MASK2"},
        {0x3b0, "BARYCENTRIC[2]"},
        {0x3b4, "BARYCENTRIC_W[0]"},
        {0x3c0, "RESERVED[0x3c0]"},
        {0x3fc, "FRONT_FACE"},
        {0x000, "RESERVED[0x000]"},
        {0x400, "OUT_OF_RANGE"},
    };
    for (const auto& [address, name] : table) EXPECT_EQ(attribute_name(address), name);
    EXPECT_EQ(attribute_name(0x072), "POSITION_X");
    EXPECT_EQ(attribute_name(0x003), "RESERVED[0x000]");
}

TEST(attribute_map, every_name_is_unique)
{
    std::set<std::string> names;
    for (unsigned address = 0; address < 0x400; address += 4)
        EXPECT_TRUE(names.insert(attribute_name(address)).second) << attribute_name(address);
}

TEST(attribute_map, patch_names)
{
    EXPECT_EQ(patch_attribute_name(0x000), "TESSELLATION_LOD_LEFT");
    EXPECT_EQ(patch_attribute_name(0x00c), "TESSELLATION_LOD_TOP");
    EXPECT_EQ(patch_attribute_name(0x014), "TESSELLATION_INTERIOR_V");
    EXPECT_EQ(patch_attribute_name(0x018), "RESERVED[0x018]");
    EXPECT_EQ(patch_attribute_name(0x020), "PATCH[0].x");
    EXPECT_EQ(patch_attribute_name(0x3fc), "PATCH[61].w");
}

TEST(attribute_map, generated_attributes_by_stage)
{
    for (const auto s : {stage::vertex_a, stage::vertex}) EXPECT_EQ(generated_inputs(s), ids({0x2f8, 0x2fc}));
    for (const auto s : {stage::tess_init, stage::tess, stage::geometry}) EXPECT_EQ(generated_inputs(s), ids({0x060}));
    EXPECT_TRUE(generated_inputs(stage::mesh).empty());
}

// ALD-04: the bits of SET_ATTRIBUTE_DEFAULT one at a time; an address answers to exactly the bit of its class.
TEST(attribute_map, ALD_04_default_table)
{
    constexpr word one = 0x3f800000U;
    constexpr word w_default = 0x40490fdbU;
    for (unsigned bits = 0; bits < 64; ++bits)
        for (unsigned a = 0; a < 0x400; a += 4) {
            const auto bit = [bits](unsigned b) { return ((bits >> b) & 1U) != 0 ? one : 0U; };
            word expected = 0;
            if (a == 0x07c) expected = w_default;
            for (unsigned g = 0; g < 32; ++g)
                if (a == 0x08c + 0x10 * g) expected = bit(2);
            for (unsigned t = 0; t < 10; ++t)
                if (a == 0x30c + 0x10 * t) expected = bit(3);
            for (const unsigned diffuse : {0x280U, 0x2a0U}) {
                if (a == diffuse || a == diffuse + 4 || a == diffuse + 8) expected = bit(0);
                if (a == diffuse + 0xc) expected = one;
            }
            if (a == 0x29c || a == 0x2bc) expected = bit(1);
            ASSERT_EQ(attribute_default(a / 4, bits, w_default), expected) << std::hex << a;
        }
}

TEST(attribute_map, one_attribute_is_the_primitives)
{
    for (unsigned id = 0; id < 256; ++id) EXPECT_EQ(is_per_primitive(id), id == 0x060 / 4) << id;
}

// Sets of attributes against std::set, and both ends of their range.

void expect_same(const attribute_set& set, const std::set<unsigned>& ids)
{
    ASSERT_EQ(set.count(), ids.size());
    EXPECT_EQ(set.empty(), ids.empty());
    for (unsigned id = 0; id < 300; ++id) EXPECT_EQ(set.contains(id), ids.count(id) != 0) << id;
    for (unsigned id = 0; id < 256; ++id)
        EXPECT_EQ(set.rank(id), static_cast<unsigned>(std::distance(ids.begin(), ids.lower_bound(id)))) << id;
}

TEST(attribute_set, is_a_set)
{
    std::mt19937 random(3);
    attribute_set set;
    std::set<unsigned> ids;
    for (unsigned n = 0; n < 3000; ++n) {
        const auto id = static_cast<unsigned>(random() % 300); // some of them beyond the end
        if (random() % 3 != 0) {
            set.insert(id);
            if (id < 240) ids.insert(id);
        } else {
            set.erase(id);
            ids.erase(id);
        }
        if (n % 50 == 0) expect_same(set, ids);
    }
}

TEST(attribute_set, the_last_sixteen_ids_are_never_members)
{
    attribute_set set;
    for (unsigned word = 0; word < attribute_set::words; ++word) set.set_bits(word, ~0U);
    EXPECT_EQ(set.count(), 240U);
    EXPECT_EQ(set.bits(6), 0xffffffffU);
    EXPECT_EQ(set.bits(7), 0x0000ffffU);
    EXPECT_TRUE(set.contains(239));
    EXPECT_FALSE(set.contains(240));
    EXPECT_EQ(set.rank(255), 240U);
}

TEST(attribute_set, sets_differ_by_one_member)
{
    for (unsigned id = 0; id < 240; ++id) {
        attribute_set one, none;
        EXPECT_TRUE(one == none);
        EXPECT_FALSE(one != none);
        one.insert(id);
        EXPECT_FALSE(one == none) << id;
        EXPECT_TRUE(one != none) << id;
        one.erase(id);
        EXPECT_TRUE(one == none) << id;
        EXPECT_FALSE(one != none) << id;
    }
}

} // namespace
} // namespace isbesim::test
