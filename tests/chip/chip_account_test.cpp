// SPDX-License-Identifier: Apache-2.0
#include "testbench/report/chip_account.h"

#include <algorithm>
#include <random>

#include <gtest/gtest.h>

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

} // namespace
} // namespace isbesim::testbench
