// SPDX-License-Identifier: Apache-2.0
// Helpers for loops over lanes, each against a loop that tests one lane at a time; names of the enumerators.
#include "models/isbe/functional/lanes.h"

#include <string>

#include <gtest/gtest.h>

#include "models/isbe/functional/names.h"

namespace isbesim::test {
namespace {

TEST(lanes, first_lanes)
{
    EXPECT_EQ(first_lanes(0), 0U);
    EXPECT_EQ(first_lanes(1), 1U);
    EXPECT_EQ(first_lanes(5), 0x1fU);
    EXPECT_EQ(first_lanes(31), 0x7fffffffU);
    EXPECT_EQ(first_lanes(32), 0xffffffffU);
    EXPECT_EQ(first_lanes(33), 0xffffffffU);
}

TEST(lanes, all_equal_looks_at_the_lanes_of_the_mask_only)
{
    per_lane<word> values{};
    values.fill(0x51);
    EXPECT_TRUE(all_equal(values, all_lanes));
    for (unsigned other = 0; other < warp_lanes; ++other) {
        auto one = values;
        one[other] = 0x11; // fewer bits, and
        EXPECT_FALSE(all_equal(one, all_lanes)) << other;
        EXPECT_TRUE(all_equal(one, all_lanes & ~lane_bit[other])) << other;
        EXPECT_TRUE(all_equal(one, lane_bit[other])) << other;
        EXPECT_FALSE(all_equal(one, lane_bit[other] | lane_bit[(other + 5) % 32])) << other;
        one[other] = 0x59; // more
        EXPECT_FALSE(all_equal(one, all_lanes)) << other;
    }
    values.fill(0);
    EXPECT_TRUE(all_equal(values, all_lanes));
}

TEST(lanes, masks_and_counts)
{
    for (unsigned lane = 0; lane < warp_lanes; ++lane) {
        EXPECT_EQ(lane_bit[lane], word{1} << lane);
        EXPECT_EQ(lane_numbers[lane], lane);
        EXPECT_EQ(bit_if(true, lane), word{1} << lane);
        EXPECT_EQ(bit_if(false, lane), 0U);
        EXPECT_EQ(lane_on(0x80000005U, lane), lane == 0 || lane == 2 || lane == 31 ? 0xffffffffU : 0U);
        EXPECT_EQ(lane_masks(0x80000005U)[lane], lane_on(0x80000005U, lane));
    }
    EXPECT_EQ(lane_count(0x80000005U), 3U);
    EXPECT_EQ(first_lane(0x80000004U), 2U);
    EXPECT_EQ(last_lane(0x80000004U), 31U);
    EXPECT_EQ(last_lane(4), 2U);
}

TEST(lanes, loops)
{
    std::string seen;
    for_each_lane(0x80000005U, [&](unsigned i) { seen += std::to_string(i) + " "; });
    for_each_lane_down(0x80000005U, [&](unsigned i) { seen += std::to_string(i) + " "; });
    EXPECT_EQ(seen, "0 2 31 31 2 0 ");
    unsigned next = 0;
    for_all_lanes([&](unsigned i) { EXPECT_EQ(i, next++); });
    EXPECT_EQ(next, warp_lanes);
    EXPECT_EQ(with_constant(true, [](auto constant) { return constant.value ? 1 : 2; }), 1);
    EXPECT_EQ(with_constant(false, [](auto constant) { return constant.value ? 1 : 2; }), 2);
}

TEST(lanes, copies_and_bits)
{
    per_lane<word> source = lane_numbers, to{};
    copy_lanes(source.data(), to.data());
    EXPECT_EQ(to, lane_numbers);
    clear_lanes(to);
    EXPECT_EQ(to, per_lane<word>{});
    per_lane<std::uint16_t> status{};
    status[2] = 0x10;
    add_bits(status, 0x80000005U, 0x101);
    for (unsigned i = 0; i < warp_lanes; ++i)
        EXPECT_EQ(status[i], (i == 2 ? 0x10 : 0) | (i == 0 || i == 2 || i == 31 ? 0x101 : 0)) << i;
}

TEST(names, are_those_of_the_enumerators)
{
    EXPECT_STREQ(name_of(opcode::ald), "ald");
    EXPECT_STREQ(name_of(opcode::bind), "bind");
    EXPECT_STREQ(name_of(stage::none), "none");
    EXPECT_STREQ(name_of(stage::geometry), "geometry");
    EXPECT_STREQ(name_of(stage::mesh), "mesh");
}

} // namespace
} // namespace isbesim::test
