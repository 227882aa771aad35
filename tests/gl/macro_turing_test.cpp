// SPDX-License-Identifier: Apache-2.0
// Macros from Turing on, field by field. Encodings: NVIDIA's public description of them (HARDWARE.md J.6).
#include "testbench/gl/channel/macro_turing.h"

#include <gtest/gtest.h>

#include "tests/gl/macro_test.h"

namespace isbesim::gl::turing {
namespace {

using bench = macro_bench<macro_turing>;

enum operations : std::uint32_t {
    op_add,
    op_addc,
    op_sub,
    op_subb,
    op_mul,
    op_mulh,
    op_mulu,
    op_extended,
    op_clz,
    op_sll,
    op_srl,
    op_sra,
    op_and,
    op_nand,
    op_or,
    op_xor,
    op_merge,
    op_slt,
    op_sltu,
    op_sle,
    op_sleu,
    op_seq,
    op_state,
    op_loop,
    op_jal,
    op_blt,
    op_bltu,
    op_ble,
    op_bleu,
    op_beq,
    op_dread,
    op_dwrite
};

const group ends = {{}, {}, {}, {}, 0, zero, true};
const group nothing = {};

/// r1 and r2 are parameters; both results of the group go to 0x1000 and 0x1004.
sent_methods results_of(group tested, std::uint32_t x, std::uint32_t y)
{
    tested.one = {none, alu_0};
    tested.two = {none, alu_1};
    bench ran(
        macro({{{op_add, 1, load_0, zero, at(0x1000)}, {op_add, 2, load_1}, {imm_0, none}}, tested, ends, nothing}));
    auto sent = ran.run({x, y});
    EXPECT_EQ(ran.last, macro_event::ended);
    return sent;
}

std::uint32_t result_of(const alu& what, std::uint32_t x, std::uint32_t y)
{
    const auto first = results_of({what, {}}, x, y);
    const auto second = results_of({{}, what}, x, y);
    if (first.size() != 2 || second.size() != 2) {
        ADD_FAILURE() << "no result";
        return 0;
    }
    EXPECT_EQ(first[0].second, second[1].second) << "the ALUs differ";
    return first[0].second;
}

/// How a macro without parameters ends.
macro_event end_of(const std::vector<group>& groups)
{
    bench machine(macro(groups));
    machine.run({});
    return machine.last;
}

TEST(macro_turing, encoding_matches_published_words)
{
    EXPECT_EQ(macro({nothing}), (std::vector<std::uint32_t>{0x00000003, 0x18c00000, 0x318c0300}));
}

TEST(macro_turing, computes_with_two_registers)
{
    const std::uint32_t x = 0xf0f0000f;
    const std::uint32_t y = 0x0ff00021;
    const std::map<std::uint32_t, std::uint32_t> expected = {
        {op_add, 0x00e00030},  {op_sub, 0xe0ffffee}, {op_mul, 0xfe0001ef}, {op_mulu, 0xfe0001ef},
        {op_sll, 0xe1e0001e},  {op_srl, 0x78780007}, {op_sra, 0xf8780007}, {op_and, 0x00f00001},
        {op_nand, 0xff0ffffe}, {op_or, 0xfff0002f},  {op_xor, 0xff00002e}, {op_slt, 0xffffffff},
        {op_sltu, 0},          {op_sle, 0xffffffff}, {op_sleu, 0},         {op_seq, 0}};
    for (const auto& [operation, value] : expected)
        EXPECT_EQ(result_of({operation, zero, 1, 2}, x, y), value) << operation;
    for (const auto operation : {op_sle, op_sleu, op_seq})
        EXPECT_EQ(result_of({operation, zero, 1, 2}, x, x), 0xffffffffU);
    for (const auto operation : {op_slt, op_sltu}) EXPECT_EQ(result_of({operation, zero, 1, 2}, x, x), 0U);
    EXPECT_EQ(result_of({op_sltu, zero, 1, 2}, y, x), 0xffffffffU);
    EXPECT_EQ(result_of({op_clz, zero, 1}, 0x00406fe0, 0), 9U);
    EXPECT_EQ(result_of({op_clz, zero, 1}, 0, 0), 32U);
}

TEST(macro_turing, knows_its_sources)
{
    EXPECT_EQ(result_of({op_add, zero, imm, zero, 0x8000}, 0, 0), 0xffff8000U);
    EXPECT_EQ(result_of({op_add, zero, 1, imm, 0x7fff}, 1, 0), 0x8000U);
    EXPECT_EQ(results_of({{op_add, zero, imm_pair, zero, 1}, {op_add, zero, imm_pair, zero, 0xfffe}}, 0, 0),
              (sent_methods{{0x1000, 0xfffffffe}, {0x1004, 1}}));
    EXPECT_EQ(results_of({{op_add, zero, imm_32, zero, 0x1234}, {op_sub, zero, zero, imm_32, 0x8765}}, 0, 0),
              (sent_methods{{0x1000, 0x12348765}, {0x1004, 0xedcb789b}}));
    for (const auto name : {30U, 31U})
        EXPECT_EQ(end_of({{{op_add, 1, name}}, ends, nothing}), macro_event::bad_instruction);
}

TEST(macro_turing, pairs_make_64_bits)
{
    const auto pair = [](std::uint32_t low, std::uint32_t high, std::uint32_t a, std::uint32_t b) {
        return results_of({{low, zero, 1, 2}, {high, zero, zero, zero}}, a, b);
    };
    using both = sent_methods;
    EXPECT_EQ(pair(op_add, op_addc, 0x80008650, 0x8000a8f6), (both{{0x1000, 0x00012f46}, {0x1004, 1}}));
    EXPECT_EQ(pair(op_add, op_addc, 0x7fffffff, 0x80000000), (both{{0x1000, 0xffffffff}, {0x1004, 0}}));
    EXPECT_EQ(pair(op_sub, op_subb, 1, 2), (both{{0x1000, 0xffffffff}, {0x1004, 0xffffffff}}));
    EXPECT_EQ(pair(op_sub, op_subb, 2, 2), (both{{0x1000, 0}, {0x1004, 0}}));
    EXPECT_EQ(pair(op_mul, op_mulh, 0xffffffff, 2), (both{{0x1000, 0xfffffffe}, {0x1004, 0xffffffff}}));
    EXPECT_EQ(pair(op_mulu, op_mulh, 0xffffffff, 2), (both{{0x1000, 0xfffffffe}, {0x1004, 1}}));
    EXPECT_EQ(pair(op_mulu, op_mulh, 0x80000000, 0x80000000), (both{{0x1000, 0}, {0x1004, 0x40000000}}));
}

TEST(macro_turing, merges_bits)
{
    const auto merge = [](std::uint32_t to, std::uint32_t count, std::uint32_t first) {
        return result_of({op_merge, zero, 1, 2, to << 10 | count << 5 | first}, 0xffffffff, 0x12345678);
    };
    EXPECT_EQ(merge(16, 8, 4), 0xff67ffffU);
    EXPECT_EQ(merge(26, 1, 0), 0xfbffffffU);
    EXPECT_EQ(merge(24, 12, 8), 0x56ffffffU);
    EXPECT_EQ(merge(0, 0, 0), 0xffffffffU);
    EXPECT_EQ(merge(32, 8, 0), 0xffffffffU);
}

TEST(macro_turing, sends_from_every_place)
{
    const auto sent_by = [](std::uint32_t what) {
        bench ran(macro({{{op_add, zero, load_0, imm_pair, 0x9abc},
                          {op_add, zero, load_1, zero, 0x1400},
                          {imm_1, none},
                          {none, what},
                          0,
                          zero,
                          true},
                         nothing}));
        const auto& sent = ran.run({1000, 2000});
        EXPECT_EQ(ran.last, macro_event::ended);
        return sent.size() == 1 && sent[0].first == 0x1000 ? sent[0].second : 0xdeadbeef;
    };
    EXPECT_EQ(sent_by(alu_0), 1000U + 0x1400U);
    EXPECT_EQ(sent_by(alu_1), 2000U);
    EXPECT_EQ(sent_by(out_load_0), 1000U);
    EXPECT_EQ(sent_by(out_load_1), 2000U);
    EXPECT_EQ(sent_by(imm_0), 0x9abcU);
    EXPECT_EQ(sent_by(imm_1), 0x1400U);
    EXPECT_EQ(sent_by(high_0), 9U);
    EXPECT_EQ(sent_by(high_1), 1U);
    EXPECT_EQ(sent_by(out_imm_32), 0x9abc1400U);
    for (const auto name : {7U, 11U, 15U})
        EXPECT_EQ(end_of({{{}, {}, {imm_0, name}}, ends, nothing}), macro_event::bad_instruction);
}

TEST(macro_turing, aims_before_it_sends_and_steps_after)
{
    bench ran(macro({{{op_add, zero, zero, zero, at(0x1000, 3)},
                      {op_add, zero, zero, zero, at(0x800, 0)},
                      {imm_0, imm_1},
                      {none, imm_0}},
                     {{}, {op_add, zero, zero, zero, at(0x800, 0)}, {imm_1, imm_0}, {none, imm_1}},
                     ends,
                     nothing}));
    EXPECT_EQ(ran.run({}),
              (sent_methods{{0x1000, at(0x800, 0)}, {0x100c, at(0x1000, 3)}, {0x800, 0}, {0x800, at(0x800, 0)}}));
}

class predicates : public testing::TestWithParam<std::tuple<std::uint32_t, std::uint32_t>> {};

TEST_P(predicates, select_executed_parts)
{
    static const char* const names[16] = {"UUUU", "TTTT", "FFFF", "TTUU", "FFUU", "TFUU", "TUUU", "FUUU",
                                          "UUTT", "UUTF", "UUTU", "UUFT", "UUFF", "UUFU", "UUUT", "UUUF"};
    const auto mode = std::get<0>(GetParam());
    const auto value = std::get<1>(GetParam());
    bench ran(macro({{{op_add, 1, load_0, zero, at(0x1000)}, {}, {imm_0, none}},
                     {{op_add, 2, imm, zero, 5}, {op_add, 3, imm, zero, 6}, {none, imm_0}, {none, imm_1}, mode, 1},
                     {{op_add, zero, 2, zero, at(0x1100)}, {op_add, zero, 3}, {imm_0, alu_0}, {none, alu_1}},
                     ends,
                     nothing}));
    const auto runs = [&](unsigned part) {
        const auto how = names[mode][part];
        return how == 'U' || (how == 'T') == (value != 0);
    };
    sent_methods expected;
    std::uint32_t method = 0x1000;
    for (unsigned i = 0; i < 2; ++i) {
        if (!runs(2 + i)) continue;
        expected.emplace_back(method, 5 + i);
        method += 4;
    }
    expected.emplace_back(0x1100, runs(0) ? 5 : 0);
    expected.emplace_back(0x1104, runs(1) ? 6 : 0);
    EXPECT_EQ(ran.run({value}), expected);
}

INSTANTIATE_TEST_SUITE_P(modes, predicates, testing::Combine(testing::Range(0U, 16U), testing::Values(0U, 7U)));

TEST(macro_turing, a_part_that_does_not_run_takes_its_parameter)
{
    bench ran(macro({{{op_add, 1, load_0, zero, 0}, {}, {}, {}, 1, zero},
                     {{op_add, zero, load_0, zero, at(0x1000)}, {}, {imm_0, alu_0}, {none, none}},
                     ends,
                     nothing}));
    EXPECT_EQ(ran.run({1, 2}), (sent_methods{{0x1000, 2}}));
}

TEST(macro_turing, loop_count_is_a_register)
{
    bench ran(macro({{{op_add, 1, load_0, zero, at(0x1000, 0)}, {}, {imm_0, none}},
                     {{op_loop, zero, 1, zero, 3}},
                     {{op_add, 2, 2, imm, 1}, {}, {none, alu_0}},
                     {{op_add, 3, 3, imm, 2}},
                     {{op_add, zero, 3, zero, at(0x1004)}, {}, {imm_0, alu_0}, {}, 0, zero, true},
                     nothing}));
    for (const auto count : {0U, 1U, 2U, 5U}) {
        sent_methods expected;
        for (unsigned i = 0; i < count; ++i) expected.emplace_back(0x1000, i + 1);
        expected.emplace_back(0x1004, 2 * count);
        EXPECT_EQ(ran.run({count}), expected);
    }
}

class branches : public testing::TestWithParam<std::tuple<std::uint32_t, bool, std::uint32_t, std::uint32_t>> {};

TEST_P(branches, follow_the_comparison)
{
    const auto [operation, if_true, x, y] = GetParam();
    // The rest of the group runs in any case, and there is no slot.
    bench ran(macro({{{op_add, 1, load_0, zero, at(0x1000, 0)}, {op_add, 2, load_1}, {imm_0, none}},
                     {{operation, zero, 1, 2, (if_true ? 0x8000U : 0U) | 2}, {op_add, 3, imm, zero, 1}, {none, imm_1}},
                     {{op_add, 3, 3, imm, 10}},
                     {{op_add, zero, 3}, {}, {none, alu_0}, {}, 0, zero, true},
                     nothing}));
    bool holds = x == y;
    if (operation == op_blt) holds = static_cast<std::int32_t>(x) < static_cast<std::int32_t>(y);
    if (operation == op_ble) holds = static_cast<std::int32_t>(x) <= static_cast<std::int32_t>(y);
    if (operation == op_bltu) holds = x < y;
    if (operation == op_bleu) holds = x <= y;
    EXPECT_EQ(ran.run({x, y}), (sent_methods{{0x1000, 1}, {0x1000, holds == if_true ? 1 : 11}}));
    EXPECT_EQ(ran.last, macro_event::ended);
}

INSTANTIATE_TEST_SUITE_P(comparisons, branches,
                         testing::Combine(testing::Range<std::uint32_t>(op_blt, op_beq + 1), testing::Bool(),
                                          testing::Values(0U, 5U, 0xfffffffbU), testing::Values(0U, 5U, 0x80000000U)));

TEST(macro_turing, jumps_back_and_always)
{
    bench ran(macro({{{op_add, 1, load_0, zero, at(0x1000, 0)}, {}, {imm_0, none}},
                     {{op_jal, zero, zero, zero, 0x8002}},
                     {{op_add, zero, imm, zero, 99}, {}, {none, alu_0}},
                     {{op_sub, 1, 1, imm, 1}, {}, {none, alu_0}},
                     {{op_beq, zero, 1, zero, 0x1fff}}, // unless equal, one back
                     ends,
                     nothing}));
    EXPECT_EQ(ran.run({3}), (sent_methods{{0x1000, 2}, {0x1000, 1}, {0x1000, 0}}));
}

TEST(macro_turing, the_lowest_offset_leaves_at_once)
{
    bench ran(macro({{{op_beq, zero, zero, zero, 0x9000}, {op_add, zero, zero, zero, at(0x1000)}, {imm_1, imm_1}},
                     {{}, {}, {none, imm_0}}}));
    EXPECT_EQ(ran.run({}), (sent_methods{{0x1000, at(0x1000)}}));
    EXPECT_EQ(ran.last, macro_event::ended);
}

TEST(macro_turing, end_flag_of_a_jump_acts_if_not_taken)
{
    bench ran(macro({{{op_add, 1, load_0, zero, at(0x1000, 0)}, {}, {imm_0, none}},
                     {{op_sub, 1, 1, imm, 1}, {}, {none, alu_0}},
                     {{op_beq, zero, 1, zero, 0x1fff}, {}, {}, {}, 0, zero, true},
                     {{op_add, zero, imm, zero, 77}, {}, {none, alu_0}},
                     nothing}));
    EXPECT_EQ(ran.run({2}), (sent_methods{{0x1000, 1}, {0x1000, 0}, {0x1000, 77}}));
    EXPECT_EQ(ran.last, macro_event::ended);
}

TEST(macro_turing, reads_methods_and_its_ram)
{
    bench ran(macro({{{op_add, 1, load_0, zero, at(0x1000)}, {}, {imm_0, none}},
                     {{op_state, 2, imm, 1, 0xd00}},
                     {{op_dwrite, zero, imm, 2, 0xbff}, {}, {none, imm_0}},
                     {{op_dread, 3, imm, zero, 0xbff}, {}, {none, alu_0}, {}, 0, zero, true},
                     nothing}));
    ran.host.values[0x3408] = 4321;
    EXPECT_EQ(ran.run({2}), (sent_methods{{0x1000, 0xbff}, {0x1004, 4321}}));
    EXPECT_EQ(ran.memory.ram[0xbff], 4321U);
    for (const auto operation : {op_dread, op_dwrite})
        EXPECT_EQ(end_of({{{operation, zero, imm, zero, 0xc00}}, ends, nothing}), macro_event::outside_ram);
}

TEST(macro_turing, waits_for_all_parameters_of_an_instruction)
{
    bench ran(macro({{{op_add, 1, load_0, zero, at(0x1000)},
                      {op_add, 2, load_1},
                      {imm_0, out_load_1},
                      {none, alu_0},
                      0,
                      zero,
                      true},
                     nothing}));
    EXPECT_TRUE(ran.run({10}).empty());
    EXPECT_EQ(ran.last, macro_event::waits);
    ran.host.parameters.push_back(20);
    EXPECT_EQ(ran.go_on(), (sent_methods{{0x1000, 20}, {0x1004, 10}}));
}

TEST(macro_turing, knows_one_extended_operation)
{
    EXPECT_EQ(end_of({{{op_extended, zero, imm, imm_pair, 0x1000}, {op_add, zero, zero, zero, 1}}, ends, nothing}),
              macro_event::ended);
    EXPECT_EQ(end_of({{{op_extended, zero, imm, imm_pair, 0x1000}, {op_add, zero, zero, zero, 2}}, ends, nothing}),
              macro_event::bad_instruction);
}

TEST(macro_turing, invalid_code_is_reported)
{
    EXPECT_EQ(end_of({nothing}), macro_event::outside_code);
    bench short_of_a_word({0, 0});
    short_of_a_word.run({});
    EXPECT_EQ(short_of_a_word.last, macro_event::outside_code);
    EXPECT_EQ(end_of({{{op_beq, zero, zero, zero, 0x8000 | 0x1fff}}, nothing}), macro_event::outside_code);
    EXPECT_EQ(end_of({{{}, {}, {none, imm_0}}, ends, nothing}), macro_event::no_method);
    EXPECT_EQ(end_of({{{op_add, imm}}, ends, nothing}), macro_event::bad_instruction);
}

} // namespace
} // namespace isbesim::gl::turing
