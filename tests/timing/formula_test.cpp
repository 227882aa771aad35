// SPDX-License-Identifier: Apache-2.0
// Closed forms of micro-architecture section 5.
#include <algorithm>
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

TEST(streams, peak_bandwidth_is_one_line_a_cycle_whatever_the_size)
{
    isbe_bench bench("at", {});
    bench.bind(0, make_context(stage::vertex, vec4s, vec4s));
    for (unsigned size = 1; size <= max_components; ++size) {
        const auto a = bench.run({repeat(make_ald(0x80, size), 500)})[0];
        const std::uint64_t cycles = a.back().times.response - a.front().times.response;
        EXPECT_EQ(499U * size * 128, cycles * 128) << "size " << size;
    }
}

TEST(streams, a_request_queue_of_one_is_granted_every_second_cycle)
{
    isbe_config config;
    config.request_queue_depth = 1;
    isbe_bench bench("at", config);
    const auto a = bench.run({repeat(conflict(1, 32), 500)})[0];
    ASSERT_EQ(a.size(), 500U);
    for (std::size_t i = 0; i < a.size(); ++i) {
        ASSERT_EQ(a[i].times.accept, 2 * i);
        ASSERT_EQ(a[i].times.response, 2 * i + 24);
    }
}

TEST(streams, a_request_queue_of_one_costs_nothing_on_two_ports)
{
    isbe_config config;
    config.request_queue_depth = 1;
    isbe_bench bench("at", config);
    const auto a = bench.run({repeat(conflict(1, 32), 500), repeat(conflict(1, 32), 500)});
    EXPECT_EQ(a[0].back().times.response, 2 * 499 + 24U);
    EXPECT_EQ(a[1].back().times.response, 2 * 499 + 25U);
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

// ---- not ready at n-1, ready at n ----------------------------------------------------------------------------------

TEST(edges, a_full_queue_accepts_in_the_cycle_after_a_grant)
{
    isbe_config config;
    config.request_queue_depth = 2;
    isbe_bench bench("at", config);
    // Granted in 1, engine busy to 33: the queue takes two more in 1 and 2, the next after the grant in 33.
    const auto a = bench.run({repeat(conflict(32, 32), 5)})[0];
    EXPECT_EQ(a[0].times.accept, 0U);
    EXPECT_EQ(a[1].times.accept, 1U);
    EXPECT_EQ(a[2].times.accept, 2U);
    EXPECT_EQ(a[3].times.begin_request, 3U);
    EXPECT_EQ(a[3].times.accept, 34U);
    EXPECT_EQ(a[4].times.begin_request, 35U);
    EXPECT_EQ(a[4].times.accept, 66U);
    EXPECT_EQ(bench.isbe().timing(0).stalls[stall_reason::queue_full], (34U - 3) + (66 - 35));
    EXPECT_EQ(bench.isbe().timing(0).busy_cycles, 5 * 32U);
    EXPECT_EQ(bench.isbe().timing(0).stalls[stall_reason::bank_conflict], 5 * 31U);
}

TEST(edges, the_next_grant_is_in_the_last_pass)
{
    isbe_bench bench("at", {});
    stream s = {{conflict(5, 32), 0, 0},
                {conflict(1, 32), 5, 0},
                {conflict(1, 32), 30, 0},
                {conflict(5, 32), 40, 0},
                {conflict(1, 32), 46, 0}};
    const auto a = bench.run({s})[0];
    EXPECT_EQ(a[0].times.response, 1 + 5 + 22U);
    EXPECT_EQ(a[1].times.response, 6 + 1 + 22U) << "accepted in 5, granted in 6, the fifth pass of the one before";
    EXPECT_EQ(a[3].times.response, 41 + 5 + 22U);
    EXPECT_EQ(a[4].times.response, 47 + 1 + 22U) << "one later: the engine was idle";
}

TEST(edges, responses_leave_one_a_cycle_and_in_order)
{
    isbe_config config;
    config.pipeline_latency = 30;
    config.al2p_latency = 2;
    isbe_bench bench("at", config);
    warp_op quick = make_al2p(0x80, space::input);
    quick.context = 1; // empty slot: an error, one pass
    const auto a = bench.run({{{conflict(1, 32), 0, 0}, {quick, 0, 0}, {quick, 0, 0}, {conflict(1, 32), 0, 0}}})[0];
    EXPECT_EQ(a[0].times.response, 32U);
    EXPECT_EQ(a[1].times.response, 33U) << "ready in 5, but behind the load";
    EXPECT_EQ(a[2].times.response, 34U);
    EXPECT_EQ(a[3].times.response, 35U) << "its own time";
}

TEST(edges, a_stalled_response_holds_back_its_port_only)
{
    isbe_bench bench("at", {});
    const auto a = bench.run({{{conflict(1, 32), 0, 10}, {conflict(1, 32), 0, 0}}, repeat(conflict(1, 32), 2)});
    EXPECT_EQ(a[0][0].times.response, 24U);
    EXPECT_EQ(a[0][1].times.response, 35U) << "the cycle after the transfer in 34";
    EXPECT_EQ(a[1][0].times.response, 25U);
    EXPECT_EQ(a[1][1].times.response, 27U);
    EXPECT_EQ(bench.isbe().timing(0).stalls[stall_reason::response], 10U);
    EXPECT_EQ(bench.isbe().timing(1).stalls[stall_reason::response], 0U);
}

TEST(edges, a_full_response_queue_stops_grants_until_the_cycle_after_a_transfer)
{
    isbe_config config;
    config.response_queue_depth = 1;
    isbe_bench bench("at", config);
    const auto a = bench.run({{{conflict(1, 32), 0, 7}, {conflict(1, 32), 0, 0}, {conflict(1, 32), 0, 0}}})[0];
    EXPECT_EQ(a[0].times.response, 24U);
    EXPECT_EQ(a[1].times.response, 32 + 1 + 22U) << "transfer in 31, grant in 32";
    EXPECT_EQ(a[2].times.response, 56 + 1 + 22U) << "transfer in 55, grant in 56";
}

// ---- arbitration ---------------------------------------------------------------------------------------------------

TEST(arbitration, round_robin_alternates_and_begins_with_port_0)
{
    isbe_bench bench("at", {});
    const auto a = bench.run({repeat(conflict(1, 32), 100), repeat(conflict(1, 32), 100)});
    for (unsigned i = 0; i < 100; ++i) {
        ASSERT_EQ(a[0][i].times.response, 24 + 2 * i);
        ASSERT_EQ(a[1][i].times.response, 25 + 2 * i);
    }
    EXPECT_EQ(bench.isbe().timing(0).stalls[stall_reason::port_contention], 99U)
        << "waits once before each of its grants but the first";
    EXPECT_EQ(bench.isbe().timing(1).stalls[stall_reason::port_contention], 100U);
}

TEST(arbitration, round_robin_continues_after_the_port_granted_last)
{
    isbe_bench bench("at", {});
    // Port 0 alone is granted in 1; both wait in 11: port 1 is next.
    const auto a = bench.run({{{conflict(1, 32), 0, 0}, {conflict(1, 32), 10, 0}}, {{conflict(1, 32), 10, 0}}});
    EXPECT_EQ(a[1][0].times.response, 11 + 1 + 22U);
    EXPECT_EQ(a[0][1].times.response, 12 + 1 + 22U);
}

TEST(arbitration, fixed_priority_serves_port_0_first)
{
    isbe_config config;
    config.arbitration = arbitration_rule::fixed_priority;
    isbe_bench bench("at", config);
    const auto a = bench.run({repeat(conflict(1, 32), 50), repeat(conflict(1, 32), 3)});
    for (unsigned i = 0; i < 50; ++i) ASSERT_EQ(a[0][i].times.response, 24 + i);
    EXPECT_EQ(a[1][0].times.response, 51 + 1 + 22U) << "when port 0 has nothing left";
    EXPECT_EQ(bench.isbe().timing(1).stalls[stall_reason::port_contention], 50U);
}

TEST(arbitration, a_port_without_response_places_is_no_candidate)
{
    isbe_config config;
    config.arbitration = arbitration_rule::fixed_priority;
    config.response_queue_depth = 2;
    isbe_bench bench("at", config);
    const auto a = bench.run({repeat(conflict(1, 32), 4), repeat(conflict(1, 32), 2)});
    EXPECT_EQ(a[0][1].times.response, 25U);
    EXPECT_EQ(a[1][0].times.response, 26U) << "port 0 has two in flight";
    EXPECT_EQ(a[1][1].times.response, 27U);
    EXPECT_EQ(a[0][2].times.response, 25 + 23U) << "transfer in 24, grant in 25";
}

TEST(order, the_storage_sees_operations_in_grant_order)
{
    isbe_bench bench("at", {});
    const warp_op write = make_isbewr(region::physical, 4, counting(0x400, 4), counting(0xabc00));
    warp_op physical_write = write;
    const warp_op read = make_isberd(space::input, region::physical, 4, counting(0x400, 4));
    // Accepted in the same cycle: port 0 is granted first, so port 1 reads what it wrote although its response may come
    // later; a read granted before the write sees nothing of it.
    const auto a = bench.run({{{physical_write, 5, 0}}, {{read, 4, 0}, {read, 5, 0}}});
    EXPECT_EQ(a[1][0].result.data[0], per_lane<word>{});
    EXPECT_EQ(a[1][1].result.data[0], counting(0xabc00));
}

} // namespace
} // namespace isbesim::test
