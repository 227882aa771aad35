// SPDX-License-Identifier: Apache-2.0
// The traffic of the cross-check: reproducible, within the promises of the page, and the same whatever the
// order in which ports ask for it.
#include "testbench/crosscheck/traffic/random_traffic.h"

#include <array>
#include <random>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "models/attribute/attribute_set.h"
#include "models/isbe/execution/isbe_core.h"
#include "testbench/crosscheck/phases.h"
#include "testbench/crosscheck/traffic/corner_values.h"
#include "testbench/crosscheck/traffic/coverage.h"
#include "tests/crosscheck/same_item.h"

namespace isbesim::testbench {
namespace {

std::vector<traffic_item> all_of(random_traffic& traffic, unsigned port)
{
    std::vector<traffic_item> items;
    for (traffic_item item; traffic.next(port, item);) items.push_back(item);
    return items;
}

TEST(mersenne_twister, matches_the_standard_library)
{
    for (const std::uint64_t seed : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{5489}, ~std::uint64_t{0}}) {
        mersenne_twister engine(seed);
        std::mt19937_64 standard(seed);
        for (unsigned i = 0; i < 5000; ++i) ASSERT_EQ(engine(), standard() >> 32) << seed << " " << i;
        std::array<std::uint32_t, 700> many{};
        engine.take(many.data(), many.size());
        for (const auto each : many) ASSERT_EQ(each, standard() >> 32) << seed;
    }
}

TEST(random_traffic, ports_get_the_same_items_in_any_order_of_asking)
{
    const isbe_config config;
    random_traffic first(config, 3, 2000);
    random_traffic second(config, 3, 2000);
    const auto port0 = all_of(first, 0);
    const auto port1 = all_of(first, 1);
    ASSERT_EQ(port0.size() + port1.size(), 2000U);
    traffic_item item;
    for (std::size_t i = 0; i < port0.size(); ++i) {
        ASSERT_TRUE(second.next(1, item));
        ASSERT_TRUE(same_item(item, port1[i])) << i;
        ASSERT_TRUE(second.next(0, item));
        ASSERT_TRUE(same_item(item, port0[i])) << i;
    }
    EXPECT_FALSE(second.next(0, item));
}

TEST(random_traffic, another_seed_is_other_traffic)
{
    const isbe_config config;
    random_traffic first(config, 3, 200);
    random_traffic second(config, 4, 200);
    const auto a = all_of(first, 0);
    const auto b = all_of(second, 0);
    unsigned equal = 0;
    for (std::size_t i = 0; i < a.size(); ++i) equal += same_item(a[i], b[i]) ? 1 : 0;
    EXPECT_LT(equal, a.size() / 10);
}

/// Micro-architecture section 3: the writer of descriptors guarantees these.
class random_traffic_of : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(phase, random_traffic_of, testing::Values("random", "corners"));

TEST_P(random_traffic_of, descriptors_keep_the_promises_of_the_page)
{
    isbe_config config;
    config.lines = 8; // the tightest
    random_traffic traffic(config, 1, 200'000, find_phase(GetParam())->traffic);
    const std::uint64_t storage = config.lines * 128;
    unsigned seen = 0;
    traffic_item item;
    while (traffic.next(0, item)) {
        if (item.op.op != opcode::bind) continue;
        ++seen;
        const auto slot = unpack_context(item.op);
        if (slot.stage == stage::none) continue; // the rest is unused
        for (const auto* space : {&slot.input, &slot.output}) {
            ASSERT_EQ(space->attr_base % 128, 0U);
            ASSERT_EQ((space->map_base | space->prim_base | space->patch_base) % 4, 0U);
            ASSERT_LE(std::uint64_t{space->attr_base} + space->attr_bytes, storage);
            ASSERT_LE(std::uint64_t{space->map_base} + space->map_bytes, storage);
            ASSERT_LE(std::uint64_t{space->prim_base} + space->prim_bytes, storage);
            ASSERT_LE(std::uint64_t{space->patch_base} + std::uint64_t{space->patch_words} * space->patch_count * 4,
                      storage);
            ASSERT_LE(space->vertex_count, 65535U);
            ASSERT_LE(space->patch_words, 255U);
            ASSERT_LE(space->patch_count, 256U);
        }
    }
    EXPECT_GT(seen, 1000U);
}

/// What rtl_ref's upper bits need to change (scripts/coverage), on each machine whose map lets lanes share a bank.
TEST(random_traffic, some_thousand_operations_bind_every_slot_fill_a_set_and_take_128_passes)
{
    std::vector<isbe_config> machines(3);
    machines[1].access = access_rule::line;
    machines[2].skew = false;
    for (const auto& config : machines) {
        random_traffic traffic(config, 1, 20'000);
        isbe_core core(config);
        warp_result result;
        std::set<unsigned> bound;
        unsigned full_sets = 0;
        std::array<unsigned, 2> longest{};
        traffic_item item;
        for (unsigned i = 0; traffic.next(i % 2, item); ++i) {
            core.execute(item.op, result);
            if (item.op.op == opcode::bind && result.error == op_error::none) {
                bound.insert(item.op.context);
                full_sets += core.context_at(item.op.context).input.allocated.count() == mapped_attribute_ids ? 1 : 0;
            }
            longest[i % 2] += result.passes == max_components * warp_lanes ? 1 : 0;
        }
        EXPECT_EQ(bound.size(), config.contexts);
        EXPECT_GT(full_sets, 2U);
        EXPECT_GT(longest[0], 2U);
        EXPECT_GT(longest[1], 2U);
    }
}

/// Every corner value but those of passes and waits, which other phases draw.
TEST(random_traffic, phase_corners_draws_all_corner_values)
{
    const isbe_config config;
    const auto& corners = *find_phase("corners");
    random_traffic traffic(config, 1, corners.transactions, corners.traffic);
    isbe_core core(config);
    coverage bins(config);
    warp_result result;
    traffic_item item;
    for (unsigned i = 0; traffic.next(i % 2, item); ++i) {
        core.execute(item.op, result);
        static const context unbound;
        const auto& slot = item.op.context < config.contexts ? core.context_at(item.op.context) : unbound;
        bins.sample(i % 2, slot, item.op, result, {}, 0);
    }
    for (const auto& name : bins.missed(coverage::part::corners))
        EXPECT_TRUE(name.find(".passes.") != std::string::npos || name.find(".response_held.") != std::string::npos ||
                    name.find(".pause.") != std::string::npos)
            << name;
}

/// Accesses that differ between lanes only in bits that are cut off leave the model's uniform path and mean the same.
TEST(random_traffic, general_accesses_mean_the_same)
{
    random_numbers random(1);
    const isbe_config config;
    isbe_core core(config), other(config);
    random_traffic traffic(config, 1, 20'000);
    warp_result expected, result;
    traffic_item item;
    unsigned changed = 0;
    for (unsigned i = 0; traffic.next(i % 2, item); ++i) {
        core.execute(item.op, expected);
        const auto before = item.op.address;
        make_general(random, item.op);
        changed += item.op.address != before ? 1 : 0;
        other.execute(item.op, result);
        ASSERT_TRUE(result == expected) << i;
    }
    EXPECT_GT(changed, 2000U);
}

} // namespace
} // namespace isbesim::testbench
