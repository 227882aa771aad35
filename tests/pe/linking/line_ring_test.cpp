// SPDX-License-Identifier: Apache-2.0
#include "models/pe/linking/line_ring.h"

#include <deque>
#include <random>
#include <stdexcept>

#include <gtest/gtest.h>

namespace isbesim {
namespace {

TEST(line_ring, PIPE_10_lines_come_in_order_and_wrap_around)
{
    line_ring ring(100, 10);
    const auto a = *ring.allocate(4);
    const auto b = *ring.allocate(3);
    EXPECT_EQ(a.first, 100U);
    EXPECT_EQ(b.first, 104U);
    EXPECT_FALSE(ring.allocate(4)); // three are left before the end, none before the oldest
    ring.release(a);
    const auto c = *ring.allocate(4); // the three before the end are skipped
    EXPECT_EQ(c.first, 100U);
    EXPECT_FALSE(ring.allocate(1));
    ring.release(b);
    EXPECT_EQ(ring.allocate(3)->first, 104U);
    EXPECT_EQ(ring.allocate(3)->first, 107U);
    EXPECT_FALSE(ring.allocate(1));
}

TEST(line_ring, PIPE_10_lines_return_in_order_of_allocation)
{
    line_ring ring(0, 10);
    const auto a = *ring.allocate(4);
    const auto b = *ring.allocate(4);
    ring.release(b);
    EXPECT_FALSE(ring.allocate(4)); // after a, which is still there
    EXPECT_EQ(ring.allocate(2)->first, 8U);
    ring.release(a);
    EXPECT_EQ(ring.allocate(8)->first, 0U);
}

TEST(line_ring, PIPE_10_an_empty_ring_takes_anything_up_to_its_size)
{
    line_ring ring(5, 10);
    ring.release(*ring.allocate(7));
    EXPECT_FALSE(ring.allocate(11));
    const auto all = ring.allocate(10);
    ASSERT_TRUE(all);
    EXPECT_EQ(all->first, 5U);
    ring.take_back();
    EXPECT_EQ(ring.allocate(10)->first, 5U);
    EXPECT_THROW(ring.release({6, 2}), std::logic_error);
}

/// The ring, line by line: the free ones are those that no space has that was not given back, itself and all older.
TEST(line_ring, PIPE_10_random_traffic_agrees_with_a_list_of_lines)
{
    constexpr unsigned lines = 64;
    line_ring ring(0, lines);
    struct living {
        extent space;
        bool released = false;
    };
    std::deque<living> live;
    std::mt19937 generator(5);
    const auto random = [&](unsigned below) { return static_cast<unsigned>(generator() % below); };
    unsigned found = 0;
    for (unsigned i = 0; i < 20000; ++i) {
        if (random(2) == 0) {
            const auto count = random(20) + 1;
            std::vector<bool> taken(lines);
            for (const auto& one : live)
                for (unsigned n = 0; n < one.space.count; ++n) taken[one.space.first + n] = true;
            const auto free_from = [&](unsigned first) {
                if (first + count > lines) return false;
                for (unsigned n = 0; n < count; ++n)
                    if (taken[first + n]) return false;
                return true;
            };
            // Behind the newest, else at the start; never into a gap before the newest that is not behind the oldest.
            const auto next = live.empty() ? 0 : live.back().space.first + live.back().space.count;
            const auto wrapped = !live.empty() && live.back().space.first < live.front().space.first;
            std::optional<unsigned> expected;
            if (free_from(next))
                expected = next;
            else if (!wrapped && free_from(0))
                expected = 0;
            const auto got = ring.allocate(count);
            ASSERT_EQ(got.has_value(), expected.has_value());
            if (!got) continue;
            ++found;
            ASSERT_EQ(got->first, *expected);
            live.push_back({*got, false});
        } else if (!live.empty()) {
            auto& one = live[random(static_cast<unsigned>(live.size()))];
            if (one.released) continue;
            ring.release(one.space);
            one.released = true;
            while (!live.empty() && live.front().released) live.pop_front();
        }
    }
    EXPECT_GT(found, 2000U);
}

} // namespace
} // namespace isbesim
