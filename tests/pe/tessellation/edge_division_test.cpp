// SPDX-License-Identifier: Apache-2.0
#include "models/pe/tessellation/edge_division.h"

#include <set>
#include <vector>

#include <gtest/gtest.h>

namespace isbesim {
namespace {

std::vector<fixed> positions(fixed level, bool odd)
{
    const edge_division edge(level, odd);
    std::vector<fixed> result;
    for (unsigned p = 0; p < edge.points(); ++p) result.push_back(edge.position(p));
    return result;
}

TEST(edge_division, PIPE_03_whole_levels_that_divide_evenly_are_exact)
{
    for (unsigned n = 2; n <= 64; n *= 2) {
        const auto got = positions(n * fixed_one, false);
        ASSERT_EQ(got.size(), n + 1);
        for (unsigned i = 0; i <= n; ++i) EXPECT_EQ(got[i], i * fixed_one / n) << n << " " << i;
    }
    EXPECT_EQ(positions(fixed_one, true), (std::vector<fixed>{0, fixed_one}));
}

TEST(edge_division, PIPE_03_whole_levels_are_even_to_the_rounding_of_a_segment)
{
    for (unsigned n = 1; n <= 64; ++n) {
        const auto got = positions(n * fixed_one, n % 2 != 0);
        ASSERT_EQ(got.size(), n + 1) << n;
        for (unsigned i = 0; i <= n; ++i)
            EXPECT_NEAR(static_cast<double>(got[i]), 65536.0 * i / n, 0.5 * n / 2 + 1) << n << " " << i;
    }
}

// Seen from its other end an edge is the same, which is what keeps neighbouring patches without cracks.
TEST(edge_division, PIPE_03_edges_are_symmetric_and_rise)
{
    for (const auto odd : {false, true})
        for (fixed level = 2 * fixed_one; level <= 63 * fixed_one; level += 4099) {
            const auto got = positions(level, odd);
            EXPECT_EQ(got.front(), 0U);
            for (std::size_t i = 0; i < got.size(); ++i) EXPECT_EQ(got[i] + got[got.size() - 1 - i], fixed_one);
            for (std::size_t i = 1; i < got.size(); ++i) EXPECT_LE(got[i - 1], got[i]) << level << " " << i;
            EXPECT_EQ(got.size() % 2, odd ? 0U : 1U);
        }
}

// Level f between n - 2 and n: n segments, and the two short ones have 1 - (n - f) / 2 of their final length.
TEST(edge_division, PIPE_03_fractional_levels_open_two_segments)
{
    EXPECT_EQ(positions(3 * fixed_one, false), (std::vector<fixed>{0, 0x6000, 0x8000, 0xa000, 0x10000}));
    EXPECT_EQ(positions(2 * fixed_one + 1, false), (std::vector<fixed>{0, 0x8000, 0x8000, 0x8000, 0x10000}));
    EXPECT_EQ(positions(2 * fixed_one, true), (std::vector<fixed>{0, 0x2aab, 0xd555, 0x10000})); // 1/6, 5/6
    // 5 of 6 even segments: 4 -> 6. The new point of the half edge stands second (ruler order).
    const auto five = positions(5 * fixed_one, false);
    ASSERT_EQ(five.size(), 7U);
    EXPECT_NEAR(static_cast<double>(five[1]), 65536 * (0.25 + 1.0 / 6) / 2, 2);
    EXPECT_NEAR(static_cast<double>(five[2]), 65536 * (0.25 + 2.0 / 6) / 2, 2);
}

TEST(edge_division, PIPE_03_split_order_is_that_of_a_ruler)
{
    std::set<unsigned> seen;
    for (unsigned place = 1; place <= 32; ++place) seen.insert(split_order(place));
    EXPECT_EQ(seen.size(), 32U);
    EXPECT_EQ(*seen.begin(), 1U);
    EXPECT_EQ(*seen.rbegin(), 32U);
    EXPECT_EQ(split_order(17), 1U); // the middle of the half edge, then its quarters, …
    EXPECT_EQ(split_order(9), 2U);
    EXPECT_EQ(split_order(25), 3U);
}

} // namespace
} // namespace isbesim
