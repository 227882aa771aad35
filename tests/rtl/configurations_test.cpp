// SPDX-License-Identifier: Apache-2.0
// Section 7: the corners of the parameters.
#include <gtest/gtest.h>

#include "tests/rtl/bench.h"

using namespace rtl;

namespace {

TEST(rtl_line, passes_are_distinct_lines)
{
    bench b(make_line());
    b.fill_with_addresses(0x2000);
    for (unsigned lines = 1; lines <= 32; ++lines) {
        request q = bench::physical(op::isberd, 0);
        q.address = per_lane([&](unsigned i) { return i % lines * 128 + (31 - i) * 4; });
        const response r = b.run(q);
        EXPECT_EQ(r.passes, lines);
        for (unsigned i = 0; i < 32; ++i) EXPECT_EQ(r.data[i], q.address[i]);
    }
    // Two lanes of different lines in one column, two words of one line.
    request q = bench::physical(op::isberd, 0);
    q.lanes = 7;
    q.address = {0x100, 0x17c, 0x200};
    EXPECT_EQ(b.run(q).passes, 2u);
}

// Section 5, bank of a word, of 8 banks: 24 lines of a column, the same a word further in each line, and a line.
TEST(rtl_other, ISBE_13_banks_by_xor)
{
    bench b(make_other());
    b.fill_with_addresses(24 * 128);
    request q = bench::physical(op::isberd, 0);
    q.lanes = 0x00ffffff;
    const auto passes = [&](unsigned first, unsigned apart) {
        q.address = per_lane([&](unsigned i) { return first + apart * (i % 24); });
        const response r = b.run(q);
        for (unsigned i = 0; i < 24; ++i) EXPECT_EQ(r.data[i], q.address[i]) << i;
        return r.passes;
    };
    EXPECT_EQ(passes(0, 128), 3u); // 24 words, 8 banks
    EXPECT_EQ(passes(0x5c, 128), 3u);
    EXPECT_EQ(passes(0, 132), 24u); // word 33 i: i xor i
    EXPECT_EQ(passes(0x180, 4), 3u);
    EXPECT_EQ(passes(0x118 - 4, 4), 3u); // words 69 to 92, all of line 2
    EXPECT_EQ(passes(0x164, 4), 4u);     // 89 to 95 and, of line 3, 96 to 112
    q.opcode = op::isbewr;
    q.data[7] = 0x1234567;
    q.address = per_lane([](unsigned i) { return 128 * (i % 24) + 4; });
    EXPECT_EQ(b.run(q).passes, 3u);
    EXPECT_EQ(b.peek_word(7 * 128 + 4), 0x1234567u);
}

// `line` is made with BANK_MAP rotate: a column is still 32 lines.
TEST(rtl_line, ISBE_13_a_line_knows_no_banks)
{
    bench b(make_line());
    request q = bench::physical(op::isberd, 0);
    q.address = per_lane([](unsigned i) { return 128 * i; });
    EXPECT_EQ(b.run(q).passes, 32u);
    EXPECT_EQ(b.run(bench::physical(op::isberd, 0x700)).passes, 1u);
}

TEST(rtl_line, the_winner_rule_is_the_same)
{
    bench b(make_line());
    request q = bench::physical(op::isbewr, 0);
    q.address.fill(0x40);
    for (unsigned i = 0; i < 32; ++i) q.data[i] = 100 + i;
    const response r = b.run(q);
    EXPECT_EQ(r.passes, 1u);
    EXPECT_EQ(r.cycle - b.accepted(), 1 + 1 + 1000u); // the longest latency
    EXPECT_EQ(b.peek_word(0x40), 131u);
    EXPECT_EQ(r.status[30], write_conflict);
    EXPECT_EQ(r.status[31], 0);
}

TEST(rtl_line, a_request_queue_of_one_halves_the_rate)
{
    bench b(make_line());
    const auto result = b.stream({std::deque<request>(8, bench::physical(op::isberd, 0))})[0];
    for (std::size_t k = 1; k < 8; ++k) {
        EXPECT_EQ(result.accepted[k] - result.accepted[k - 1], 2u);
        EXPECT_EQ(result.responses[k].cycle - result.responses[k - 1].cycle, 2u);
    }
}

TEST(rtl_smallest, queues_of_one_and_latencies_of_two)
{
    bench b(make_smallest());
    b.fill_with_addresses(8 * 128);
    request q = bench::physical(op::isberd, 0x380); // 32 words over 8 banks
    response r = b.run(q);
    EXPECT_EQ(r.passes, 4u);
    EXPECT_EQ(r.cycle - b.accepted(), 1 + 4 + 2u);
    EXPECT_EQ(r.data[31], 0x3fcu);
    q.address.fill(0x3fd);
    EXPECT_EQ(b.run(q).status[0], out_of_range); // 8 lines
    // One in flight: accepted a, response a+1+1+2, the next grant a cycle after that transfer.
    q.address.fill(0);
    const auto result = b.stream({std::deque<request>(4, q)})[0];
    for (std::size_t k = 1; k < 4; ++k) {
        EXPECT_EQ(result.responses[k].cycle - result.responses[k - 1].cycle, 1 + 1 + 2u);
    }
    EXPECT_EQ(b.bind(1, six_attributes(stage::vsb)).error, error_combination); // one context
    EXPECT_EQ(b.bind(0, six_attributes(stage::vsb)).error, 0u);
    EXPECT_EQ(b.run(ald(0x70)).data[9], 36u);
}

TEST(rtl_largest, far_words_deep_queues_and_the_last_context)
{
    bench b(make_largest());
    constexpr std::uint32_t top = 8192 * 128 - 128;
    b.poke(top, per_lane([](unsigned i) { return 0xabc00 + i; }));
    EXPECT_EQ(b.peek_word(top + 124), 0xabc1fu);
    EXPECT_EQ(b.peek_word(0), 0u);
    descriptor d = six_attributes(stage::vsb);
    d.in.attr_base = top;
    d.in.attr_bytes = 128;
    b.bind(63, d);
    request q = ald(0x70);
    q.context = 63;
    EXPECT_EQ(b.run(q).data[9], 0xabc09u);
    q.context = 64;
    EXPECT_EQ(b.run(q).error, error_combination);
    // 128 in flight and 64 queued on a port that takes no responses.
    const std::uint64_t start = b.dut().cycle();
    const auto result = b.stream({std::deque<request>(200, bench::physical(op::isberd, top))},
                                 [&](unsigned, std::uint64_t cycle) { return cycle >= start + 400; })[0];
    EXPECT_EQ(result.accepted[191], start + 191);
    EXPECT_EQ(result.accepted[192], start + 402);
    for (const response& r : result.responses) EXPECT_EQ(r.data[31], 0xabc1fu);
}

} // namespace
