// When events happen on other machines: tlm/cause_join.h, without a simulation.
#include "tlm/cause_join.h"

#include <gtest/gtest.h>

namespace isbesim {
namespace {

constexpr path_place of_a_vertex{stage::vertex, path_place::part::program};
constexpr unsigned same = 0, longer = 1, roomy = 2;

class cause_join_of_three : public testing::Test {
protected:
    cause_join_of_three()
    {
        log_.keep_others(3);
        log_.set_longer(longer, path_reason::write_latency, 5);
    }
    static std::int32_t later(const cause& event, unsigned machine) { return event.node()->later[machine]; }

    cause_log log_;
};

TEST_F(cause_join_of_three, a_step_takes_what_its_reason_takes)
{
    const auto start = log_.start(0);
    const auto stored = start.then(22, path_reason::write_latency, of_a_vertex);
    const auto loaded = stored.then(44, path_reason::pipeline_latency);
    EXPECT_EQ(later(loaded, same), 0);
    EXPECT_EQ(later(loaded, longer), 5);
    EXPECT_EQ(later(loaded, roomy), 0);
}

/// The longest way is another one there: what was waited for 3 cycles less counts for the other 2.
TEST_F(cause_join_of_three, the_last_of_several_is_another_one_on_another_machine)
{
    const auto start = log_.start(0);
    const auto stored = start.then(22, path_reason::write_latency, of_a_vertex);
    const auto loaded = start.then(25, path_reason::pipeline_latency, of_a_vertex);
    const auto both = loaded.then(25, path_reason::none);
    {
        cause_join join(both);
        join.on(stored, 22, path_reason::none);
        join.on(loaded, 25, path_reason::none);
    }
    EXPECT_EQ(later(both, same), 0);
    EXPECT_EQ(later(both, longer), 2);
}

TEST_F(cause_join_of_three, an_event_that_is_prolonged_waits_for_what_it_was)
{
    auto issue = log_.start(0).then(22, path_reason::write_latency, of_a_vertex).then(23, path_reason::issue);
    ASSERT_TRUE(issue.prolong(24, path_reason::issue, 1));
    {
        cause_join join(issue);
        join.on(issue, 24, path_reason::issue);
    }
    EXPECT_EQ(later(issue, longer), 5);
}

TEST_F(cause_join_of_three, more_room_waits_for_what_left_earlier)
{
    cause_history left;
    left.keep(4);
    const auto start = log_.start(0);
    for (unsigned i = 0; i < 4; ++i) left.push(start.then(10 * (i + 1), path_reason::passes, of_a_vertex));
    // Number 5: of a room for two it needs that number 3 has left, of a room for four number 1.
    const auto entered = left.last()->then(41, path_reason::request_queue);
    {
        cause_join join(entered);
        for (const auto machine : {same, longer}) join.on_room(machine, left, 5, 2, 1, path_reason::request_queue);
        join.on_room(roomy, left, 5, 4, 1, path_reason::request_queue);
    }
    EXPECT_EQ(later(entered, same), 0);
    EXPECT_EQ(later(entered, roomy), 21 - 41);
    EXPECT_FALSE(log_.is_bound(roomy));
}

TEST_F(cause_join_of_three, what_has_not_left_yet_makes_it_a_bound)
{
    cause_history left;
    left.keep(4);
    const auto start = log_.start(0);
    left.push(start.then(10, path_reason::passes, of_a_vertex));
    const auto entered = start.then(12, path_reason::attribute_unit, of_a_vertex);
    {
        cause_join join(entered);
        join.on(start, 12, path_reason::attribute_unit);
        join.on_room(same, left, 3, 2, 1, path_reason::request_queue);   // number 1 is still there
        join.on_room(longer, left, 1, 2, 1, path_reason::request_queue); // there was room
    }
    EXPECT_TRUE(log_.is_bound(same));
    EXPECT_FALSE(log_.is_bound(longer));
    EXPECT_EQ(later(entered, same), 0); // at least
}

TEST_F(cause_join_of_three, a_history_forgets_what_nobody_can_wait_for)
{
    cause_history left;
    left.keep(2);
    const auto start = log_.start(0);
    for (unsigned i = 0; i < 5; ++i) left.push(start.then(i, path_reason::passes, of_a_vertex));
    EXPECT_EQ(left.count(), 5U);
    EXPECT_EQ(left.number(2), nullptr);
    EXPECT_EQ(left.number(3)->cycle(), 3U);
}

TEST(cause_join, nothing_is_kept_without_other_machines)
{
    cause_log log;
    const auto event = log.start(0).then(3, path_reason::passes, of_a_vertex);
    EXPECT_EQ(event.node()->later, nullptr);
    EXPECT_EQ(log.others(), 0U);
}

/// Long histories are folded into sums; when an event happens elsewhere stays.
TEST_F(cause_join_of_three, folding_keeps_the_times)
{
    auto event = log_.start(0);
    for (std::uint64_t i = 1; i <= 100'000; ++i) event = event.then(i, path_reason::write_latency, of_a_vertex);
    EXPECT_EQ(later(event, longer), 500'000);
    EXPECT_LT(log_.capacity(), 10'000U);
}

} // namespace
} // namespace isbesim
