// SPDX-License-Identifier: Apache-2.0
// Section 5: when things happen.
#include <algorithm>

#include <gtest/gtest.h>

#include "tests/rtl/bench.h"

using namespace rtl;

namespace {

// Lanes first .. first+lanes-1 read `lanes` words that share bank 0 and differ in row (32 banks: 128 bytes apart).
request conflict(unsigned lanes)
{
    request r = bench::physical(op::isberd, 0);
    r.lanes = lanes == 32 ? all_lanes : (1u << lanes) - 1;
    r.address = per_lane([](unsigned i) { return 128 * i; });
    return r;
}

request al2p(int address)
{
    request r = ald(address);
    r.opcode = op::al2p;
    return r;
}

TEST(rtl_timing, an_idle_block_answers_after_1_P_L)
{
    bench b(make_machine());
    const latencies l = machine_latencies;
    const auto took = [&](const response& r) { return r.cycle - b.accepted(); };

    const response bound = b.bind(1, six_attributes(stage::gs));
    EXPECT_EQ(bound.passes, 1u);
    EXPECT_EQ(took(bound), 1 + 1 + l.write);

    response r = b.run([] {
        request q = ald(0x70);
        q.context = 1;
        return q;
    }());
    EXPECT_EQ(r.passes, 1u); // every handle 0: one word, one pass
    EXPECT_EQ(took(r), 1 + 1 + l.pipeline);

    request q = ald(0x70, 4);
    q.context = 1;
    q.handle = per_lane([](unsigned i) { return i; });
    r = b.run(q);
    EXPECT_EQ(r.passes, 4u); // one line per component
    EXPECT_EQ(took(r), 1 + 4 + l.pipeline);

    q.opcode = op::ast;
    r = b.run(q); // threads is 0: every lane overflows, no access, one empty pass
    EXPECT_EQ(r.passes, 1u);
    EXPECT_EQ(took(r), 1 + 1 + l.write);

    q = al2p(0x70);
    q.context = 1;
    r = b.run(q);
    EXPECT_EQ(took(r), 1 + 1 + l.al2p);

    q.opcode = op::out;
    r = b.run(q);
    EXPECT_EQ(took(r), 1 + 1 + l.out);

    r = b.run(bench::physical(op::isbewr, 0));
    EXPECT_EQ(took(r), 1 + 1 + l.write);
}

TEST(rtl_timing, an_error_takes_one_pass_and_the_latency_of_its_opcode)
{
    bench b(make_machine());
    const latencies l = machine_latencies;
    const std::pair<op, unsigned> opcodes[] = {{op::ald, l.pipeline}, {op::ast, l.write},  {op::al2p, l.al2p},
                                               {op::out, l.out},      {op::bind, l.write}, {op::isberd, l.pipeline},
                                               {op::isbewr, l.write}};
    for (const auto& [opcode, latency] : opcodes) {
        request q = ald(0x70, 4);
        q.opcode = opcode;
        q.context = 8; // there are 8: 0..7
        const response r = b.run(q);
        EXPECT_EQ(r.error, error_combination);
        EXPECT_EQ(r.passes, 1u);
        EXPECT_EQ(r.cycle - b.accepted(), 1 + 1 + latency) << static_cast<int>(opcode);
    }
}

TEST(rtl_timing, passes_are_the_rows_of_the_busiest_bank)
{
    bench b(make_machine());
    for (unsigned degree = 1; degree <= 32; ++degree) {
        const response r = b.run(conflict(degree));
        EXPECT_EQ(r.passes, degree);
        EXPECT_EQ(r.cycle - b.accepted(), 1 + degree + machine_latencies.pipeline);
    }
    // Bank 0: rows 0, 1, 2. Bank 1: rows 0, 1. Bank 2: row 5, three lanes on one word.
    request q = bench::physical(op::isberd, 0);
    q.lanes = 0xff;
    q.address = {0, 128, 256, 4, 132, 5 * 128 + 8, 5 * 128 + 8, 5 * 128 + 8};
    EXPECT_EQ(b.run(q).passes, 3u);
}

TEST(rtl_timing, no_active_lane_is_one_empty_pass)
{
    bench b(make_machine());
    request q = bench::physical(op::isberd, 0);
    q.lanes = 0;
    const response r = b.run(q);
    EXPECT_EQ(r.passes, 1u);
    EXPECT_EQ(r.cycle - b.accepted(), 1 + 1 + machine_latencies.pipeline);
}

TEST(rtl_timing, a_stream_of_P_passes_is_granted_every_P_cycles)
{
    for (const unsigned passes : {1u, 2u, 3u, 7u}) {
        bench b(make_machine());
        const auto result = b.stream({std::deque<request>(24, conflict(passes))})[0];
        for (std::size_t k = 1; k < result.responses.size(); ++k) {
            EXPECT_EQ(result.responses[k].cycle - result.responses[k - 1].cycle, passes) << k;
        }
        EXPECT_EQ(result.responses[0].cycle - result.accepted[0], 1 + passes + machine_latencies.pipeline);
    }
}

TEST(rtl_timing, request_queue_holds_its_depth_and_no_more)
{
    bench b(make_machine());
    // The first blocks the engine for 32 cycles: accepted in a, granted in a+1, then the four slots fill.
    const auto result = b.stream({std::deque<request>(7, conflict(32))})[0];
    const std::uint64_t a = result.accepted[0];
    EXPECT_EQ(result.accepted[1], a + 1);
    EXPECT_EQ(result.accepted[2], a + 2);
    EXPECT_EQ(result.accepted[3], a + 3);
    EXPECT_EQ(result.accepted[4], a + 4);
    EXPECT_EQ(result.accepted[5], a + 1 + 32 + 1); // the second grant is in a+1+32, its slot is free a cycle later
    EXPECT_EQ(result.accepted[6], a + 1 + 64 + 1);
}

TEST(rtl_timing, response_back_pressure_stops_grants_at_the_queue_depth)
{
    bench b(make_machine());
    std::deque<request> requests;
    for (unsigned k = 0; k < 30; ++k) {
        request q = bench::physical(op::isberd, 128 * (k % 4));
        q.lanes = 1u << k % 32;
        requests.push_back(q);
    }
    const std::uint64_t start = b.dut().cycle();
    const std::uint64_t open = start + 200;
    const auto result = b.stream({requests}, [&](unsigned, std::uint64_t cycle) { return cycle >= open; })[0];
    // 16 in flight and 4 queued; then nothing until the first transfer (cycle `open`), a grant in open+1, room in
    // open+2.
    EXPECT_EQ(result.accepted[19], start + 19);
    EXPECT_EQ(result.accepted[20], open + 2);
    EXPECT_EQ(result.accepted[21], open + 3);
    for (std::size_t k = 0; k < 16; ++k) EXPECT_EQ(result.responses[k].cycle, open + k);
    // The 17th is granted in open+1.
    EXPECT_EQ(result.responses[16].cycle,
              std::max<std::uint64_t>(open + 16, open + 1 + 1 + machine_latencies.pipeline));
}

TEST(rtl_timing, a_response_stays_unchanged_until_it_is_taken)
{
    bench b(make_machine());
    b.fill_with_addresses(0x200);
    b.dut().resp_ready(0, false);
    b.dut().offer(0, bench::physical(op::isberd, 0x080));
    b.dut().step();
    b.dut().offer(0, bench::physical(op::isberd, 0x100));
    b.dut().step();
    b.dut().withdraw(0);
    while (!b.dut().resp_valid(0)) b.dut().step();
    const response first = b.dut().resp(0);
    EXPECT_EQ(first.data[3], 0x08cu);
    for (int i = 0; i < 20; ++i) {
        b.dut().step();
        ASSERT_TRUE(b.dut().resp_valid(0));
        ASSERT_TRUE(b.dut().resp(0) == first);
    }
    b.dut().resp_ready(0, true);
    b.dut().step();
    ASSERT_TRUE(b.dut().resp_valid(0)); // the second was due long ago: the very next cycle
    EXPECT_EQ(b.dut().resp(0).data[3], 0x10cu);
    b.dut().step();
    EXPECT_FALSE(b.dut().resp_valid(0));
}

TEST(rtl_timing, responses_leave_each_port_in_grant_order)
{
    bench b(make_machine());
    b.bind(0, six_attributes(stage::vsb));
    // ALD is due 1+9 cycles after its grant, AL2P 1+3 after its own, a cycle later: it has to wait for the ALD.
    auto result = b.stream({{ald(0x70), al2p(0x70), al2p(0x74)}});
    const std::uint64_t a = result[0].accepted[0];
    EXPECT_EQ(result[0].responses[0].cycle, a + 1 + 1 + 9);
    EXPECT_EQ(result[0].responses[1].cycle, a + 1 + 1 + 9 + 1);
    EXPECT_EQ(result[0].responses[2].cycle, a + 1 + 1 + 9 + 2);
    EXPECT_EQ(result[0].responses[1].data[0] >> 24, 0xa2u);
    // The other port does not wait, although its AL2P is granted after the ALD.
    b.run(al2p(0x70), 1);
    result = b.stream({{ald(0x70)}, {al2p(0x70)}});
    EXPECT_EQ(result[0].responses[0].cycle - result[0].accepted[0], 1 + 1 + 9u);
    EXPECT_EQ(result[1].responses[0].cycle - result[1].accepted[0], 1 + 1 + 1 + 3u);
}

// The grant order of two streams shows in their response cycles: all P and L are equal.
std::vector<unsigned> grant_order(const std::vector<bench::streamed>& streams)
{
    std::vector<std::pair<std::uint64_t, unsigned>> events;
    for (unsigned p = 0; p < streams.size(); ++p) {
        for (const response& r : streams[p].responses) events.emplace_back(r.cycle, p);
    }
    std::sort(events.begin(), events.end());
    std::vector<unsigned> order;
    order.reserve(events.size());
    for (const auto& event : events) order.push_back(event.second);
    return order;
}

TEST(rtl_timing, round_robin_alternates_and_starts_at_port_0)
{
    bench b(make_machine());
    const auto result = b.stream({std::deque<request>(5, conflict(2)), std::deque<request>(5, conflict(2))});
    EXPECT_EQ(grant_order(result), (std::vector<unsigned>{0, 1, 0, 1, 0, 1, 0, 1, 0, 1}));
}

TEST(rtl_timing, round_robin_remembers_the_port_granted_last)
{
    bench b(make_machine());
    b.run(conflict(1), 0);
    auto result = b.stream({{conflict(1)}, {conflict(1)}});
    EXPECT_EQ(grant_order(result), (std::vector<unsigned>{1, 0}));
    b.run(conflict(1), 1);
    b.run(conflict(1), 1);
    result = b.stream({{conflict(1)}, {conflict(1)}});
    EXPECT_EQ(grant_order(result), (std::vector<unsigned>{0, 1}));
}

TEST(rtl_timing, only_a_grant_moves_the_round_robin_pointer)
{
    // Port 0 is granted first; both ports then wait for 5 or 6 cycles. Port 1 is next, whatever the number of cycles.
    for (const unsigned passes : {5u, 6u}) {
        bench b(make_machine());
        request lone = conflict(passes);
        const auto result = b.stream({{lone, lone, lone}, {lone, lone}});
        EXPECT_EQ(grant_order(result), (std::vector<unsigned>{0, 1, 0, 1, 0})) << passes;
    }
}

TEST(rtl_timing, fixed_priority_serves_port_0_first)
{
    bench b(make_other());
    b.run(conflict(1), 0);
    // Three responses in flight per port and two queued: port 0 is a candidate until its three are granted.
    const auto result = b.stream({std::deque<request>(3, conflict(2)), std::deque<request>(3, conflict(2))});
    EXPECT_EQ(grant_order(result), (std::vector<unsigned>{0, 0, 0, 1, 1, 1}));
}

TEST(rtl_timing, a_bind_is_seen_by_the_next_grant)
{
    bench b(make_machine());
    b.fill_with_addresses(0x2000);
    descriptor d = six_attributes(stage::vsb);
    const auto bind = [&] {
        request q;
        q.opcode = op::bind;
        q.context = 3;
        const auto words = d.words();
        for (std::size_t i = 0; i < words.size(); ++i) q.data[i] = words[i];
        return q;
    };
    request load = ald(0x70);
    load.context = 3;
    std::deque<request> requests{bind(), load};
    d.in.attr_base = 0x80;
    requests.push_back(bind());
    requests.push_back(load);
    const auto result = b.stream({requests})[0];
    EXPECT_EQ(result.responses[1].error, 0u);
    EXPECT_EQ(result.responses[1].data[5], 0x014u);
    EXPECT_EQ(result.responses[3].data[5], 0x094u);
    EXPECT_EQ(result.responses[3].cycle - result.accepted[0], 1 + 3 + 1 + 9u); // granted back to back
}

TEST(rtl_timing, the_storage_sees_operations_in_grant_order)
{
    bench b(make_machine());
    // Three lanes write bank 0 in three passes; the read on the other port is granted in the last of them.
    request write = conflict(3);
    write.opcode = op::isbewr;
    write.data[0] = 0x11111111;
    write.data[1] = 0x22222222;
    write.data[2] = 0x33333333;
    const auto result = b.stream({{write}, {conflict(3)}});
    EXPECT_EQ(result[1].responses[0].data[0], 0x11111111u);
    EXPECT_EQ(result[1].responses[0].data[1], 0x22222222u);
    EXPECT_EQ(result[1].responses[0].data[2], 0x33333333u);
    EXPECT_EQ(result[1].responses[0].cycle - result[1].accepted[0], 1 + 3 + 3 + machine_latencies.pipeline);
}

TEST(rtl_timing, reset_empties_the_queues_and_the_contexts)
{
    bench b(make_machine());
    b.bind(0, six_attributes(stage::vsb));
    for (int i = 0; i < 3; ++i) {
        b.dut().offer(0, conflict(32));
        b.dut().step();
    }
    b.dut().reset();
    for (int i = 0; i < 200; ++i) {
        ASSERT_FALSE(b.dut().resp_valid(0));
        b.dut().step();
    }
    EXPECT_EQ(b.run(ald(0x70)).error, error_combination); // stage 0
}

} // namespace
