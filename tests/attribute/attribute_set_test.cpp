// SPDX-License-Identifier: Apache-2.0
// Sets of attributes against std::set, and both ends of their range.
#include "models/attribute/attribute_set.h"

#include <random>
#include <set>

#include <gtest/gtest.h>

namespace isbesim::test {
namespace {

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
