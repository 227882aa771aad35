// SPDX-License-Identifier: Apache-2.0
// Macros of a channel: uploaded, called, their reads and results, and the reports of those that can't be run.
#include "testbench/gl/channel/macro_front.h"

#include <gtest/gtest.h>

#include "tests/gl/macro_test.h"
#include "tests/gl/push_buffer.h"

namespace isbesim::gl::front_tests {
namespace {

using words = std::vector<std::uint32_t>;
constexpr auto place = test_channel::place;

push_buffer upload(std::uint32_t number, std::uint32_t position, const words& code)
{
    push_buffer push;
    push.method(0x11c, {number, position});
    words data{position};
    data.insert(data.end(), code.begin(), code.end());
    push.once(0x114, data);
    return push;
}

push_buffer call(std::uint32_t number, const words& parameters)
{
    return push_buffer().once(0x3800 + 8 * number, parameters);
}

/// Sends its first parameter to a method.
words sends_to(std::uint32_t method)
{
    return {fermi::at(method) | fermi::end, fermi::alu(0, fermi::send, 0, 1, 0)};
}

std::uint32_t state_of(test_channel& channel, std::uint32_t method)
{
    channel.submit(push_buffer().method(0x1618, {4}).method(0xd74, {0, 3}).method(0x1614, {0}));
    return channel.target.states.back().at(method);
}

std::string unknown(const test_channel& channel)
{
    return channel.counts.unknown.size() == 1 ? channel.counts.unknown.begin()->first : "not one line";
}

TEST(macro_front, runs_macros_wherever_they_lie)
{
    test_channel channel;
    channel.submit(upload(3, 0x40, sends_to(0x1880)));
    channel.submit(upload(255, 0x3ffe, sends_to(0x1884)));
    channel.submit(call(3, {5}));
    channel.submit(call(255, {6}));
    EXPECT_EQ(state_of(channel, 0x1880), 5U);
    EXPECT_EQ(state_of(channel, 0x1884), 6U);
    EXPECT_TRUE(channel.counts.unknown.empty());
}

TEST(macro_front, draws_of_a_macro_are_those_of_the_stream)
{
    using namespace fermi;
    // Parameters: BEGIN, instances, first vertex, vertices.
    const words code = {add(load, 2, 0, 0),
                        add(load, 3, 0, 0),
                        add(load, 4, 0, 0),
                        add(move, 5, 0, 1),
                        at(0x1618),
                        alu(0, send, 0, 1, 0),
                        at(0xd74),
                        alu(0, send, 0, 3, 0),
                        alu(0, send, 0, 4, 0),
                        add(aim_send_high, 0, 0, 0x1614 / 4),
                        add(move, 2, 2, -1),
                        jump(true, false, 2, -7),
                        bits(2, move, 1, 1, 5, 0, 1, 26),
                        nothing | end,
                        nothing};
    test_channel channel;
    channel.submit(upload(0, 0, code));
    channel.submit(call(0, {5, 3, 10, 7}));
    channel.submit(call(0, {4, 1, 0, 3}));
    const auto arrays = vertex_run::source::arrays;
    EXPECT_EQ(channel.target.draws, (draw_list{{5, 0, 3, {{arrays, 10, 7, {}}}}, {4, 0, 1, {{arrays, 0, 3, {}}}}}));
    EXPECT_TRUE(channel.counts.unknown.empty());
}

TEST(macro_front, parameters_may_come_in_several_packets)
{
    using namespace fermi;
    test_channel channel;
    channel.submit(upload(2, 0, {at(0x1880), alu(0, send_load, 2, 1, 0), alu(0, send, 0, 2, 0) | end, nothing}));
    channel.submit(call(2, {11}));
    channel.submit(push_buffer().once(0x3814, {22}));
    EXPECT_EQ(state_of(channel, 0x1884), 22U);
    // A packet that ends in another piece.
    const auto push = call(2, {33, 44});
    channel.processor.words(push.words.data(), 2);
    channel.processor.words(push.words.data() + 2, 1);
    EXPECT_EQ(state_of(channel, 0x1880), 33U);
    EXPECT_EQ(state_of(channel, 0x1884), 44U);
    EXPECT_TRUE(channel.counts.unknown.empty());
}

TEST(macro_front, reads_values_of_stream_and_macros)
{
    using namespace fermi;
    // Method 0x1880 gets 0x1434 plus scratch 5, scratch 5 the parameter.
    const words code = {
        read(move, 2, 0, 0x1434 / 4), read(move, 3, 0, 0x3414 / 4), at(0x3414), alu(0, send, 0, 1, 0), at(0x1880) | end,
        alu(0, send, 0, 2, 3)};
    test_channel channel;
    channel.submit(upload(0, 0, code));
    channel.submit(push_buffer().method(0x1434, {100}).method(0x3414, {1}));
    channel.submit(call(0, {20}));
    EXPECT_EQ(state_of(channel, 0x1880), 101U);
    channel.submit(call(0, {0}));
    EXPECT_EQ(state_of(channel, 0x1880), 120U);
    // With mode 2 methods pass unrecorded, with 3 the recorded values replace them.
    channel.submit(push_buffer().method(0x124, {2}).method(0x1434, {500}).method(0x124, {1}));
    EXPECT_EQ(state_of(channel, 0x1434), 500U);
    channel.submit(call(0, {0}));
    EXPECT_EQ(state_of(channel, 0x1880), 100U);
    channel.submit(push_buffer().method(0x124, {3}).method(0x1434, {700}).method(0x124, {0}));
    EXPECT_EQ(state_of(channel, 0x1434), 100U);
}

TEST(macro_front, scratch_registers_are_those_of_compute_too)
{
    constexpr unsigned compute = 1;
    test_channel channel;
    channel.submit(push_buffer().method(0, {0xb0c0}, compute).method(0x3404, {77}, compute));
    using namespace fermi;
    channel.submit(upload(0, 0, {read(move, 2, 0, 0x3404 / 4), at(0x1880) | end, alu(0, send, 0, 2, 0)}));
    channel.submit(call(0, {0}));
    EXPECT_EQ(state_of(channel, 0x1880), 77U);
}

TEST(macro_front, reports_of_macros_are_no_fences)
{
    using namespace fermi;
    // A word to the address in the parameters.
    const words code = {add(load, 2, 0, 0),
                        add(move, 3, 0, 0x1000),
                        at(0x1b00),
                        alu(0, send, 0, 0, 0),
                        alu(0, send, 0, 1, 0),
                        alu(0, send, 0, 2, 0) | end,
                        bits(2, send, 0, 0, 3, 0, 16, 16)};
    test_channel channel;
    channel.submit(upload(0, 0, code));
    push_buffer push;
    push.method(0x1b00, {0, place, 1, 0x10000000});
    for (const auto word : call(0, {place + 4, 2}).words) push.words.push_back(word);
    channel.fences.begin_submission(1);
    channel.submit(push);
    EXPECT_EQ(channel.peek(place), 0U);
    EXPECT_EQ(channel.peek(place + 4), 2U);
    channel.fences.pass(1);
    EXPECT_EQ(channel.peek(place), 1U);
}

TEST(macro_front, macro_without_code_is_reported)
{
    test_channel channel;
    channel.submit(call(7, {1}));
    EXPECT_EQ(unknown(channel), "macro 7 has no code at place 0x0");
}

TEST(macro_front, stops_an_endless_macro)
{
    test_channel channel;
    channel.submit(upload(1, 0, {fermi::jump(false, true, 0, 0)}));
    channel.submit(call(1, {1}));
    EXPECT_EQ(unknown(channel), "macro 1 was stopped after 67108864 instructions");
    channel.submit(upload(1, 0, sends_to(0x1880)));
    channel.submit(call(1, {3}));
    EXPECT_EQ(state_of(channel, 0x1880), 3U);
}

TEST(macro_front, endless_wait_of_a_macro_is_located)
{
    using namespace fermi;
    const words code = {at(0x1880), add(load, 2, 0, 0), alu(0, send, 0, 2, 0) | end, nothing};
    {
        test_channel channel;
        channel.submit(upload(0, 0, code));
        channel.submit(call(0, {1}).method(0x1644, {1}));
        EXPECT_EQ(unknown(channel), "macro 0 ends where it waits for a parameter: method 0x1644 came");
        EXPECT_EQ(state_of(channel, 0x1644), 1U);
        channel.submit(call(0, {1, 2}));
        EXPECT_EQ(state_of(channel, 0x1880), 2U);
    }
    test_channel channel;
    channel.submit(upload(0, 0, code));
    channel.submit(call(0, {1}));
    channel.submit(call(0, {1, 9}));
    EXPECT_EQ(unknown(channel), "macro 0 ends where it waits for a parameter: another macro is called");
    EXPECT_EQ(state_of(channel, 0x1880), 9U);
}

TEST(macro_front, unused_parameters_are_reported)
{
    test_channel channel;
    channel.submit(upload(0, 0, sends_to(0x1880)));
    channel.submit(call(0, {1, 2}));
    EXPECT_EQ(unknown(channel), "macro 0 has parameters that it does not take");
    channel.submit(push_buffer().once(0x3804, {3}));
    EXPECT_EQ(channel.counts.unknown.begin()->second, 2U);
}

TEST(macro_front, macros_call_no_macros_and_stay_in_their_memory)
{
    test_channel channel;
    channel.submit(upload(0, 0, sends_to(0x3808)));
    channel.submit(call(0, {1}));
    EXPECT_EQ(unknown(channel), "macro 0 calls a macro");
    for (const auto& push : {upload(256, 0, {}), upload(0, macro_memory::most_places, sends_to(0x1880))}) {
        test_channel full;
        full.submit(push);
        EXPECT_EQ(unknown(full), "macros beyond the memory for them");
    }
}

TEST(macro_front, firmware_reports_completion)
{
    test_channel channel;
    using namespace fermi;
    channel.submit(
        upload(0, 0,
               {at(0x3400), alu(0, send, 0, 0, 0), at(0x2310), alu(0, send, 0, 1, 0), read(move, 2, 0, 0x3400 / 4),
                jump(false, true, 2, -1), at(0x1880) | end, alu(0, send, 0, 2, 0)}));
    channel.submit(call(0, {0x419ba4}));
    EXPECT_EQ(state_of(channel, 0x1880), 1U);
    EXPECT_TRUE(channel.counts.unknown.empty());
}

class turing_front : public testing::Test {
protected:
    turing_front() { channel.submit(push_buffer().method(0x550, {0, place})); }

    /// Sends two parameters to `to` and the method after it, after sending `value` to `method`.
    void run(std::uint32_t method, std::uint32_t value, const words& parameters, std::uint32_t to = 0x1880)
    {
        using namespace turing;
        channel.submit(
            upload(0, 0,
                   macro({{{0, zero, zero, zero, at(method)}, {0, zero, zero, zero, value}, {imm_0, imm_1}},
                          {{7, zero, imm, imm_pair, 0x1000}, {0, zero, zero, zero, 1}},
                          {{0, zero, zero, zero, at(to)}, {}, {imm_0, out_load_0}, {none, out_load_1}, 0, zero, true},
                          {}})));
        channel.submit(call(0, parameters));
    }

    test_channel channel{"tu102"};
};

TEST_F(turing_front, memory_gives_parameters_first)
{
    channel.poke(place, 0x111);
    channel.poke(place + 4, 0x222);
    run(0x560, 1, {7, 8});
    EXPECT_EQ(state_of(channel, 0x1880), 0x111U);
    EXPECT_EQ(state_of(channel, 0x1884), 7U);
    EXPECT_EQ(unknown(channel), "macro 0 has parameters that it does not take");
}

TEST_F(turing_front, draws_of_macros_have_their_record)
{
    channel.poke(place + 4, 3);
    channel.submit(push_buffer().method(0x260, {4 | 1U << 9, 1}));
    run(0x560, 2, {7}, 0x270);
    channel.submit(push_buffer().method(0x270, {0, 3}));
    ASSERT_EQ(channel.target.records.size(), 2U);
    EXPECT_EQ(channel.target.records[0].address, place);
    EXPECT_EQ(channel.target.records[0].bytes, 8U);
    EXPECT_EQ(channel.target.records[1].bytes, 0U); // no macro
}

TEST_F(turing_front, places_count_instructions)
{
    using namespace turing;
    for (std::uint32_t i = 0; i < 3; ++i) {
        const group sends = {{0, zero, load_0, imm, i}, {0, zero, zero, zero, at(0x1880 + 4 * i)}, {imm_1, alu_0}};
        channel.submit(upload(i, 3 * i, macro({sends, {{}, {}, {}, {}, 0, zero, true}, {}})));
    }
    for (std::uint32_t i = 0; i < 3; ++i) channel.submit(call(i, {10}));
    for (std::uint32_t i = 0; i < 3; ++i) EXPECT_EQ(state_of(channel, 0x1880 + 4 * i), 10 + i);
    EXPECT_TRUE(channel.counts.unknown.empty());
}

TEST_F(turing_front, a_call_needs_no_parameter)
{
    using namespace turing;
    channel.submit(upload(0, 0, macro({{{}, {}, {}, {}, 0, zero, true}, {}})));
    channel.submit(call(0, {0}));
    EXPECT_TRUE(channel.counts.unknown.empty());
}

TEST_F(turing_front, memory_has_the_results_of_earlier_draws_and_fences)
{
    channel.poke(place, 1);
    push_buffer push;
    push.method(0x1b00, {0, place, 55, 0x10000000}).method(0x1644, {0});
    channel.submit(push);
    ASSERT_EQ(channel.peek(place), 1U) << "the fence has not passed for programs";
    run(0x560, 1, {7});
    EXPECT_EQ(state_of(channel, 0x1880), 55U);
}

TEST_F(turing_front, a_wrong_address_gives_zeros_and_a_line)
{
    channel.submit(push_buffer().method(0x550, {0xff, 0}));
    run(0x560, 2, {9});
    EXPECT_EQ(state_of(channel, 0x1880), 0U);
    EXPECT_EQ(channel.counts.refused.at("words for macros from an address outside the GPU's memory"), 2U);
    channel.submit(push_buffer().method(0x558, {0}).method(0x564, {1}));
    EXPECT_EQ(channel.counts.refused.at("words of macros to an address outside the GPU's memory"), 1U);
}

TEST_F(turing_front, data_ram_goes_to_memory_and_back)
{
    for (std::uint32_t i = 0; i < 4; ++i) channel.poke(place + 4 * i, 10 + i);
    channel.submit(push_buffer().method(0x558, {0xbfc}).method(0x55c, {4}));
    channel.submit(push_buffer().method(0x554, {place + 0x100}).method(0x558, {0xbfd}).method(0x564, {3}));
    EXPECT_EQ(channel.peek_words(place + 0x100, 4), (words{11, 12, 13, 0}));
    EXPECT_TRUE(channel.counts.unknown.empty());
    channel.submit(push_buffer().method(0x558, {0xbfd}).method(0x564, {4}));
    EXPECT_EQ(unknown(channel), "transfers beyond the macros' data RAM");
    channel.submit(push_buffer().method(0x568, {0}));
    EXPECT_EQ(channel.counts.skipped.at("reductions in memory by macros"), 1U);
}

} // namespace
} // namespace isbesim::gl::front_tests
