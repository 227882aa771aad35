// SPDX-License-Identifier: Apache-2.0
// Events and the path that they form (tlm/cause.h), without a simulation.
#include "tlm/cause_log.h"

#include <array>
#include <random>

#include <gtest/gtest.h>

namespace isbesim {
namespace {

constexpr path_place vertex{stage::vertex, path_place::part::program};
constexpr path_place geometry{stage::geometry, path_place::part::output};

std::uint64_t cycles_of(const std::vector<path_part>& path)
{
    std::uint64_t sum = 0;
    for (const auto& part : path) sum += part.cycles;
    return sum;
}

TEST(cause_log, a_path_is_the_causes_of_its_end)
{
    cause_log log(true);
    auto start = log.start(10);
    const auto fetched = start.then(15, path_reason::fetch, vertex);
    const auto other = start.then(90, path_reason::fetch, vertex);
    const auto passed = fetched.then(15, path_reason::none).then(18, path_reason::passes, geometry);
    const auto end = passed.then(20, path_reason::passes);
    const auto path = log.path_to(end);
    ASSERT_EQ(path.size(), 2U); // an event without a reason takes no cycles
    EXPECT_EQ(path[0].reason, path_reason::fetch);
    EXPECT_EQ(path[0].cycles, 5U);
    EXPECT_EQ(path[0].count, 1U);
    EXPECT_EQ(path[1].reason, path_reason::passes);
    EXPECT_EQ(path[1].place.stage, stage::geometry);
    EXPECT_EQ(path[1].cycles, 5U);
    EXPECT_EQ(path[1].count, 2U);
    const auto steps = log.segments_to(end);
    ASSERT_EQ(steps.size(), 4U);
    EXPECT_EQ(steps.front().from, 10U);
    EXPECT_EQ(steps.back().to, 20U);
}

TEST(cause_log, equal_steps_in_a_row_share_an_event)
{
    cause_log log;
    const auto start = log.start(0);
    auto event = start.then(3, path_reason::issue, vertex);
    EXPECT_TRUE(event.prolong(4, path_reason::issue, 1));
    EXPECT_FALSE(event.prolong(5, path_reason::stall_count, 1));
    const auto branch = event.then(9, path_reason::passes);
    EXPECT_FALSE(event.prolong(5, path_reason::issue, 1)) << "what follows from it must stay";
    const auto path = log.path_to(branch);
    ASSERT_EQ(path.size(), 2U);
    EXPECT_EQ(path[0].cycles, 4U);
    EXPECT_EQ(path[0].count, 2U);
    EXPECT_EQ(path[1].cycles, 5U);
}

TEST(cause_log, nothing_follows_from_nothing)
{
    const cause nothing;
    EXPECT_FALSE(nothing.then(7, path_reason::passes, vertex));
    EXPECT_FALSE(event_of(nothing, 7, path_reason::passes, 7, vertex));
    cause_log log;
    EXPECT_TRUE(log.path_to(nothing).empty());
}

TEST(cause_log, event_outside_its_causes_cycle_is_unexplained)
{
    cause_log log;
    const auto start = log.start(0);
    EXPECT_EQ(event_of(start, 4, path_reason::grant, 4, vertex).node()->reason, path_reason::grant);
    EXPECT_EQ(event_of(start, 4, path_reason::grant, 5, vertex).node()->reason, path_reason::unexplained);
}

/// The same random events for a log that folds and for one that keeps every step.
TEST(cause_log, folding_changes_no_path)
{
    cause_log folding;
    cause_log keeping(true);
    constexpr unsigned things = 40;
    std::array<cause, things> folded, kept;
    folded.fill(folding.start(0));
    kept.fill(keeping.start(0));
    std::mt19937 random(1);
    const auto pick = [&](unsigned count) { return static_cast<unsigned>(random() % count); };
    for (std::uint64_t cycle = 1; cycle < 200'000; ++cycle) {
        // Some are rarely used again, like a scheduler without warps.
        const auto target = pick(1000) == 0 ? pick(things) : pick(4);
        const auto source = pick(1000) == 0 ? pick(things) : target;
        const auto reason = static_cast<path_reason>(pick(path_reason_count));
        const path_place place{static_cast<stage>(pick(stage_count)), static_cast<path_place::part>(pick(3))};
        folded[target] = folded[source].then(cycle, reason, place);
        kept[target] = kept[source].then(cycle, reason, place);
    }
    EXPECT_LT(folding.capacity(), keeping.capacity() / 4);
    for (unsigned i = 0; i < things; ++i) {
        const auto a = folding.path_to(folded[i]);
        const auto b = keeping.path_to(kept[i]);
        ASSERT_EQ(a.size(), b.size());
        for (std::size_t k = 0; k < a.size(); ++k) {
            EXPECT_EQ(a[k].reason, b[k].reason);
            EXPECT_EQ(a[k].cycles, b[k].cycles);
            EXPECT_EQ(a[k].count, b[k].count);
        }
        std::uint64_t when = 0;
        for (const auto& step : keeping.segments_to(kept[i])) {
            EXPECT_EQ(step.from, when);
            when = step.to;
        }
        EXPECT_EQ(when, kept[i].cycle());
    }
}

TEST(cause_log, memory_does_not_grow_with_a_run)
{
    cause_log log;
    std::array<cause, 100> live;
    live.fill(log.start(0));
    std::size_t early = 0;
    constexpr std::uint64_t cycles = 1'000'000;
    for (std::uint64_t cycle = 1; cycle <= cycles; ++cycle) {
        // Two chains; the others refer to a much earlier event.
        live[cycle % 2] = live[cycle % 2].then(cycle, path_reason::passes, vertex);
        if (cycle % 1000 == 0) live[2 + cycle / 1000 % 98] = live[0];
        if (cycle == 20'000) early = log.capacity();
    }
    EXPECT_EQ(log.capacity(), early);
    EXPECT_EQ(cycles_of(log.path_to(live[0])), cycles);
}

} // namespace
} // namespace isbesim
