// SPDX-License-Identifier: Apache-2.0
// Row ISBE-13: the bank maps. Expected passes: the table of the micro-architecture page (section 5, bank of a word),
// and a count of the words that each bank has to serve.
#include <algorithm>
#include <random>
#include <set>
#include <tuple>
#include <vector>

#include "testbench/rtl/rtl_parameters.h"
#include "tests/conformance/isbe_fixture.h"

namespace isbesim::test {
namespace {

/// Configurations of rtl_ref/configurations.json: 32 banks with modulo, rotate and xor; rotate with 16 banks of an
/// unskewed layout and with 8, xor with 16.
const std::string machines[] = {"default", "alternative", "choices", "unskewed", "shallow", "fixed_priority"};

/// The bank, computed with integers.
unsigned bank_of(const isbe_config& machine, word index)
{
    const unsigned column = index % machine.banks;
    const unsigned line = index / 32 % machine.banks;
    if (machine.bank_map == bank_map::rotate) return (column + line) % machine.banks;
    return machine.bank_map == bank_map::exclusive_or ? column ^ line : column;
}

/// Passes of one component: the largest number of different words in a bank.
unsigned conflicts(const isbe_config& machine, lane_mask lanes, const per_lane<word>& index)
{
    std::vector<std::set<word>> bank_words(machine.banks);
    std::size_t most = 0;
    for (unsigned lane = 0; lane < warp_lanes; ++lane) {
        if ((lanes >> lane & 1U) == 0) continue;
        auto& words = bank_words[bank_of(machine, index[lane])];
        words.insert(index[lane]);
        most = std::max(most, words.size());
    }
    return static_cast<unsigned>(most);
}

class banks : public testing::TestWithParam<std::tuple<std::string, std::string>> {
protected:
    void SetUp() override
    {
        machine_ = testbench::rtl_configuration_of(std::get<1>(GetParam()));
        if (!can_build(std::get<0>(GetParam()), machine_)) GTEST_SKIP() << "no RTL in this build";
        bench_ = std::make_unique<isbe_bench>(std::get<0>(GetParam()), machine_);
    }
    warp_result run(const warp_op& op) { return bench_->run(op).result; }

    isbe_config machine_;
    std::unique_ptr<isbe_bench> bench_;
};
INSTANTIATE_TEST_SUITE_P(on, banks,
                         testing::Combine(testing::ValuesIn(back_ends_with_rtl()), testing::ValuesIn(machines)),
                         [](const auto& chosen) {
                             return std::get<0>(chosen.param) + "_" + std::get<1>(chosen.param);
                         });

warp_op physical(opcode op, const per_lane<word>& index)
{
    per_lane<word> address;
    for (unsigned lane = 0; lane < warp_lanes; ++lane) address[lane] = 4 * index[lane];
    if (op == opcode::isberd) return make_isberd(space::input, region::physical, 4, address);
    return make_isbewr(region::physical, 4, address, counting(0x1300));
}

TEST_P(banks, ISBE_13_a_column_of_32_lines_takes_32_passes_or_one)
{
    const unsigned spread = 32 / machine_.banks;
    const bool modulo = machine_.bank_map == bank_map::modulo;
    const bool rotate = machine_.bank_map == bank_map::rotate;
    for (const word column : {0U, 5U, 31U}) {
        const auto down = counting(column, 32);
        EXPECT_EQ(run(physical(opcode::isbewr, down)).passes, modulo ? 32 : spread);
        const warp_result read = run(physical(opcode::isberd, down));
        EXPECT_EQ(read.passes, modulo ? 32 : spread);
        EXPECT_EQ(read.data[0], counting(0x1300));
        for (unsigned lane = 0; lane < warp_lanes; ++lane) // the map does not change the place of the data
            EXPECT_EQ(bench_->peek(128 * lane + 4 * column), 0x1300 + lane);
        EXPECT_EQ(run(physical(opcode::isberd, counting(column * 32))).passes, spread) << "a line";
    }
    // One word further in each line.
    EXPECT_EQ(run(physical(opcode::isberd, counting(0, 33))).passes, modulo ? spread : rotate ? 2 * spread : 32);
}

TEST_P(banks, ISBE_13_random_words_are_served_by_the_bank_map)
{
    std::mt19937 random(13);
    const unsigned words = std::min(machine_.lines, 96U) * 32;
    std::vector<word> expected(words);
    for (word line = 0; line < words; line += 32) {
        warp_op clear = physical(opcode::isbewr, counting(line));
        clear.data[0] = {};
        run(clear);
    }
    for (unsigned n = 0; n < 300; ++n) {
        const auto base = static_cast<word>(random() % words);
        const auto stride = static_cast<word>(random() % 70);
        const bool scattered = n % 3 == 0;
        per_lane<word> index;
        for (unsigned lane = 0; lane < warp_lanes; ++lane)
            index[lane] = scattered ? static_cast<word>(random() % words) : (base + lane * stride) % words;
        warp_op op = physical(n % 2 == 0 ? opcode::isberd : opcode::isbewr, index);
        op.lanes = n % 5 == 0 ? static_cast<lane_mask>(random() | 1U) : all_lanes;
        if (op.op == opcode::isbewr) op.data[0] = counting(n << 8);
        const warp_result r = run(op);
        ASSERT_EQ(r.passes, conflicts(machine_, op.lanes, index)) << n;
        const bool highest = machine_.patch_winner == lane_winner::highest;
        for (unsigned i = 0; i < warp_lanes; ++i) {
            const unsigned lane = highest ? i : warp_lanes - 1 - i; // the winner writes last
            if ((op.lanes >> lane & 1U) == 0) continue;
            if (op.op == opcode::isbewr) {
                expected[index[lane]] = (n << 8) + lane;
            } else {
                ASSERT_EQ(r.data[0][lane], expected[index[lane]]) << n << ' ' << lane;
            }
        }
    }
    for (word index = 0; index < words; ++index) ASSERT_EQ(bench_->peek(4 * index), expected[index]) << index;
}

// Vectors of vertices in several groups of 32: components are whole lines apart if skewed, words otherwise.
TEST_P(banks, ISBE_13_attributes_of_vertices_all_over_the_space)
{
    std::mt19937 random(31);
    const attribute_set seven = ids({0x6c, 0x70, 0x74, 0x78, 0x7c, 0x80, 0x84});
    constexpr unsigned n = 7;
    constexpr unsigned vertices = 160;
    context c = make_context(stage::geometry, seven, {});
    c.input = c.output = make_space(0x80, seven, seven, vertices); // 64 lines hold it
    bench_->bind(0, c);
    for (unsigned turn = 0; turn < 200; ++turn) {
        warp_op load = make_ald(0x70, 4);
        const auto first = static_cast<word>(random() % 64);
        const auto step = static_cast<word>(turn % 4);
        for (unsigned lane = 0; lane < warp_lanes; ++lane)
            load.handle[lane] = turn % 2 == 0 ? static_cast<word>(random() % vertices) : first + step * lane;
        unsigned passes = 0;
        for (unsigned component = 0; component < 4; ++component) {
            const unsigned rank = 1 + component;
            per_lane<word> index;
            for (unsigned lane = 0; lane < warp_lanes; ++lane) {
                const word v = load.handle[lane];
                index[lane] = (c.input.attr_base + (machine_.skew ? skewed(n, rank, v) : (v * n + rank) * 4)) / 4;
            }
            passes += conflicts(machine_, all_lanes, index);
        }
        ASSERT_EQ(run(load).passes, passes) << turn;
    }
}

} // namespace
} // namespace isbesim::test
