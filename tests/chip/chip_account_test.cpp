// SPDX-License-Identifier: Apache-2.0
#include "testbench/figures/chip_account.h"

#include <algorithm>
#include <random>

#include <boost/json.hpp>
#include <gtest/gtest.h>

#include "testbench/chip/chip_series.h"
#include "testbench/report/cycle_stacks.h"

namespace isbesim::testbench {
namespace {

/// Cycle by cycle: in each those that are done and come next leave, then the rest is counted.
reorder_account by_cycle(const std::vector<std::uint64_t>& done)
{
    reorder_account account;
    account.batches = done.size();
    std::size_t next = 0;
    for (std::uint64_t cycle = 0; next < done.size(); ++cycle) {
        while (next < done.size() && done[next] <= cycle) {
            account.waited += cycle - done[next];
            account.longest = std::max(account.longest, cycle - done[next]);
            ++next;
        }
        std::uint64_t waiting = 0;
        for (auto i = next; i < done.size(); ++i) waiting += done[i] <= cycle ? 1 : 0;
        account.depth = std::max(account.depth, waiting);
    }
    return account;
}

TEST(reorder, waits_as_it_does_cycle_by_cycle)
{
    std::mt19937 random(3);
    for (unsigned round = 0; round < 300; ++round) {
        std::vector<std::uint64_t> done(random() % 40);
        for (auto& each : done) each = random() % 60;
        const auto found = account_of_reorder(done), expected = by_cycle(done);
        EXPECT_EQ(found.batches, expected.batches);
        EXPECT_EQ(found.depth, expected.depth) << "round " << round;
        EXPECT_EQ(found.waited, expected.waited);
        EXPECT_EQ(found.longest, expected.longest);
    }
}

TEST(chip_stacks, add_up_to_all_cycles_of_all_resources)
{
    const std::vector<tpc_account> tpcs = {
        {1,
         1,
         1,
         100,
         {{"pe.fetch", 100, 1, {{"fetch", 60}, {"no_vertices", 40}}}, {"sm0.scheduler0", 100, 1, {{"issue", 100}}}}},
        {1,
         1,
         1,
         70,
         {{"pe.fetch", 70, 1, {{"fetch", 30}, {"no_vertices", 40}}}, {"sm0.scheduler1", 70, 1, {{"issue", 70}}}}}};
    const auto all = added_up(tpcs, 100);
    ASSERT_EQ(all.size(), 2U);
    EXPECT_EQ(all[0].resource, "chip.fetch");
    EXPECT_EQ(all[0].cycles, 200U);
    EXPECT_EQ(all[0].busy(), 90U);
    ASSERT_EQ(all[0].parts.size(), 3U);
    EXPECT_EQ(all[0].parts[1].cycles, 80U);
    EXPECT_STREQ(all[0].parts[2].name, "ended");
    EXPECT_EQ(all[0].parts[2].cycles, 30U);
    EXPECT_EQ(all[1].resource, "chip.scheduler");
    EXPECT_EQ(all[1].busy(), 170U);
}

namespace json = boost::json;

TEST(chip_series, adds_bins_of_different_widths)
{
    // 6 cycles in bins of 2, and 9 in bins of 4.
    const auto first = json::parse(R"({"bin_cycles": 2, "last_bin_cycles": 2, "read_bytes": [1, 2, 3],
        "bank_words": [[1, 1, 1], [2, 2, 2]], "stalls": {"drain": [4, 5, 6]}, "warps": [1.0, 2.0, 4.0],
        "isbe_lines": [0.0, 0.0, 8.0], "first_warps": [[0, 3, "vertex", 5, 6]]})")
                           .as_object();
    const auto second = json::parse(R"({"bin_cycles": 4, "last_bin_cycles": 1, "read_bytes": [10, 20, 30],
        "bank_words": [[1, 2, 3], [0, 0, 0]], "stalls": {"drain": [1, 1, 1]}, "warps": [1.0, 1.0, 5.0],
        "isbe_lines": [2.0, 2.0, 2.0], "first_warps": [[1, 0, "vertex", 2, 9]]})")
                            .as_object();
    const auto sum = series_of_chip({first, second}, 9, 2);
    const auto expected = json::parse(R"({"bin_cycles": 4, "last_bin_cycles": 1, "read_bytes": [13, 23, 30],
        "bank_words": [[3, 3, 3], [4, 2, 0]], "stalls": {"drain": [10, 7, 1]}, "warps": [2.5, 3.0, 5.0],
        "isbe_lines": [2.0, 6.0, 2.0], "first_warps": [[3, 0, "vertex", 2, 9], [0, 3, "vertex", 5, 6]],
        "tpc_warps": [[1.5, 2.0, 0.0], [1.0, 1.0, 5.0]]})");
    EXPECT_EQ(json::value(sum), expected) << json::serialize(sum);
}

TEST(chip_series, is_empty_where_a_tpc_has_none)
{
    EXPECT_TRUE(series_of_chip({{}, {}}, 9, 2).empty());
}

} // namespace
} // namespace isbesim::testbench
