// SPDX-License-Identifier: Apache-2.0
// Pass counts against a simulation of the passes themselves, written from micro-architecture section 5.
#include "models/isbe/functional/passes.h"

#include <random>
#include <set>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "models/isbe/execution/isbe_core.h"
#include "tests/isbe/core_bench.h"
#include "tests/isbe/random_operation.h"
#include "tests/support/repetitions.h"

namespace isbesim::test {
namespace {

constexpr bank_map maps[] = {bank_map::modulo, bank_map::rotate, bank_map::exclusive_or};

isbe_config machine_of(access_rule rule, unsigned banks, bank_map map)
{
    isbe_config config;
    config.access = rule;
    config.banks = banks;
    config.bank_map = map;
    return config;
}

pass_counter counter_of(access_rule rule, unsigned banks, bank_map map, std::size_t words)
{
    return {machine_of(rule, banks, map), words};
}

/// Section 5, bank of a word, bit by bit.
unsigned bank_of(word index, unsigned banks, bank_map map)
{
    unsigned bank = 0;
    unsigned carry = 0;
    for (unsigned bit = 0; 1U << bit < banks; ++bit) {
        const unsigned column = index >> bit & 1U;
        const unsigned line = map == bank_map::modulo ? 0 : index >> (5 + bit) & 1U;
        bank |= (column ^ line ^ carry) << bit;
        carry = map == bank_map::rotate ? (column & line) | (column & carry) | (line & carry) : 0;
    }
    return bank;
}

// Serves lanes pass by pass, with word indices only.
unsigned simulate(lane_mask lanes, const per_lane<word>& index, const isbe_config& machine)
{
    const auto rule = machine.access;
    unsigned passes = 0;
    while (lanes != 0) {
        ++passes;
        std::set<word> open;      // words on a bank's output in this pass
        std::set<word> busy;      // banks taken
        std::set<word> open_line; // line rule
        for (unsigned i = 0; i < 32; ++i) {
            if (((lanes >> i) & 1U) == 0) continue;
            if (rule == access_rule::banked && busy.insert(bank_of(index[i], machine.banks, machine.bank_map)).second)
                open.insert(index[i]);
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
    std::vector<std::pair<isbe_config, pass_counter>> counters;
    const auto add = [&](const isbe_config& machine) { counters.emplace_back(machine, pass_counter(machine, 40'000)); };
    for (const unsigned banks : {8U, 16U, 32U}) {
        for (const auto map : maps) add(machine_of(access_rule::banked, banks, map));
        add(machine_of(access_rule::line, banks, bank_map::rotate)); // no map changes anything
    }
    const word ranges[] = {2, 8, 40, 64, 256, 4096, 32768};
    for (unsigned n = 0, all = repetitions(10000); n < all; ++n) {
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
        for (auto& [machine, passes] : counters) {
            const auto count = passes.count(lanes, index);
            ASSERT_EQ(count.passes, simulate(lanes, index, machine)) << n;
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

TEST(passes, without_conflict_a_pass_serves_every_bank)
{
    for (const unsigned banks : {8U, 16U, 32U})
        for (unsigned words = 0; words < 200; ++words) {
            EXPECT_EQ(counter_of(access_rule::banked, banks, bank_map::modulo, 1024).ideal(words),
                      words / banks + (words % banks != 0 ? 1 : 0));
            EXPECT_EQ(counter_of(access_rule::line, banks, bank_map::modulo, 1024).ideal(words),
                      words / 32 + (words % 32 != 0 ? 1 : 0));
        }
    pass_count none;
    EXPECT_EQ(none.passes + none.words, 0U);
}

// Consecutive words from any word on, even if lane 0 would have a negative word (down to -31).
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
            for (const unsigned banks : {8U, 16U, 32U})
                for (const auto map : maps) {
                    const auto count = counter_of(rule, banks, map, 1024).count_run(lanes, first);
                    ASSERT_EQ(count.passes, simulate(lanes, index, machine_of(rule, banks, map))) << n;
                    ASSERT_EQ(count.words, lane_count(lanes));
                    ASSERT_FALSE(count.shared);
                }
    }
    EXPECT_EQ(counter_of(access_rule::banked, 32, bank_map::modulo, 1024).count_run(0, 5).passes, 0U);
}

/// Passes of 32 lanes whose words are `stride` apart.
unsigned passes_of(word first, word stride, unsigned banks, bank_map map)
{
    per_lane<word> index{};
    for (unsigned i = 0; i < 32; ++i) index[i] = first + stride * i;
    return counter_of(access_rule::banked, banks, map, 8192).count(all_lanes, index).passes;
}

// The page's table: a column of 32 lines, one word further in each line, and a single line.
TEST(passes, ISBE_13_columns_diagonals_and_lines_of_the_three_maps)
{
    for (const unsigned banks : {8U, 16U, 32U}) {
        const unsigned spread = 32 / banks;
        for (word column = 0; column < 32; ++column) {
            EXPECT_EQ(passes_of(column, 32, banks, bank_map::modulo), 32U);
            EXPECT_EQ(passes_of(column, 32, banks, bank_map::rotate), spread);
            EXPECT_EQ(passes_of(column, 32, banks, bank_map::exclusive_or), spread);
        }
        EXPECT_EQ(passes_of(0, 33, banks, bank_map::modulo), spread);
        EXPECT_EQ(passes_of(0, 33, banks, bank_map::rotate), 2 * spread);
        EXPECT_EQ(passes_of(0, 33, banks, bank_map::exclusive_or), 32U);
        for (const auto map : maps)
            for (word line = 0; line < 100; ++line) EXPECT_EQ(passes_of(32 * line, 1, banks, map), spread);
    }
}

// The worked example; and a row has a word in every bank: the word that word_in_column() finds is in that row and bank.
TEST(passes, ISBE_13_bank_and_row_identify_one_word)
{
    isbe_config config;
    for (const unsigned banks : {8U, 16U, 32U})
        for (const auto map : maps) {
            config.banks = banks;
            config.bank_map = map;
            const pass_counter passes(config, 1);
            for (word row = 0; row < 4096; ++row)
                for (unsigned bank = 0; bank < banks; ++bank) {
                    const word index = word_in_column(config, bank, row);
                    ASSERT_EQ(index / banks, row);
                    ASSERT_EQ(bank_of(index, banks, map), bank);
                    ASSERT_EQ(passes.column_of(index), bank);
                }
        }
    config.banks = 32;
    const unsigned of_word_70[] = {6, 8, 4};
    for (unsigned m = 0; m < 3; ++m) {
        config.bank_map = maps[m];
        EXPECT_EQ(pass_counter(config, 1).column_of(70), of_word_70[m]);
        config.access = access_rule::line;
        EXPECT_EQ(pass_counter(config, 1).column_of(70), 6U);
        config.access = access_rule::banked;
    }
}

/// The worked example of HARDWARE.md section G.
TEST(passes, E19_line_cycles)
{
    isbe_config config;
    config.access = access_rule::line;
    core_bench bench(config);
    auto c = simple_context(stage::geometry, address_range(0x80, 0x98), 1024);
    c.output = {};
    c.input.attr_bytes = 6 * 128 * 32;
    c.input.map_bytes = 0;
    bench.bind(c);
    const auto passes = [&](unsigned size, auto handle) {
        auto load = make_ald(0x80, size);
        for (unsigned i = 0; i < 32; ++i) load.handle[i] = handle(i);
        return unsigned{bench.run(load).passes};
    };
    const auto straight = [](unsigned i) { return i; };
    EXPECT_EQ(passes(1, straight), 1U);
    EXPECT_EQ(passes(2, straight), 2U);
    EXPECT_EQ(passes(3, straight), 3U);
    EXPECT_EQ(passes(4, straight), 4U);
    EXPECT_EQ(passes(1, [](unsigned i) { return i < 16 ? i : i + 16; }), 2U);
    EXPECT_EQ(passes(1, [](unsigned) { return 7U; }), 1U);
    EXPECT_EQ(passes(1, [](unsigned i) { return 32 * i; }), 32U);
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

// passes_by(), the passes of an operation on a machine with other banks, against a core of that machine which executes
// the same operations.

TEST(passes_by, are_those_of_a_core_with_the_other_banks)
{
    isbe_config own;
    own.lines = 128;
    own.banks = 16;
    own.access = access_rule::banked;
    own.bank_map = bank_map::modulo;
    std::vector<isbe_config> others(5, own);
    others[0].banks = 8;
    others[1].banks = 32;
    others[2].access = access_rule::line;
    others[3].bank_map = bank_map::rotate;
    others[4].bank_map = bank_map::exclusive_or;
    for (const auto& other : others) {
        isbe_core here(own), there(other);
        pass_counter counter(other, here.storage().words());
        random_source random(own, 5);
        unsigned differ = 0, none = 0;
        for (unsigned n = 0; n < 2000; ++n) {
            const auto op = random.next(n);
            warp_result result, expected;
            here.execute(op, result);
            there.execute(op, expected);
            const bool touches = op.op != opcode::bind && result.error == op_error::none;
            ASSERT_EQ(here.passes_by(counter), touches ? expected.passes : 0) << "operation " << n;
            differ += result.passes != expected.passes ? 1U : 0U;
            none += touches ? 0U : 1U;
        }
        EXPECT_GT(differ, 20U);
        EXPECT_GT(none, 20U);
    }
}

} // namespace
} // namespace isbesim::test
