// SPDX-License-Identifier: Apache-2.0
#include "models/sm/scheduler.h"

#include <gtest/gtest.h>

namespace isbesim {
namespace {

const pipe_lanes no_limits{sm_config{}};

unsigned stall(const scheduler& s, stall_reason reason)
{
    return static_cast<unsigned>(s.stalls()[reason]);
}

/// The positions that issue in cycles 1 to `cycles`, each warp being ready again in the next cycle.
std::vector<unsigned> order(scheduler& s, unsigned cycles, bool yield)
{
    std::vector<unsigned> picks;
    for (unsigned cycle = 1; cycle <= cycles; ++cycle) {
        picks.push_back(s.pick(cycle, false));
        s.issued(picks.back(), cycle, yield);
        s.update(picks.back(), cycle, cycle + 1, cycle + 1, false);
    }
    return picks;
}

void launch_in_order(scheduler& s, std::initializer_list<unsigned> positions)
{
    std::uint64_t age = 0;
    for (const unsigned position : positions) s.launch(position, age++, 0);
}

TEST(scheduler, loose_round_robin_goes_round)
{
    scheduler s(scheduler_rule::loose_round_robin, 3, no_limits, 0);
    launch_in_order(s, {0, 1, 2});
    EXPECT_EQ(order(s, 5, false), (std::vector<unsigned>{0, 1, 2, 0, 1}));
}

TEST(scheduler, loose_round_robin_passes_over_a_warp_that_is_not_ready)
{
    scheduler s(scheduler_rule::loose_round_robin, 3, no_limits, 0);
    launch_in_order(s, {0, 1, 2});
    s.update(1, 0, never_cycle, 1, false);
    EXPECT_EQ(order(s, 4, false), (std::vector<unsigned>{0, 2, 0, 2}));
}

TEST(scheduler, greedy_stays_then_takes_the_oldest)
{
    scheduler s(scheduler_rule::greedy_then_oldest, 3, no_limits, 0);
    launch_in_order(s, {2, 0, 1}); // 2 is the oldest
    EXPECT_EQ(order(s, 3, false), (std::vector<unsigned>{2, 2, 2}));
    s.update(2, 3, never_cycle, 4, false);
    EXPECT_EQ(s.pick(4, false), 0U);
}

TEST(scheduler, greedy_lets_another_go_first_after_a_yield)
{
    scheduler s(scheduler_rule::greedy_then_oldest, 3, no_limits, 0);
    launch_in_order(s, {2, 0, 1});
    EXPECT_EQ(order(s, 4, true), (std::vector<unsigned>{2, 0, 2, 0}));
    s.retire(0, 5);
    s.retire(1, 5);
    EXPECT_EQ(s.pick(6, false), 2U) << "a yield does not stop the only warp";
}

TEST(scheduler, a_full_queue_blocks_only_those_that_need_it)
{
    scheduler s(scheduler_rule::loose_round_robin, 2, no_limits, 0);
    launch_in_order(s, {0, 1});
    s.update(0, 0, 1, 1, true);
    s.update(1, 0, 3, 3, false);
    EXPECT_EQ(s.pick(1, false), 0U);
    EXPECT_EQ(s.pick(1, true), scheduler::no_warp);
    EXPECT_EQ(s.next_cycle(1, true), 3U);
    EXPECT_EQ(s.next_cycle(1, false), 2U);
}

TEST(scheduler, idle_cycles_are_attributed_to_their_reasons)
{
    scheduler s(scheduler_rule::loose_round_robin, 2, no_limits, 0);
    s.advance_to(100);
    EXPECT_EQ(s.stalls(), stall_cycles{}) << "no warps, no stalls";
    s.launch(0, 0, 100);
    EXPECT_EQ(s.pick(101, false), 0U);
    s.issued(0, 101, false);
    s.update(0, 101, 120, 106, true); // stall count to 105, scoreboard to 119, then the queue is full up to 129
    s.advance_to(130);
    EXPECT_EQ(stall(s, stall_reason::stall_count), 4U);      // 102..105
    EXPECT_EQ(stall(s, stall_reason::scoreboard), 14U);      // 106..119
    EXPECT_EQ(stall(s, stall_reason::attribute_queue), 10U); // 120..129
    s.issued(0, 130, false);
    s.drain(0, 130);
    s.advance_to(141);
    EXPECT_EQ(stall(s, stall_reason::drain), 10U); // 131..140
    s.retire(0, 141);
    s.advance_to(1000);
    EXPECT_EQ(stall(s, stall_reason::drain), 10U);
}

TEST(scheduler, every_cycle_has_a_reason)
{
    scheduler s(scheduler_rule::loose_round_robin, 2, no_limits, 0);
    const auto parts = [&] {
        std::vector<std::uint64_t> cycles;
        for (const auto& part : s.stack().parts) cycles.push_back(part.cycles);
        return cycles;
    };
    s.launch(0, 0, 9); // cycles 0 to 9 without a warp
    s.issued(0, 10, false);
    s.update(0, 10, 14, 14, false); // stall count: 11, 12, 13
    s.issued(0, 14, false);
    s.update(0, 14, never_cycle, 16, false); // stall count: 15; scoreboard: 16 to 19
    s.update(0, 20, 20, 20, true);           // attribute queue: 20, 21, 22
    s.update(0, 23, 23, 23, false);
    s.issued(0, 23, false);
    s.drain(0, 24); // cycle 24 to 29
    s.retire(0, 30);
    s.launch(1, 1, 30); // cycle 30: the new warp issues from 31 on
    s.issued(1, 31, false);
    s.retire(1, 32);
    s.advance_to(40); // 32 to 39
    EXPECT_EQ(s.stack().cycles, 40U);
    // issue, attribute_queue, pipe, scoreboard, stall_count, drain, no_warp
    EXPECT_EQ(parts(), (std::vector<std::uint64_t>{4, 3, 0, 4, 4, 6, 19}));
}

sm_config with_lanes(sm_pipe which, unsigned lanes)
{
    sm_config config;
    config.lanes[static_cast<std::size_t>(which)] = lanes;
    return config;
}

TEST(pipe_lanes, an_instruction_occupies_its_pipe_for_32_over_its_lanes)
{
    struct row {
        sm_pipe which;
        unsigned lanes; ///< of an SM of four schedulers
        std::uint64_t cycles;
        bool per_scheduler;
    };
    for (const auto& [which, lanes, cycles, per_scheduler] :
         {row{sm_pipe::fp32, 128, 1, true}, row{sm_pipe::fp32, 64, 2, true}, row{sm_pipe::special, 16, 8, true},
          row{sm_pipe::fp64, 32, 4, true}, row{sm_pipe::fp64, 2, 16, false}, row{sm_pipe::fp64, 3, 11, false},
          row{sm_pipe::load_store, 16, 2, false}, row{sm_pipe::texture, 4, 8, false},
          row{sm_pipe::convert64, 16, 2, false}, row{sm_pipe::fp32, 1024, 1, true}}) {
        pipe_lanes pipes(with_lanes(which, lanes));
        EXPECT_TRUE(pipes.limited());
        EXPECT_EQ(pipes.occupy(1, which, 100), 100 + cycles);
        EXPECT_EQ(pipes.free_at(1, which), 100 + cycles) << lanes;
        EXPECT_EQ(pipes.free_at(2, which), per_scheduler ? 0 : 100 + cycles) << lanes;
        EXPECT_EQ(pipes.occupy(1, which, 100), 100 + 2 * cycles) << "after the first";
        const auto other = which == sm_pipe::shift ? sm_pipe::bits : sm_pipe::shift;
        EXPECT_EQ(pipes.occupy(1, other, 100), 100U) << "no limit";
        EXPECT_EQ(pipes.free_at(1, sm_pipe::none), 0U);
    }
    EXPECT_FALSE(no_limits.limited());
}

TEST(scheduler, a_taken_pipe_lets_other_warps_issue)
{
    pipe_lanes pipes(with_lanes(sm_pipe::special, 16)); // 8 cycles
    scheduler s(scheduler_rule::greedy_then_oldest, 3, pipes, 0);
    launch_in_order(s, {0, 1, 2});
    s.update(0, 0, 1, 1, false, sm_pipe::special);
    s.update(1, 0, 1, 1, false, sm_pipe::special);
    s.update(2, 0, 3, 3, false, sm_pipe::fp32);
    EXPECT_EQ(s.pick(1, false), 0U);
    pipes.occupy(0, sm_pipe::special, 1);
    s.issued(0, 1, false);
    s.update(0, 1, never_cycle, 2, false);
    EXPECT_EQ(s.next_cycle(1, false), 3U);
    EXPECT_EQ(s.pick(2, false), scheduler::no_warp);
    EXPECT_EQ(s.pick(3, false), 2U);
    s.issued(2, 3, false);
    s.update(2, 3, 20, 20, false, sm_pipe::fp32);
    EXPECT_EQ(s.next_cycle(3, false), 9U);
    EXPECT_EQ(s.pick(8, false), scheduler::no_warp);
    EXPECT_EQ(s.pick(9, false), 1U);
    s.advance_to(9);
    EXPECT_EQ(stall(s, stall_reason::pipe), 6U); // cycles 2 and 4 to 8
}

} // namespace
} // namespace isbesim
