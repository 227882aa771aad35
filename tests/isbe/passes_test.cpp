// Pass counts against a simulation of the passes themselves, written from micro-architecture section 5.
#include "models/isbe/functional/passes.h"

#include <random>
#include <set>

#include <gtest/gtest.h>

#include "tests/isbe/core_bench.h"

namespace isbesim::test {
namespace {

// Serves lanes pass by pass; word indices only.
unsigned simulate(lane_mask lanes, const per_lane<word>& index, access_rule rule, unsigned banks)
{
    unsigned passes = 0;
    while (lanes != 0) {
        ++passes;
        std::set<word> open;      // words on a bank's output in this pass
        std::set<word> busy;      // banks taken
        std::set<word> open_line; // line rule
        for (unsigned i = 0; i < 32; ++i) {
            if (((lanes >> i) & 1U) == 0) continue;
            if (rule == access_rule::banked && busy.insert(index[i] % banks).second) open.insert(index[i]);
            if (rule == access_rule::line && open_line.empty()) open_line.insert(index[i] / 32);
        }
        for (unsigned i = 0; i < 32; ++i)
            if (open.count(index[i]) != 0 || open_line.count(index[i] / 32) != 0) lanes &= ~(lane_mask{1} << i);
    }
    return passes;
}

TEST(passes, equal_to_a_pass_by_pass_simulation)
{
    std::mt19937 random(7);
    const word ranges[] = {2, 8, 40, 64, 256, 4096, 32768};
    for (unsigned n = 0; n < 20000; ++n) {
        per_lane<word> index{};
        const word range = ranges[random() % 7];
        const word stride = static_cast<word>(random() % 5 == 0 ? random() % 70 : 0);
        const word base = static_cast<word>(random() % 1000);
        for (unsigned i = 0; i < 32; ++i)
            index[i] =
                random() % 8 != 0 && stride != 0 ? base + stride * i : base + static_cast<word>(random() % range);
        if (n % 7 == 0)
            for (unsigned i = 0; i < 32; ++i) index[i] = base + i;
        const auto lanes = static_cast<lane_mask>(n % 3 == 0 ? ~0U : random());
        for (const auto rule : {access_rule::banked, access_rule::line})
            for (const unsigned banks : {8U, 16U, 32U}) {
                pass_counter passes(rule, banks, 40'000);
                const auto count = passes.count(lanes, index);
                ASSERT_EQ(count.passes, simulate(lanes, index, rule, banks)) << n;
                std::set<word> distinct;
                unsigned active = 0;
                for (unsigned i = 0; i < 32; ++i)
                    if (((lanes >> i) & 1U) != 0) distinct.insert(index[i]), ++active;
                ASSERT_EQ(count.words, distinct.size());
                ASSERT_EQ(count.shared, distinct.size() < active);
                ASSERT_LE(passes.ideal(count.words), count.passes);
            }
    }
}

// Words that follow each other, from any word on, below the first lane's too (lane 0 would have word -31).
TEST(passes, runs_equal_to_a_pass_by_pass_simulation)
{
    std::mt19937 random(11);
    for (unsigned n = 0; n < 3000; ++n) {
        const auto lanes = static_cast<lane_mask>(n % 3 == 0 ? ~0U : random());
        if (lanes == 0) continue;
        const word first = static_cast<word>(random() % 200) - first_lane(lanes);
        per_lane<word> index{};
        for (unsigned i = 0; i < 32; ++i) index[i] = first + i;
        for (const auto rule : {access_rule::banked, access_rule::line})
            for (const unsigned banks : {8U, 16U, 32U}) {
                const auto count = pass_counter(rule, banks, 1024).count_run(lanes, first);
                ASSERT_EQ(count.passes, simulate(lanes, index, rule, banks)) << n;
                ASSERT_EQ(count.words, lane_count(lanes));
                ASSERT_FALSE(count.shared);
            }
    }
    EXPECT_EQ(pass_counter(access_rule::banked, 32, 1024).count_run(0, 5).passes, 0U);
}

// d lanes on one bank, each with a row of its own, the others on banks of their own where there are enough.
TEST(passes, conflict_degree_d_costs_d_passes)
{
    for (const unsigned banks : {8U, 16U, 32U})
        for (unsigned d = 1; d <= 32; ++d) {
            per_lane<word> index{};
            for (unsigned i = 0; i < 32; ++i) index[i] = i < d ? 5 + banks * i : 6; // the rest share one word
            EXPECT_EQ(pass_counter(access_rule::banked, banks, 2048).count(all_lanes, index).passes, d) << banks;
            for (unsigned i = 0; i < 32; ++i) index[i] = 32 * std::min(i, d - 1) + i % 32;
            EXPECT_EQ(pass_counter(access_rule::line, banks, 2048).count(all_lanes, index).passes, d);
        }
}

TEST(passes, through_the_core_components_add_up)
{
    for (unsigned d = 1; d <= 32; ++d) {
        core_bench bench;
        auto c = simple_context(stage::geometry, address_range(0x80, 0x90), 1024);
        c.input.attr_bytes = 4 * 128 * 32;
        bench.bind(c);
        auto load = ald(0x80, 4);
        for (unsigned i = 0; i < 32; ++i) load.handle[i] = i < d ? 32 * i : 1; // d rows of bank 0, one word of bank 1
        EXPECT_EQ(bench.run(load).passes, 4 * d);
        EXPECT_EQ(bench.core.counters().passes, 4 * d);
        EXPECT_EQ(bench.core.counters().accesses, 1U);
        EXPECT_EQ(bench.core.counters().ideal_passes, 4U);
    }
}

TEST(passes, an_operation_without_access_takes_one_pass)
{
    core_bench bench;
    bench.bind(simple_context(stage::vertex, addresses({0x70})));
    EXPECT_EQ(bench.run(ald(0x80, 4)).passes, 1U);
    auto off = ald(0x70);
    off.lanes = 0;
    EXPECT_EQ(bench.run(off).passes, 1U);
    EXPECT_EQ(bench.core.counters().accesses, 0U);
    EXPECT_EQ(bench.core.counters().passes, 0U);
}

TEST(passes, unloaded_latency_is_one_plus_passes_plus_class_latency)
{
    isbe_config config;
    config.pipeline_latency = 100;
    config.write_latency = 200;
    config.al2p_latency = 300;
    config.out_latency = 400;
    EXPECT_EQ(unloaded_latency(config, opcode::ald, 4), 105U);
    EXPECT_EQ(unloaded_latency(config, opcode::isberd, 1), 102U);
    EXPECT_EQ(unloaded_latency(config, opcode::ast, 1), 202U);
    EXPECT_EQ(unloaded_latency(config, opcode::isbewr, 2), 203U);
    EXPECT_EQ(unloaded_latency(config, opcode::bind, 1), 202U);
    EXPECT_EQ(unloaded_latency(config, opcode::al2p, 1), 302U);
    EXPECT_EQ(unloaded_latency(config, opcode::out, 1), 402U);
}

} // namespace
} // namespace isbesim::test
