// SPDX-License-Identifier: Apache-2.0
// XC-02: accesses that distinguish a bank map from modulo.
#include "testbench/crosscheck/traffic/bank_bins.h"

#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace isbesim::testbench {
namespace {

/// Bins that a read in `passes` passes hits: of word `first` and of words that are `apart` words apart.
std::set<std::string> bins_hit(bank_map map, word first, word apart, unsigned passes, access_rule access)
{
    isbe_config config;
    config.bank_map = map;
    config.access = access;
    std::vector<std::string> names{""};
    bank_bins bins(config, [&](const std::string& name) {
        names.push_back(name);
        return static_cast<bank_bins::bin>(names.size() - 1);
    });
    warp_op op;
    op.op = opcode::isberd;
    op.region = region::physical;
    op.size = 4;
    op.immediate = -4;
    for (unsigned lane = 0; lane < warp_lanes; ++lane) op.address[lane] = 4 * (first + apart * lane) + 4;
    warp_result result;
    result.passes = static_cast<std::uint16_t>(passes);
    bin_hits hits(names.size());
    bins.sample(op, result, hits);
    const auto word_hits = hits;
    op.size = 2; // two lanes may share a word
    bins.sample(op, result, hits);
    op.size = 4;
    op.address[3] += 2; // reaches into a second word
    bins.sample(op, result, hits);
    op.address[3] -= 2;
    op.region = region::attr; // its place in the storage is unknown here
    bins.sample(op, result, hits);
    EXPECT_EQ(hits, word_hits);
    std::set<std::string> hit;
    for (std::size_t b = 0; b < hits.size(); ++b)
        if (hits[b] != 0) hit.insert(names[b]);
    return hit;
}

TEST(bank_bins, XC_02_columns_take_fewer_passes_and_diagonals_more)
{
    using bins = std::set<std::string>;
    const auto banked = access_rule::banked;
    EXPECT_EQ(bins_hit(bank_map::rotate, 7, 32, 1, banked), bins{"bank_map.read.fewer_passes"});
    EXPECT_EQ(bins_hit(bank_map::exclusive_or, 0, 33, 32, banked), bins{"bank_map.read.more_passes"});
    EXPECT_EQ(bins_hit(bank_map::rotate, 64, 1, 1, banked), bins{});
    EXPECT_EQ(bins_hit(bank_map::modulo, 7, 32, 1, banked), bins{});
    EXPECT_EQ(bins_hit(bank_map::rotate, 7, 32, 1, access_rule::line), bins{});
}

} // namespace
} // namespace isbesim::testbench
