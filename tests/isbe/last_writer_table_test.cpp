// SPDX-License-Identifier: Apache-2.0
// The lanes that win a value or a byte of it, against a comparison of all pairs.
#include "models/isbe/functional/last_writer_table.h"

#include <map>
#include <random>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

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
        const std::vector<word> guard(count); // memory outside of the table
        per_lane<word> value{}, bytes{};
        bytes.fill(0xff);
        for (unsigned i = 0; i < warp_lanes; ++i) value[i] = i % 4 == 0 ? count - 1 : 0xffffffffU;
        EXPECT_EQ(marks.last_of_each(value, 0x11111111U), 1U << 28);
        EXPECT_EQ(marks.first_of_each(value, 0x11111111U), 1U);
        EXPECT_EQ(marks.lose(value, bytes, 0x11111111U, true).lanes, 0x01111111U);
        EXPECT_EQ(guard, std::vector<word>(count));
    }
}

} // namespace
} // namespace isbesim::test
