// SPDX-License-Identifier: Apache-2.0
#include "models/pe/front_end/batches.h"

#include <algorithm>
#include <deque>
#include <random>
#include <set>

#include <gtest/gtest.h>

#include "models/pe/front_end/dealing.h"
#include "tests/pe/draws.h"

namespace isbesim {
namespace {

using test::indexed_draw;
using test::plain_draw;

struct totals {
    unsigned batches = 0;
    unsigned invocations = 0;
    unsigned primitives = 0;
};

batch_limits limits_of(const draw_call& draw, const pe_config& config = {})
{
    return limits_of_batch(config, vertices_per_primitive(draw.topology, draw.patch_vertices), most_primitives(draw));
}

totals count(const draw_call& draw, const pe_config& config = {})
{
    batch_former former(draw, limits_of(draw, config));
    totals sum;
    batch b;
    while (former.next(b)) {
        ++sum.batches;
        sum.invocations += b.vertex_count;
        sum.primitives += b.primitive_count();
    }
    return sum;
}

TEST(batches, PIPE_09_repeated_triangle_costs_three_invocations_per_96_indices)
{
    for (unsigned n = 3; n <= 1000; n += 3) {
        std::vector<std::uint32_t> indices(n);
        for (unsigned i = 0; i < n; ++i) indices[i] = i % 3;
        EXPECT_EQ(count(indexed_draw(topology::triangles, indices)).invocations, 3 * ((n + 95) / 96)) << n;
    }
}

TEST(batches, PIPE_09_batch_indices_is_a_parameter)
{
    pe_config config;
    for (const unsigned limit : {3U, 12U, 30U, 96U, 300U}) {
        config.batch_indices = limit;
        std::vector<std::uint32_t> indices(600);
        for (unsigned i = 0; i < 600; ++i) indices[i] = i % 3;
        EXPECT_EQ(count(indexed_draw(topology::triangles, indices), config).batches, (600 + limit - 1) / limit)
            << limit;
    }
}

// Distinct vertices: a batch holds floor(limit / 3) whole triangles.
TEST(batches, PIPE_09_batch_vertices_is_a_parameter)
{
    pe_config config;
    for (unsigned limit = 3; limit <= 32; ++limit) {
        config.batch_vertices = limit;
        const auto sum = count(plain_draw(topology::triangles, 300), config);
        const auto per_batch = limit / 3;
        EXPECT_EQ(sum.batches, (100 + per_batch - 1) / per_batch) << limit;
        EXPECT_EQ(sum.invocations, 300U);
    }
}

TEST(batches, PIPE_09_strip_shades_each_vertex_once_per_batch)
{
    // A batch of a strip starts with the two vertices of the last triangle's edge: 30 new triangles for 32 vertices.
    const auto sum = count(plain_draw(topology::triangle_strip, 62));
    EXPECT_EQ(sum.primitives, 60U);
    EXPECT_EQ(sum.batches, 2U);
    EXPECT_EQ(sum.invocations, 64U);
}

TEST(batches, PIPE_02_corners_name_the_primitive_s_vertices)
{
    std::mt19937 random(7);
    std::vector<std::uint32_t> indices(3000);
    for (auto& i : indices) i = static_cast<std::uint32_t>(random() % 50);
    const auto draw = indexed_draw(topology::triangles, indices);
    batch_former former(draw, limits_of(draw));
    batch b;
    std::size_t next = 0;
    while (former.next(b)) {
        EXPECT_EQ(b.first_primitive, next / 3);
        EXPECT_LE(b.vertex_count, 32U);
        EXPECT_LE(b.corners.size(), 96U);
        for (unsigned i = 0; i < b.vertex_count; ++i)
            for (unsigned j = 0; j < i; ++j) EXPECT_NE(b.vertex[i], b.vertex[j]);
        for (const auto lane : b.corners) {
            ASSERT_LT(lane, b.vertex_count);
            EXPECT_EQ(b.vertex[lane], indices[next++]);
        }
    }
    EXPECT_EQ(next, indices.size());
}

TEST(batches, PIPE_02_an_instance_ends_its_batch)
{
    auto draw = plain_draw(topology::triangles, 6);
    draw.instance_count = 3;
    batch_former former(draw, limits_of(draw));
    batch b;
    for (std::uint32_t instance = 0; instance < 3; ++instance) {
        ASSERT_TRUE(former.next(b));
        EXPECT_EQ(b.instance, instance);
        EXPECT_EQ(b.first_primitive, 0U);
        EXPECT_EQ(b.primitive_count(), 2U);
    }
    EXPECT_FALSE(former.next(b));
}

TEST(batches, PIPE_09_a_primitive_larger_than_the_limits_gets_its_own_batch)
{
    pe_config config;
    config.batch_vertices = 2;
    config.batch_indices = 4;
    const auto sum = count(plain_draw(topology::triangles_adjacency, 18), config);
    EXPECT_EQ(sum.batches, 3U);
    EXPECT_EQ(sum.invocations, 18U);
}

TEST(batches, PIPE_09_primitive_numbers_fit_eight_bits)
{
    pe_config config;
    config.batch_indices = 100000;
    EXPECT_EQ(count(indexed_draw(topology::points, std::vector<std::uint32_t>(1000, 5)), config).batches, 4U);
}

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

/// A draw as the front end's units take it, by whole cycles: costs of one cycle or several, and items one by one.
struct walked_draw {
    chip_config chip;
    std::vector<batch> batches;
    batch rest; ///< what follows the last batch
};

walked_draw random_draw(std::mt19937& random)
{
    const auto below = [&](unsigned limit) { return static_cast<unsigned>(random() % limit); };
    walked_draw result;
    result.chip = chip_of(1 + below(4), 1 + below(4), 1 + below(3),
                          below(2) == 0 ? deal_order::gpcs_first : deal_order::tpcs_first);
    result.chip.primitives_per_cycle = 1 + below(5);
    result.chip.draw_cycles = below(20);
    result.chip.record_bytes_per_cycle = below(3);
    result.chip.instance_cycles = below(9);
    result.chip.index_cycles = below(3);
    result.chip.restart_cycles = below(4);
    result.chip.gpc_batch_cycles = below(30);
    batch at;
    const auto read = [&] {
        at.positions = below(60);
        at.restarts = std::min<std::uint64_t>(below(9), at.positions);
        if (below(4) == 0) at.instance += 1 + below(3);
        if (below(4) == 0) at.draw += 1 + below(3);
    };
    for (auto left = 1 + below(60); left != 0; --left) {
        read();
        at.primitive_vertices = 1;
        at.corners.resize(1 + below(40));
        result.batches.push_back(at);
    }
    read();
    result.rest = at;
    return result;
}

constexpr unsigned record = 6; ///< bytes

/// The units cycle by cycle. In each cycle the walk does a cycle of work and the assembly makes primitives_per_cycle
/// primitives; a batch that both have done waits for the path to its GPC, which each batch takes for some cycles.
std::vector<std::uint64_t> arrivals_by_cycle(const walked_draw& draw)
{
    const auto& chip = draw.chip;
    const auto whole = [](double cycles) { return static_cast<std::uint64_t>(cycles); };
    const auto cycles_per_draw =
        whole(chip.draw_cycles) + (chip.record_bytes_per_cycle == 0 ? 0 : record / whole(chip.record_bytes_per_cycle));
    std::vector<std::uint64_t> arrivals(draw.batches.size());
    std::vector<std::deque<std::size_t>> paths(chip.gpcs);
    std::vector<std::uint64_t> busy(chip.gpcs); // cycles left of the first batch of the path
    std::size_t walked = 0, assembled = 0, left_both = 0, arrived = 0;
    std::uint64_t work = 0, primitives = 0;
    const auto begin_walk = [&] {
        const auto& to = draw.batches[walked];
        const batch from = walked == 0 ? batch() : draw.batches[walked - 1];
        work = (walked == 0 ? cycles_per_draw : 0) + to.positions * whole(chip.index_cycles) +
               to.restarts * whole(chip.restart_cycles) + (to.instance - from.instance) * whole(chip.instance_cycles) +
               (to.draw - from.draw) * cycles_per_draw;
    };
    begin_walk();
    for (std::uint64_t cycle = 0; arrived < draw.batches.size(); ++cycle) {
        while (walked < draw.batches.size() && work == 0)
            if (++walked < draw.batches.size()) begin_walk();
        while (assembled < draw.batches.size() && primitives >= draw.batches[assembled].primitive_count())
            primitives -= draw.batches[assembled++].primitive_count();
        for (; left_both < std::min(walked, assembled); ++left_both) {
            auto& path = paths[tpc_of_batch(chip, left_both) / chip.tpcs];
            if (path.empty()) busy[tpc_of_batch(chip, left_both) / chip.tpcs] = whole(chip.gpc_batch_cycles);
            path.push_back(left_both);
        }
        for (unsigned g = 0; g < chip.gpcs; ++g)
            while (!paths[g].empty() && busy[g] == 0) {
                arrivals[paths[g].front()] = cycle;
                paths[g].pop_front();
                ++arrived;
                if (!paths[g].empty()) busy[g] = whole(chip.gpc_batch_cycles);
            }
        if (work != 0) --work;
        primitives += chip.primitives_per_cycle;
        for (auto& each : busy)
            if (each != 0) --each;
    }
    return arrivals;
}

TEST(dealing, takes_the_time_that_its_units_take_cycle_by_cycle)
{
    std::mt19937 random(20);
    for (unsigned round = 0; round < 300; ++round) {
        const auto draw = random_draw(random);
        dealing_time time(draw.chip, record);
        std::vector<std::uint64_t> arrivals;
        for (std::size_t i = 0; i < draw.batches.size(); ++i)
            arrivals.push_back(cycle_after(time.arrival(draw.batches[i], tpc_of_batch(draw.chip, i))));
        EXPECT_EQ(arrivals, arrivals_by_cycle(draw)) << "round " << round;
    }
}

TEST(dealing, lasts_until_the_front_end_has_read_the_draw)
{
    auto draw = test::plain_draw(topology::triangle_strip, 0);
    draw.indexed = true;
    draw.indices.assign(1000, 0xffff);
    draw.restart_index = 0xffff;
    draw.vertex_count = 1000;
    chip_config chip;
    chip.draw_cycles = 2.25;
    chip.restart_cycles = 0.75;
    batch_dealer dealer(draw, {32, 32}, chip, 0);
    batch none;
    EXPECT_FALSE(dealer.next(none));
    EXPECT_EQ(dealer.end(), ticks_of(752.25));
    EXPECT_FALSE(dealer.next(none));
    EXPECT_EQ(dealer.end(), ticks_of(752.25));
}

TEST(dealing, counts_the_tpcs_that_get_a_batch_in_the_same_turn)
{
    struct listener final : dealing_listener {
        void dealt(batch&, bool) override { ++count; }
        unsigned count = 0;
    };
    const auto draw = test::plain_draw(topology::points, 1000); // 32 batches
    for (const auto order : {deal_order::gpcs_first, deal_order::tpcs_first})
        for (const unsigned deal : {1U, 2U, 5U})
            for (unsigned tpc = 0; tpc < 6; ++tpc) {
                const auto chip = chip_of(2, 3, deal, order);
                batch_dealer dealer(draw, {32, 32}, chip, tpc);
                listener all;
                dealer.report_to(all);
                unsigned number = 0;
                for (batch b; dealer.next(b); ++number) {
                    while (tpc_of_batch(chip, number) != tpc) ++number;
                    // The round of this turn: each TPC's next batches, as far as the draw goes.
                    const auto first = number / (6 * deal) * 6 * deal;
                    std::set<unsigned> tpcs;
                    for (auto other = first; other < std::min(first + 6 * deal, 32U); ++other)
                        tpcs.insert(tpc_of_batch(chip, other));
                    EXPECT_EQ(b.tpcs, tpcs.size()) << "batch " << number << " of TPC " << tpc;
                }
                EXPECT_EQ(all.count, 32U);
            }
}

TEST(dealing, has_no_time_without_limits)
{
    dealing_time time(chip_of(2, 2, 1, deal_order::gpcs_first), record);
    batch of_100;
    of_100.primitive_vertices = 1;
    of_100.corners.resize(100);
    of_100.positions = 100;
    for (unsigned i = 0; i < 10; ++i) EXPECT_EQ(time.arrival(of_100, i % 4), 0U);
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
            EXPECT_EQ(b.vertex_count, all[number].vertex_count);
            EXPECT_TRUE(std::equal(b.vertex.begin(), b.vertex.begin() + b.vertex_count, all[number].vertex.begin()));
        }
    }
    EXPECT_EQ(dealt, all.size());
    chip.primitives_per_cycle = 1;
    batch_dealer whole(draw, limits, chip, undealt);
    std::size_t number = 0;
    for (batch b; whole.next(b); ++number) {
        EXPECT_EQ(b.arrival, 0U);
        EXPECT_EQ(b.first_primitive, all.at(number).first_primitive);
    }
    EXPECT_EQ(number, all.size());
    EXPECT_EQ(whole.dealt(), all.size());
}

} // namespace
} // namespace isbesim
