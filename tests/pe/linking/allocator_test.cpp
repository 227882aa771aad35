#include "models/pe/linking/allocator.h"

#include <random>
#include <stdexcept>

#include <gtest/gtest.h>

#include "tests/support/print_choices.h"

namespace isbesim {
namespace {

class either_rule : public testing::TestWithParam<allocation_rule> {};
INSTANTIATE_TEST_SUITE_P(allocator, either_rule,
                         testing::Values(allocation_rule::first_fit, allocation_rule::best_fit));

TEST_P(either_rule, PIPE_07_random_traffic_never_overlaps_and_never_leaks)
{
    constexpr unsigned lines = 128;
    line_allocator allocator(lines, GetParam(), {16, 8});
    std::mt19937 generator(3);
    const auto random = [&] { return static_cast<unsigned>(generator()); };
    std::vector<extent> live;
    std::vector<bool> taken(lines);
    unsigned used = 0;
    unsigned peak = 0;
    for (unsigned i = 0; i < 20000; ++i) {
        if (live.empty() || random() % 2 == 0) {
            const auto count = random() % 20 + 1;
            const auto level = random() % 3;
            const auto got = allocator.allocate(count, level);
            if (!got) continue;
            ASSERT_EQ(got->count, count);
            ASSERT_LE(got->first + count, lines);
            if (level == 0) {
                ASSERT_LE(got->first + count, allocator.common_lines());
            }
            for (auto line = got->first; line < got->first + count; ++line) {
                ASSERT_FALSE(taken[line]);
                taken[line] = true;
            }
            used += count;
            live.push_back(*got);
        } else {
            const auto which = random() % live.size();
            for (auto line = live[which].first; line < live[which].first + live[which].count; ++line)
                taken[line] = false;
            used -= live[which].count;
            allocator.release(live[which]);
            live.erase(live.begin() + static_cast<std::ptrdiff_t>(which));
        }
        peak = std::max(peak, used);
        ASSERT_EQ(allocator.lines_used(), used);
        ASSERT_EQ(allocator.lines_peak(), peak);
    }
    for (const auto& space : live) allocator.release(space);
    EXPECT_EQ(allocator.lines_used(), 0U);
    // No leak and no splinter: everything is one gap again.
    EXPECT_TRUE(allocator.allocate(lines - 24, 0));
    EXPECT_TRUE(allocator.allocate(16, 1));
    EXPECT_TRUE(allocator.allocate(8, 2));
    EXPECT_FALSE(allocator.allocate(1, 2));
}

TEST_P(either_rule, PIPE_07_a_full_common_area_leaves_the_later_stages_their_reserve)
{
    line_allocator allocator(32, GetParam(), {10});
    EXPECT_TRUE(allocator.allocate(22, 0));
    EXPECT_FALSE(allocator.allocate(1, 0));
    const auto own = allocator.allocate(10, 1);
    ASSERT_TRUE(own);
    EXPECT_EQ(own->first, 22U);
    EXPECT_FALSE(allocator.allocate(10, 1));
    allocator.release(*own);
    EXPECT_TRUE(allocator.allocate(4, 1));
}

TEST(allocator, PIPE_07_rules_choose_different_gaps)
{
    for (const auto rule : {allocation_rule::first_fit, allocation_rule::best_fit}) {
        line_allocator allocator(100, rule, {});
        const auto a = *allocator.allocate(20, 0);
        static_cast<void>(*allocator.allocate(5, 0));
        const auto b = *allocator.allocate(10, 0);
        static_cast<void>(*allocator.allocate(65, 0));
        allocator.release(a);
        allocator.release(b);
        EXPECT_EQ(allocator.allocate(10, 0)->first, rule == allocation_rule::first_fit ? a.first : b.first);
    }
}

TEST(allocator, PIPE_07_no_lines_need_no_space)
{
    line_allocator allocator(8, allocation_rule::first_fit, {8});
    const auto none = allocator.allocate(0, 0);
    ASSERT_TRUE(none);
    EXPECT_EQ(none->count, 0U);
    allocator.release(*none);
    EXPECT_EQ(allocator.lines_used(), 0U);
    EXPECT_THROW(line_allocator(8, allocation_rule::first_fit, {9}), std::invalid_argument);
}

} // namespace
} // namespace isbesim
