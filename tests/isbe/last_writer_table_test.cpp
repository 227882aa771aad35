// SPDX-License-Identifier: Apache-2.0
// The lanes that win a value or a byte of it, against a comparison of all pairs.
#include "models/isbe/functional/last_writer_table.h"

#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "models/isbe/functional/lanes.h"
#include "models/isbe/functional/names.h"

namespace isbesim::test {
namespace {

constexpr word values = 100;

struct sample {
    lane_mask lanes;
    per_lane<word> value;
    per_lane<word> byte_mask;
};

sample random_sample(std::mt19937& random)
{
    sample s;
    s.lanes = static_cast<lane_mask>(random() % 3 == 0 ? ~0U : random());
    const word range = random() % 4 == 0 ? 1 : 1 + static_cast<word>(random() % values);
    for (auto& value : s.value) value = static_cast<word>(random() % range);
    for (auto& mask : s.byte_mask) mask = static_cast<word>(0xffffffffU >> 8 * (random() % 4) << 8 * (random() % 4));
    return s;
}

TEST(last_writer_table, one_lane_of_each_value_remains)
{
    std::mt19937 random(5);
    last_writer_table marks(values); // never cleared between samples
    for (unsigned n = 0; n < 5000; ++n) {
        const auto s = random_sample(random);
        lane_mask last = 0;
        lane_mask first = 0;
        std::map<word, unsigned> owner;
        for (unsigned i = 0; i < warp_lanes; ++i) {
            if ((s.lanes >> i & 1U) == 0) continue;
            if (owner.count(s.value[i]) == 0) first |= 1U << i;
            owner[s.value[i]] = i;
        }
        for (const auto& [value, lane] : owner) last |= 1U << lane;
        ASSERT_EQ(marks.last_of_each(s.value, s.lanes), last);
        ASSERT_EQ(marks.first_of_each(s.value, s.lanes), first);
    }
}

TEST(last_writer_table, every_byte_has_one_winner)
{
    std::mt19937 random(6);
    last_writer_table marks(values);
    for (unsigned n = 0; n < 5000; ++n) {
        const auto s = random_sample(random);
        const bool highest = n % 2 == 0;
        std::map<std::pair<word, unsigned>, unsigned> owner; // of byte b of a value
        const auto each_byte = [&](auto&& visit) {
            for (unsigned i = 0; i < warp_lanes; ++i)
                for (unsigned b = 0; b < 4; ++b)
                    if ((s.lanes >> i & 1U) != 0 && (s.byte_mask[i] >> 8 * b & 1U) != 0)
                        visit(i, std::make_pair(s.value[i], b));
        };
        each_byte([&](unsigned i, const auto& byte) {
            if (highest || owner.count(byte) == 0) owner[byte] = i;
        });
        lost_bytes expected;
        each_byte([&](unsigned i, const auto& byte) {
            if (owner[byte] == i) return;
            expected.lanes |= 1U << i;
            ++expected.bytes;
        });
        const auto lost = marks.lose(s.value, s.byte_mask, s.lanes, highest);
        ASSERT_EQ(lost.lanes, expected.lanes);
        ASSERT_EQ(lost.bytes, expected.bytes);
    }
}

// Lanes outside of the mask have a place of their own for any size of the table.
TEST(last_writer_table, small_ones)
{
    for (word count = 1; count < 64; ++count) {
        last_writer_table marks(count);
        const std::vector<word> untouched(count); // memory outside of the table
        per_lane<word> value{}, bytes{};
        bytes.fill(0xff);
        for (unsigned i = 0; i < warp_lanes; ++i) value[i] = i % 4 == 0 ? count - 1 : 0xffffffffU;
        EXPECT_EQ(marks.last_of_each(value, 0x11111111U), 1U << 28);
        EXPECT_EQ(marks.first_of_each(value, 0x11111111U), 1U);
        EXPECT_EQ(marks.lose(value, bytes, 0x11111111U, true).lanes, 0x01111111U);
        EXPECT_EQ(untouched, std::vector<word>(count));
    }
}

// Helpers for loops over lanes, each against a loop that tests one lane at a time; names of the enumerators.

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
    per_lane<word> from = lane_numbers, to{};
    copy_lanes(from.data(), to.data());
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
