// SPDX-License-Identifier: Apache-2.0
// Sets of waits are compared with sums and maxima of random cycles; and the context slots of a replay.
#include "testbench/crosscheck/traces/wait_set.h"

#include <algorithm>
#include <array>
#include <random>

#include <gtest/gtest.h>

#include "testbench/crosscheck/traces/slot_names.h"

namespace isbesim::testbench {
namespace {

constexpr unsigned operations = 6;

/// The cycle of each event of each operation; responses come in the order of the operations, which share a queue.
struct event_cycles {
    std::array<std::array<std::int64_t, enum_count<last_awaited_event>>, operations> cycle{};

    std::int64_t cycle_of(const wait_set::entry& entry) const
    {
        return entry.event == awaited_event::start ? 0 : cycle[entry.number][static_cast<std::size_t>(entry.event)];
    }
    std::int64_t cycle_of(const wait_set& set) const
    {
        std::int64_t latest = -1'000'000;
        for (const auto& entry : set.entries()) latest = std::max(latest, cycle_of(entry) + entry.gap);
        return latest;
    }
};

TEST(wait_set, is_the_latest_of_its_events_with_their_gaps_in_any_order_of_cycles)
{
    std::mt19937 random(3);
    std::size_t left_out = 0;
    for (unsigned n = 0; n < 2000; ++n) {
        event_cycles now;
        std::int64_t response = 0;
        for (auto& operation : now.cycle) {
            for (auto& cycle : operation) cycle = random() % 500;
            operation[static_cast<std::size_t>(awaited_event::response)] = response += random() % 50;
        }
        wait_set set;
        std::int64_t expected = -1'000'000;
        std::size_t added = 0;
        for (unsigned step = 0; step < 12; ++step) {
            const wait_set::entry entry{static_cast<awaited_event>(random() % enum_count<last_awaited_event>),
                                        operation_queue::sm, random() % operations,
                                        static_cast<std::int64_t>(random() % 60)};
            const auto delay = static_cast<std::int64_t>(random() % 20);
            switch (random() % 3) {
            case 0:
                set.delay(delay);
                expected += delay;
                break;
            case 1:
                set.add(entry);
                expected = std::max(expected, now.cycle_of(entry) + entry.gap);
                ++added;
                break;
            default:
                set.add(wait_set(entry), delay);
                expected = std::max(expected, now.cycle_of(entry) + entry.gap + delay);
                ++added;
            }
            if (set.entries().empty()) continue;
            ASSERT_EQ(now.cycle_of(set), expected) << n;
        }
        left_out += added - set.entries().size();
    }
    EXPECT_GT(left_out, 1000U); // entries that others imply
}

TEST(slot_names, give_the_slot_that_has_been_free_for_longest)
{
    slot_names names(3);
    EXPECT_EQ(names[7], 7); // unused
    EXPECT_EQ(names.rename(7), 0);
    EXPECT_EQ(names.rename(7), 1); // though 0 is free again
    EXPECT_EQ(names.rename(2), 2);
    EXPECT_EQ(names[7], 1);
    EXPECT_EQ(names.rename(7), 0);
    EXPECT_EQ(names.rename(2), 1);
    EXPECT_EQ(names[2], 1);
    EXPECT_EQ(names.rename(200), 200);
}

} // namespace
} // namespace isbesim::testbench
