// SPDX-License-Identifier: Apache-2.0
// What an operation does to banks, crossbar and maps: closed forms of the layout for machines of known shape.
#include <numeric>

#include <gtest/gtest.h>

#include "tests/isbe/core_bench.h"

namespace isbesim::test {
namespace {

access_footprint footprint_of(core_bench& bench, const warp_op& op)
{
    access_footprint footprint;
    bench.core.execute(op, bench.result, footprint);
    return footprint;
}

core_bench bench_of(unsigned banks, bool skew, const attribute_set& set, bank_map map = bank_map::modulo)
{
    isbe_config config;
    config.bank_map = map;
    config.banks = banks;
    config.skew = skew;
    core_bench bench(config);
    bench.bind(simple_context(stage::vertex, set));
    return bench;
}

template <typename Array>
std::uint64_t total(const Array& values)
{
    return std::accumulate(values.begin(), values.end(), std::uint64_t{0});
}

TEST(footprint, a_skewed_vector_uses_every_bank_equally)
{
    for (const unsigned banks : {8U, 16U, 32U}) {
        auto bench = bench_of(banks, true, address_range(0x70, 0x80));
        const auto load = footprint_of(bench, ald(0x70, 4));
        EXPECT_EQ(load.bank_reads, 128U);
        EXPECT_EQ(load.bank_writes, 0U);
        EXPECT_EQ(load.crossbar_words, 128U);
        EXPECT_EQ(load.map_lookups, 4U);
        EXPECT_EQ(load.bytes_read, 512U);
        EXPECT_EQ(load.passes, 128 / banks);
        EXPECT_EQ(load.ideal_passes, load.passes);
        for (unsigned b = 0; b < banks; ++b) EXPECT_EQ(load.bank_words[b], 128 / banks);
        EXPECT_EQ(total(load.bank_words), 128U);
        EXPECT_EQ(total(load.bank_excess), 0U);
        const auto store = footprint_of(bench, ast(0x70, 4, [](unsigned, unsigned lane) { return lane; }));
        EXPECT_EQ(store.bank_writes, 128U);
        EXPECT_EQ(store.bank_reads, 0U);
        EXPECT_EQ(store.bytes_written, 512U);
    }
}

// Vertex v of n = 8 attributes is at word 8v: lanes meet in 4 of 32 banks, 8 words in each.
TEST(footprint, an_array_of_vertices_waits_for_few_banks)
{
    auto bench = bench_of(32, false, address_range(0x80, 0xa0));
    const auto load = footprint_of(bench, ald(0x80));
    EXPECT_EQ(load.bank_reads, 32U);
    EXPECT_EQ(load.passes, 8U);
    EXPECT_EQ(load.ideal_passes, 1U);
    for (unsigned b = 0; b < 32; ++b) {
        EXPECT_EQ(load.bank_words[b], b % 8 == 0 ? 8U : 0U) << b;
        EXPECT_EQ(load.bank_excess[b], b % 8 == 0 ? 7U : 0U) << b;
    }
}

// The vertices of the test before, and three single words: the reported banks are those of the map.
TEST(footprint, ISBE_13_banks_are_those_of_the_map)
{
    for (const auto map : {bank_map::rotate, bank_map::exclusive_or}) {
        auto bench = bench_of(32, false, address_range(0x80, 0xa0), map);
        const auto load = footprint_of(bench, ald(0x80)); // words 0, 8, 16, 24 of lines 0 to 7
        EXPECT_EQ(load.passes, 1U);
        EXPECT_EQ(load.ideal_passes, 1U);
        for (unsigned b = 0; b < 32; ++b) EXPECT_EQ(load.bank_words[b], 1U) << b;
        EXPECT_EQ(total(load.bank_excess), 0U);

        // Word 165 (5 of line 5) has bank 10 or 0, as words 196 (4 of line 6) by rotate, 198 (6 of line 6) by xor.
        const bool rotate = map == bank_map::rotate;
        auto two = raw(opcode::isberd, region::physical, space::input, 4, 0);
        two.lanes = 0b111;
        two.address = {4 * 165, rotate ? 4 * 196U : 4 * 198U, 4 * 192};
        const auto read = footprint_of(bench, two);
        const unsigned shared = rotate ? 10 : 0;
        EXPECT_EQ(read.passes, 2U);
        EXPECT_EQ(read.bank_words[shared], 2U);
        EXPECT_EQ(read.bank_excess[shared], 1U);
        EXPECT_EQ(read.bank_words[6], 1U);
        EXPECT_EQ(total(read.bank_words), 3U);
        EXPECT_EQ(total(read.bank_excess), 1U);
    }
}

TEST(footprint, lanes_on_one_word_cost_the_bank_once_and_the_crossbar_each)
{
    auto bench = bench_of(32, true, addresses({0x70}));
    const auto read = footprint_of(bench, raw(opcode::isberd, region::attr, space::input, 4, 0));
    EXPECT_EQ(read.bank_reads, 1U);
    EXPECT_EQ(read.crossbar_words, 32U);
    EXPECT_EQ(read.map_lookups, 0U);
    EXPECT_EQ(read.bytes_read, 128U);
    EXPECT_EQ(read.bank_words[0], 1U);
    EXPECT_EQ(total(read.bank_words), 1U);
}

TEST(footprint, every_address_of_the_lanes_is_looked_up)
{
    auto bench = bench_of(32, true, address_range(0x70, 0x90));
    auto load = ald(0x70, 2);
    for (unsigned lane = 0; lane < warp_lanes; ++lane) load.address[lane] = lane % 2 * 16;
    EXPECT_EQ(footprint_of(bench, load).map_lookups, 4U); // two addresses, two components
    auto al2p = ald(0x70, 1);
    al2p.op = opcode::al2p;
    const auto translated = footprint_of(bench, al2p);
    EXPECT_EQ(translated.map_lookups, 1U);
    EXPECT_EQ(translated.bank_reads, 0U);
    EXPECT_EQ(translated.crossbar_words, 0U);
    EXPECT_EQ(translated.passes, 0U);
}

TEST(footprint, defaults_are_looked_up_but_not_read)
{
    auto bench = bench_of(32, true, addresses({0x70, 0x74}));
    const auto load = footprint_of(bench, ald(0x70, 4));
    EXPECT_EQ(load.map_lookups, 4U);
    EXPECT_EQ(load.bank_reads, 64U);
    EXPECT_EQ(load.crossbar_words, 64U);
}

// The sum over operations is what the counters say, and watching changes no result.
TEST(footprint, watching_changes_nothing)
{
    auto watched = bench_of(8, false, address_range(0x70, 0x9c));
    auto alone = bench_of(8, false, address_range(0x70, 0x9c));
    std::uint64_t reads = 0, writes = 0, crossbar = 0, passes = 0;
    for (unsigned i = 0; i < 200; ++i) {
        auto op = i % 3 == 0 ? ast(0x70 + i % 11 * 4, 1 + i % 4, [&](unsigned c, unsigned l) { return i * c + l; })
                             : ald(0x70 + i % 9 * 4, 1 + i % 4, i % 2 == 0 ? space::input : space::output);
        op.lanes = 0xffffffffU >> (i % 32);
        if (i % 5 == 0) op.address[3] = 8;
        const auto footprint = footprint_of(watched, op);
        alone.run(op);
        EXPECT_EQ(watched.result.data, alone.result.data) << i;
        EXPECT_EQ(watched.result.status, alone.result.status) << i;
        EXPECT_EQ(watched.result.passes, alone.result.passes) << i;
        EXPECT_EQ(total(footprint.bank_words), footprint.bank_reads + footprint.bank_writes) << i;
        reads += footprint.bank_reads;
        writes += footprint.bank_writes;
        crossbar += footprint.crossbar_words;
        passes += footprint.passes;
    }
    EXPECT_EQ(alone.core.counters().bank_reads, reads);
    EXPECT_EQ(alone.core.counters().bank_writes, writes);
    EXPECT_EQ(alone.core.counters().crossbar_words, crossbar);
    EXPECT_EQ(alone.core.counters().passes, passes);
}

} // namespace
} // namespace isbesim::test
