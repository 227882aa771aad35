// SPDX-License-Identifier: Apache-2.0
#include "models/pe/front_end/dealing.h"

#include <deque>
#include <random>

#include <gtest/gtest.h>

#include "tests/pe/draws.h"

namespace isbesim {
namespace {

chip_config chip_of(unsigned gpcs, unsigned tpcs, unsigned deal, deal_order order)
{
    chip_config chip;
    chip.gpcs = gpcs;
    chip.tpcs = tpcs;
    chip.deal_batches = deal;
    chip.deal_order = order;
    return chip;
}

std::vector<unsigned> turns(const chip_config& chip, unsigned count)
{
    std::vector<unsigned> result;
    for (unsigned i = 0; i < count; ++i) result.push_back(tpc_of_batch(chip, i));
    return result;
}

TEST(dealing, goes_round_the_gpcs_or_the_tpcs)
{
    using list = std::vector<unsigned>;
    EXPECT_EQ(turns(chip_of(2, 3, 1, deal_order::gpcs_first), 8), (list{0, 3, 1, 4, 2, 5, 0, 3}));
    EXPECT_EQ(turns(chip_of(2, 3, 1, deal_order::tpcs_first), 8), (list{0, 1, 2, 3, 4, 5, 0, 1}));
    EXPECT_EQ(turns(chip_of(2, 2, 3, deal_order::gpcs_first), 13), (list{0, 0, 0, 2, 2, 2, 1, 1, 1, 3, 3, 3, 0}));
    EXPECT_EQ(turns(chip_of(1, 1, 2, deal_order::gpcs_first), 3), (list{0, 0, 0}));
}

/// Primitives of random batches one by one, cycle by cycle: so many leave the assembly, and each GPC takes so many of
/// those that wait for it. A batch is at its TPC when its last primitive is.
std::vector<std::uint64_t> arrivals_by_cycle(const chip_config& chip, const std::vector<unsigned>& sizes)
{
    struct waiting {
        std::size_t batch;
        unsigned left;
    };
    std::vector<std::uint64_t> arrivals(sizes.size());
    std::vector<std::deque<waiting>> paths(chip.gpcs); // whole batches that have been assembled
    std::size_t batch = 0, arrived = 0;
    unsigned assembled = 0; // of that batch
    for (std::uint64_t cycle = 1; arrived < sizes.size(); ++cycle) {
        // Primitives assembled by the end of the previous cycle are on their way in this one.
        for (auto& path : paths) {
            for (auto left = chip.gpc_primitives_per_cycle; left != 0 && !path.empty();) {
                const auto taken = std::min(left, path.front().left);
                left -= taken;
                path.front().left -= taken;
                if (path.front().left != 0) continue;
                arrivals[path.front().batch] = cycle;
                path.pop_front();
                ++arrived;
            }
        }
        for (auto left = chip.primitives_per_cycle; left != 0 && batch < sizes.size();) {
            const auto made = std::min(left, sizes[batch] - assembled);
            left -= made;
            assembled += made;
            if (assembled != sizes[batch]) continue;
            paths[tpc_of_batch(chip, batch) / chip.tpcs].push_back({batch, sizes[batch]});
            assembled = 0;
            ++batch;
        }
    }
    return arrivals;
}

TEST(dealing, takes_the_time_that_primitives_take_one_by_one)
{
    std::mt19937 random(20);
    const auto below = [&](unsigned limit) { return static_cast<unsigned>(random() % limit); };
    for (unsigned round = 0; round < 200; ++round) {
        auto chip = chip_of(1 + below(4), 1 + below(4), 1 + below(3),
                            below(2) == 0 ? deal_order::gpcs_first : deal_order::tpcs_first);
        chip.primitives_per_cycle = 1 + below(5);
        chip.gpc_primitives_per_cycle = 1 + below(5);
        std::vector<unsigned> sizes(1 + below(60));
        for (auto& size : sizes) size = 1 + below(40);
        dealing_time time(chip);
        std::vector<std::uint64_t> arrivals;
        for (std::size_t i = 0; i < sizes.size(); ++i)
            arrivals.push_back(time.arrival(sizes[i], tpc_of_batch(chip, i)));
        // One by one a path begins its first primitive a cycle after the batch was assembled.
        EXPECT_EQ(arrivals, arrivals_by_cycle(chip, sizes)) << "round " << round;
    }
}

TEST(dealing, has_no_time_without_limits)
{
    dealing_time time(chip_of(2, 2, 1, deal_order::gpcs_first));
    for (unsigned i = 0; i < 10; ++i) EXPECT_EQ(time.arrival(100, i % 4), 0U);
    EXPECT_FALSE(chip_config().is_dealt());
    auto limited = chip_config();
    limited.primitives_per_cycle = 1;
    EXPECT_TRUE(limited.is_dealt());
}

TEST(dealing, gives_every_batch_to_one_tpc)
{
    const auto draw = test::plain_draw(topology::triangle_strip, 1000);
    const batch_limits limits{32, 32};
    std::vector<batch> all;
    batch_former former(draw, limits);
    for (batch b; former.next(b);) all.push_back(b);
    auto chip = chip_of(3, 2, 2, deal_order::gpcs_first);
    std::size_t dealt = 0;
    for (unsigned tpc = 0; tpc < chip.all_tpcs(); ++tpc) {
        batch_dealer dealer(draw, limits, chip, tpc);
        std::size_t number = 0;
        for (batch b; dealer.next(b); ++number, ++dealt) {
            while (tpc_of_batch(chip, number) != tpc) ++number;
            ASSERT_LT(number, all.size());
            EXPECT_EQ(b.first_primitive, all[number].first_primitive);
            EXPECT_EQ(b.corners, all[number].corners);
            EXPECT_EQ(b.vertex, all[number].vertex);
        }
    }
    EXPECT_EQ(dealt, all.size());
}

} // namespace
} // namespace isbesim
