// SPDX-License-Identifier: Apache-2.0
#include "models/pe/linking/line_area.h"

#include <random>
#include <stdexcept>

#include <gtest/gtest.h>

#include "tests/support/print_choices.h"

namespace isbesim {
namespace {

class either_rule : public testing::TestWithParam<allocation_rule> {};
INSTANTIATE_TEST_SUITE_P(line_area, either_rule,
                         testing::Values(allocation_rule::first_fit, allocation_rule::best_fit));

TEST_P(either_rule, PIPE_07_random_traffic_never_overlaps_and_never_leaks)
{
    constexpr unsigned first = 32;
    constexpr unsigned lines = 128;
    line_area area(first, lines, GetParam());
    std::mt19937 generator(3);
    const auto random = [&] { return static_cast<unsigned>(generator()); };
    std::vector<extent> live;
    std::vector<bool> taken(first + lines);
    for (unsigned i = 0; i < 20000; ++i) {
        if (live.empty() || random() % 2 == 0) {
            const auto count = random() % 20 + 1;
            const auto got = area.allocate(count, random() % 2 == 0 ? line_area::side::start : line_area::side::end);
            if (!got) continue;
            ASSERT_EQ(got->count, count);
            ASSERT_GE(got->first, first);
            ASSERT_LE(got->first + count, first + lines);
            for (auto line = got->first; line < got->first + count; ++line) {
                ASSERT_FALSE(taken[line]);
                taken[line] = true;
            }
            live.push_back(*got);
        } else {
            const auto which = random() % live.size();
            for (auto line = live[which].first; line < live[which].first + live[which].count; ++line)
                taken[line] = false;
            area.release(live[which]);
            live.erase(live.begin() + static_cast<std::ptrdiff_t>(which));
        }
    }
    for (const auto& space : live) area.release(space);
    // No leak and no splinter: a single gap again.
    EXPECT_TRUE(area.allocate(lines));
    EXPECT_FALSE(area.allocate(1));
}

TEST(line_area, PIPE_07_rules_choose_different_gaps)
{
    for (const auto rule : {allocation_rule::first_fit, allocation_rule::best_fit}) {
        line_area area(0, 100, rule);
        const auto a = *area.allocate(20);
        static_cast<void>(*area.allocate(5));
        const auto b = *area.allocate(10);
        static_cast<void>(*area.allocate(65));
        area.release(a);
        area.release(b);
        EXPECT_EQ(area.allocate(10)->first, rule == allocation_rule::first_fit ? a.first : b.first);
    }
}

TEST(line_area, PIPE_07_both_sides)
{
    line_area area(10, 20, allocation_rule::first_fit);
    EXPECT_EQ(area.allocate(3)->first, 10U);
    EXPECT_EQ(area.allocate(4, line_area::side::end)->first, 26U);
    EXPECT_EQ(area.allocate(3)->first, 13U);
    EXPECT_EQ(area.allocate(2, line_area::side::end)->first, 24U);
    EXPECT_FALSE(area.allocate(9));
    EXPECT_TRUE(area.allocate(8, line_area::side::end));
    EXPECT_TRUE(area.holds({29, 1}));
    EXPECT_FALSE(area.holds({30, 1}));
    EXPECT_FALSE(area.holds({9, 1}));
    EXPECT_THROW(area.release({30, 1}), std::logic_error);
}

} // namespace
} // namespace isbesim
