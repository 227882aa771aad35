// SPDX-License-Identifier: Apache-2.0
// Macros of Fermi to Volta, word by word. Encodings: envytools' description of them (HARDWARE.md J.6).
#include "testbench/gl/channel/macro_fermi.h"

#include <gtest/gtest.h>

#include "tests/gl/macro_test.h"

namespace isbesim::gl::fermi {
namespace {

using bench = macro_bench<macro_fermi>;

/// Method 0x1000 with the value of a register at the end of the code.
std::vector<std::uint32_t> and_send(std::vector<std::uint32_t> code, std::uint32_t number)
{
    code.push_back(at(0x1000) | end);
    code.push_back(alu(0, send, 0, number, 0));
    return code;
}

std::uint32_t result_of(std::uint32_t word, std::deque<std::uint32_t> parameters)
{
    // r1 and r2 are parameters, r3 is the result.
    bench machine(and_send({add(load, 2, 0, 0), word}, 3));
    const auto& sent = machine.run(std::move(parameters));
    EXPECT_EQ(machine.last, macro_event::ended);
    if (sent.size() != 1 || sent[0].first != 0x1000) ADD_FAILURE() << "no result";
    return sent.empty() ? 0 : sent[0].second;
}

/// How a macro ends whose first parameter is 0.
macro_event end_of(const std::vector<std::uint32_t>& code)
{
    bench machine(code);
    machine.run({0});
    return machine.last;
}

TEST(macro_fermi, encoding_matches_published_words)
{
    EXPECT_EQ(add(move, 0, 0, 0), 0x11U);
    EXPECT_EQ(add(move, 0, 0, 0) | end, 0x91U);
    EXPECT_EQ(add(load, 1, 0, 0), 0x101U);
    EXPECT_EQ(alu(9, move, 7, 1, 2) & 0x3e0007, 0x120000U);
    EXPECT_EQ(jump(true, false, 1, 0) & 0x17, 0x17U);
    EXPECT_EQ(jump(false, true, 0, 0), 0x27U);
}

TEST(macro_fermi, computes_with_two_registers)
{
    const std::uint32_t a = 0xf0f0000f;
    const std::uint32_t b = 0x0ff00001;
    const std::map<std::uint32_t, std::uint32_t> expected = {{0, 0x00e00010}, {2, 0xe100000e},  {8, 0xff00000e},
                                                             {9, 0xfff0000f}, {10, 0x00f00001}, {11, 0xf000000e},
                                                             {12, 0xff0ffffe}};
    for (const auto& [function, value] : expected) EXPECT_EQ(result_of(alu(function, move, 3, 1, 2), {a, b}), value);
    for (const auto function : {4U, 5U, 6U, 7U, 13U, 31U})
        EXPECT_EQ(end_of({alu(function, move, 3, 1, 2)}), macro_event::bad_instruction);
}

TEST(macro_fermi, carries_over_any_width)
{
    struct sum {
        std::uint64_t a, b;
    };
    for (const auto& [a, b] : {sum{0xffffffffffffffff, 1}, sum{0x00000001ffffffff, 0xffffffff00000001},
                               sum{0x7fffffff, 0x80000001}, sum{5, 7}, sum{7, 5}}) {
        for (const bool adds : {true, false}) {
            const std::uint32_t low = adds ? 0 : 2;
            // a is r1, r2; b r3, r4. The third word is the carry alone, or the borrow as -1.
            bench machine({add(load, 2, 0, 0), add(load, 3, 0, 0), add(load, 4, 0, 0), at(0x1000),
                           alu(low, send, 5, 1, 3), alu(10, move, 5, 5, 5), alu(low + 1, send, 5, 2, 4),
                           add(move, 5, 5, 1) | end, alu(low + 1, send, 5, 0, 0)});
            const auto sent = machine.run({static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(a >> 32),
                                           static_cast<std::uint32_t>(b), static_cast<std::uint32_t>(b >> 32)});
            const auto wide = adds ? a + b : a - b;
            const bool beyond = adds ? wide < a : a < b;
            EXPECT_EQ(sent, (sent_methods{{0x1000, static_cast<std::uint32_t>(wide)},
                                          {0x1004, static_cast<std::uint32_t>(wide >> 32)},
                                          {0x1008, beyond ? (adds ? 1 : 0xffffffff) : 0}}));
        }
    }
}

TEST(macro_fermi, adds_18_bits_with_their_sign)
{
    EXPECT_EQ(result_of(add(move, 3, 1, 0x1ffff), {1, 0}), 0x20000U);
    EXPECT_EQ(result_of(add(move, 3, 1, -0x20000), {0, 0}), 0xfffe0000U);
    EXPECT_EQ(result_of(add(move, 3, 1, -1), {0, 0}), 0xffffffffU);
}

TEST(macro_fermi, moves_bits)
{
    const std::uint32_t a = 0xffffffff;
    const std::uint32_t b = 0x12345678;
    EXPECT_EQ(result_of(bits(2, move, 3, 1, 2, 4, 8, 16), {a, b}), 0xff67ffffU);
    EXPECT_EQ(result_of(bits(2, move, 3, 0, 2, 28, 4, 28), {a, b}), 0x10000000U);
    EXPECT_EQ(result_of(bits(2, move, 3, 1, 2, 0, 1, 26), {a, b}), 0xfbffffffU);
    EXPECT_EQ(result_of(bits(2, move, 3, 1, 2, 0, 0, 5), {a, b}), a);
    EXPECT_EQ(result_of(bits(3, move, 3, 1, 2, 0, 8, 4), {8, b}), 0x560U);
    EXPECT_EQ(result_of(bits(3, move, 3, 1, 2, 0, 31, 0), {1, b}), 0x091a2b3cU);
    EXPECT_EQ(result_of(bits(3, move, 3, 1, 2, 0, 8, 4), {32, b}), 0U);
    EXPECT_EQ(result_of(bits(4, move, 3, 1, 2, 12, 8, 0), {20, b}), 0x04500000U);
    EXPECT_EQ(result_of(bits(4, move, 3, 1, 2, 12, 8, 0), {64, b}), 0U);
    EXPECT_EQ(end_of({bits(6, move, 3, 1, 2, 0, 0, 0)}), macro_event::bad_instruction);
}

TEST(macro_fermi, assigns_in_eight_ways)
{
    // The value 0x5402: method 0x1008, step 5. Register 2 keeps what each way keeps.
    const auto expect_sent = [](assignment how, std::deque<std::uint32_t> parameters, const sent_methods& expected) {
        bench ran({at(0x800, 2), add(how, 2, 1, 0x5402 - 7), alu(0, send, 0, 2, 0) | end, nothing});
        EXPECT_EQ(ran.run(std::move(parameters)), expected) << how;
        EXPECT_EQ(ran.last, macro_event::ended);
        EXPECT_TRUE(ran.host.parameters.empty());
    };
    expect_sent(load, {7, 99}, {{0x800, 99}});
    expect_sent(move, {7}, {{0x800, 0x5402}});
    expect_sent(aim, {7}, {{0x1008, 0x5402}});
    expect_sent(send_load, {7, 99}, {{0x800, 0x5402}, {0x808, 99}});
    expect_sent(send, {7}, {{0x800, 0x5402}, {0x808, 0x5402}});
    expect_sent(aim_load, {7, 99}, {{0x1008, 99}});
    expect_sent(aim_send_parameter, {7, 99}, {{0x1008, 99}, {0x101c, 0x5402}});
    expect_sent(aim_send_high, {7}, {{0x1008, 5}, {0x101c, 0x5402}});
}

TEST(macro_fermi, reads_registers_of_methods)
{
    bench machine({read(move, 2, 1, 0x10), at(0x3400) | end, alu(0, send, 0, 2, 0)});
    machine.host.values[0x1450] = 77;
    EXPECT_EQ(machine.run({0x504}), (sent_methods{{0x3400, 77}}));
}

TEST(macro_fermi, register_0_stays_0)
{
    bench machine({add(move, 0, 0, 5), at(0x100) | end, alu(0, send, 0, 0, 0)});
    EXPECT_EQ(machine.run({1}), (sent_methods{{0x100, 0}}));
}

class jumps : public testing::TestWithParam<std::tuple<bool, bool, std::uint32_t>> {};

TEST_P(jumps, run_their_delay_slot_unless_annulled)
{
    const auto [if_not_zero, without_slot, value] = GetParam();
    bench machine({at(0x100, 0), jump(if_not_zero, without_slot, 1, 3), add(send, 0, 0, 1), add(send, 0, 0, 2),
                   add(send, 0, 0, 3) | end, nothing});
    sent_methods expected;
    const bool taken = (value != 0) == if_not_zero;
    if (!taken || !without_slot) expected.emplace_back(0x100, 1);
    if (!taken) expected.emplace_back(0x100, 2);
    expected.emplace_back(0x100, 3);
    EXPECT_EQ(machine.run({value}), expected);
    EXPECT_EQ(machine.last, macro_event::ended);
}

INSTANTIATE_TEST_SUITE_P(forms, jumps, testing::Combine(testing::Bool(), testing::Bool(), testing::Values(0U, 1U)));

TEST(macro_fermi, end_flag_of_a_jump_acts_if_not_taken)
{
    // The parameter is the count; the slot runs each time.
    bench machine({at(0x100, 0), add(move, 1, 1, -1), jump(true, false, 1, -1) | end, alu(0, send, 0, 1, 0),
                   add(send, 0, 0, 99)});
    EXPECT_EQ(machine.run({3}), (sent_methods{{0x100, 2}, {0x100, 1}, {0x100, 0}}));
    EXPECT_EQ(machine.last, macro_event::ended);
}

TEST(macro_fermi, the_end_has_a_slot)
{
    bench machine({at(0x100) | end, add(send, 0, 0, 1), add(send, 0, 0, 2)});
    EXPECT_EQ(machine.run({0}), (sent_methods{{0x100, 1}}));
}

TEST(macro_fermi, waits_for_parameters_and_goes_on)
{
    bench machine({at(0x100), add(send_load, 2, 0, 5), alu(0, send, 0, 2, 1) | end, nothing});
    EXPECT_TRUE(machine.run({}).empty());
    EXPECT_EQ(machine.last, macro_event::waits);
    machine.host.parameters = {10};
    EXPECT_TRUE(machine.go_on().empty()); // and did not send half of it
    EXPECT_EQ(machine.last, macro_event::waits);
    machine.host.parameters = {20};
    EXPECT_EQ(machine.go_on(), (sent_methods{{0x100, 5}, {0x104, 30}}));
    EXPECT_EQ(machine.last, macro_event::ended);
}

TEST(macro_fermi, invalid_code_is_reported)
{
    EXPECT_EQ(end_of({add(move, 0, 0, 0)}), macro_event::outside_code);
    EXPECT_EQ(end_of({jump(false, true, 0, -1)}), macro_event::outside_code);
    EXPECT_EQ(end_of({alu(0, send, 0, 1, 0)}), macro_event::no_method);
}

} // namespace
} // namespace isbesim::gl::fermi
