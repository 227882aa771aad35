// SPDX-License-Identifier: Apache-2.0
// Closed forms of micro-architecture section 5; random_ports_test has every cycle of queues and arbitration.
#include <ostream>

#include <gtest/gtest.h>

#include "tests/support/isbe_bench.h"
#include "tests/support/print_choices.h"
#include "tests/support/warp_operations.h"

namespace isbesim::test {
namespace {

const attribute_set vec4s = ids({0x80, 0x84, 0x88, 0x8c, 0x90, 0x94, 0x98, 0x9c});

/// Lanes 0 .. degree-1 want different rows of bank 0; the others lane 0's word.
warp_op conflict(unsigned degree, unsigned banks)
{
    per_lane<word> address{};
    for (unsigned lane = 0; lane < degree; ++lane) address[lane] = lane * banks * 4;
    return make_isberd(space::input, region::physical, 4, address);
}

stream repeat(const warp_op& op, std::size_t count)
{
    return stream(count, stimulus{op, 0, 0});
}

// ---- unloaded latency, on both back ends ---------------------------------------------------------------------------

struct latencies {
    unsigned load, store, al2p, out;
};
void PrintTo(const latencies& l, std::ostream* out)
{
    *out << l.load << '_' << l.store << '_' << l.al2p << '_' << l.out;
}

class unloaded : public testing::TestWithParam<std::tuple<std::string, latencies, unsigned>> {};

TEST_P(unloaded, accept_to_response_is_1_plus_passes_plus_latency)
{
    const auto& [back_end, latency, banks] = GetParam();
    isbe_config config;
    config.banks = banks;
    config.pipeline_latency = latency.load;
    config.write_latency = latency.store;
    config.al2p_latency = latency.al2p;
    config.out_latency = latency.out;
    isbe_bench bench(back_end, config);
    const auto cycles = [&](const warp_op& op, unsigned port = 0) {
        const answer a = bench.run(op, port);
        EXPECT_EQ(a.times.begin_request, a.times.accept);
        return a.times.response - a.times.accept;
    };
    const unsigned fold = 32 / banks; // consecutive words: passes per component

    warp_op bind;
    bind.op = opcode::bind;
    context c = make_context(stage::tess_init, vec4s, vec4s);
    pack_context(c, bind);
    EXPECT_EQ(cycles(bind), 1 + 1 + latency.store);
    for (unsigned size = 1; size <= max_components; ++size) {
        EXPECT_EQ(cycles(make_ald(0x80, size)), 1 + size * fold + latency.load);
        EXPECT_EQ(cycles(make_ast(0x90, size, 1)), 1 + size * fold + latency.store);
        EXPECT_EQ(cycles(make_al2p(0x80, space::input, size)), 1 + 1 + latency.al2p);
    }
    EXPECT_EQ(cycles(make_ald(0x280, 4)), 1 + 1 + latency.load) << "defaults only: one empty pass";
    EXPECT_EQ(cycles(make_isberd(space::input, region::attr, 4, counting(0, 4)), 1), 1 + fold + latency.load);
    EXPECT_EQ(cycles(make_isbewr(region::attr, 4, counting(0, 4), counting(7)), 1), 1 + fold + latency.store);
    EXPECT_EQ(cycles(make_out(out_type::emit, 0, {})), 1 + 1 + latency.out) << "an error keeps its opcode's latency";
    c.stage = stage::geometry;
    bench.bind(1, c);
    warp_op out = make_out(out_type::emit, 0, {});
    out.context = 1;
    EXPECT_EQ(cycles(out), 1 + 1 + latency.out) << "8 token bytes in 2 words of different banks";
}

INSTANTIATE_TEST_SUITE_P(parameters, unloaded,
                         testing::Combine(testing::ValuesIn(back_ends()),
                                          testing::Values(latencies{22, 22, 10, 18}, latencies{2, 3, 4, 5},
                                                          latencies{100, 40, 2, 1000}),
                                          testing::Values(8U, 16U, 32U)));

// ---- conflict degree -----------------------------------------------------------------------------------------------

class conflict_degree : public testing::TestWithParam<std::tuple<std::string, unsigned, access_rule>> {};

TEST_P(conflict_degree, d_rows_of_one_bank_cost_d_passes)
{
    const auto& [back_end, banks, access] = GetParam();
    isbe_config config;
    config.banks = banks;
    config.access = access;
    isbe_bench bench(back_end, config);
    for (unsigned degree = 1; degree <= warp_lanes; ++degree) {
        // A line holds 32 / banks rows of every bank.
        const unsigned passes = access == access_rule::banked ? degree : (degree + 32 / banks - 1) / (32 / banks);
        const answer a = bench.run(conflict(degree, banks));
        EXPECT_EQ(a.result.passes, passes) << "degree " << degree;
        EXPECT_EQ(a.times.response - a.times.accept, 1 + passes + config.pipeline_latency) << "degree " << degree;
    }
}

INSTANTIATE_TEST_SUITE_P(banks, conflict_degree,
                         testing::Combine(testing::ValuesIn(back_ends()), testing::Values(8U, 16U, 32U),
                                          testing::Values(access_rule::banked, access_rule::line)));

// ---- streams, on AT ------------------------------------------------------------------------------------------------

TEST(streams, conflict_free_32_bit_loads_respond_every_cycle)
{
    isbe_bench bench("at", {});
    bench.bind(0, make_context(stage::vertex, vec4s, vec4s));
    const auto a = bench.run({repeat(make_ald(0x80, 1), 1000)})[0];
    ASSERT_EQ(a.size(), 1000U);
    for (std::size_t i = 0; i < a.size(); ++i) {
        ASSERT_EQ(a[i].times.accept, i);
        ASSERT_EQ(a[i].times.response, i + 1 + 1 + 22);
    }
}

TEST(streams, conflict_free_128_bit_loads_respond_every_fourth_cycle)
{
    isbe_bench bench("at", {});
    bench.bind(0, make_context(stage::vertex, vec4s, vec4s));
    const auto a = bench.run({repeat(make_ald(0x80, 4), 1000)})[0];
    ASSERT_EQ(a.size(), 1000U);
    for (std::size_t i = 0; i < a.size(); ++i) ASSERT_EQ(a[i].times.response, 4 * i + 1 + 4 + 22);
}

TEST(streams, peak_bandwidth_is_a_line_a_cycle_at_every_size)
{
    isbe_bench bench("at", {});
    bench.bind(0, make_context(stage::vertex, vec4s, vec4s));
    for (unsigned size = 1; size <= max_components; ++size) {
        const auto a = bench.run({repeat(make_ald(0x80, size), 500)})[0];
        const std::uint64_t cycles = a.back().times.response - a.front().times.response;
        EXPECT_EQ(499U * size * 128, cycles * 128) << "size " << size;
    }
}

class response_limit : public testing::TestWithParam<unsigned> {};

TEST_P(response_limit, full_rate_needs_1_plus_passes_and_latency_over_passes)
{
    const unsigned passes = GetParam();
    isbe_config config;
    config.response_queue_depth = 1 + (passes + config.pipeline_latency + passes - 1) / passes;
    isbe_bench bench("at", config);
    const auto a = bench.run({repeat(conflict(passes, 32), 300)})[0];
    ASSERT_EQ(a.size(), 300U);
    for (std::size_t i = 0; i < a.size(); ++i)
        ASSERT_EQ(a[i].times.response, i * passes + 1 + passes + config.pipeline_latency);
}

TEST_P(response_limit, one_place_less_than_needed_is_slower)
{
    const unsigned passes = GetParam();
    isbe_config config;
    // A place is free again P + L + 1 cycles after its grant: the k-th grant after it has to be that late by itself.
    const unsigned needed = (passes + config.pipeline_latency) / passes + 1;
    config.response_queue_depth = needed - 1;
    isbe_bench bench("at", config);
    const auto a = bench.run({repeat(conflict(passes, 32), 300)})[0];
    EXPECT_GT(a.back().times.response, 299 * passes + 1 + passes + config.pipeline_latency);
}

INSTANTIATE_TEST_SUITE_P(passes, response_limit, testing::Values(1U, 2U, 4U, 11U, 32U));

} // namespace
} // namespace isbesim::test
