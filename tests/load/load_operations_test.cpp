// SPDX-License-Identifier: Apache-2.0
// The operations of a profile: shares, sizes, lanes, patterns.
#include "testbench/load/load_operations.h"

#include <map>
#include <set>

#include <gtest/gtest.h>

namespace isbesim::testbench {
namespace {

constexpr unsigned drawn = 20'000;

template <typename Key>
std::map<unsigned, double> shares_of(const load_profile& profile, Key key)
{
    load_operations operations(isbe_config{}, profile, 0);
    std::map<unsigned, double> shares;
    for (unsigned i = 0; i < drawn; ++i) {
        warp_op op;
        operations.next(op);
        shares[key(op)] += 1.0 / drawn;
    }
    return shares;
}

load_profile mix(std::initializer_list<std::pair<opcode, double>> weights)
{
    load_profile profile;
    for (const auto& [op, weight] : weights) profile.mix[static_cast<unsigned>(op)] = weight;
    return profile;
}

TEST(load_operations, opcodes_and_sizes_come_by_their_weights)
{
    auto profile = mix({{opcode::ald, 6}, {opcode::ast, 3}, {opcode::out, 1}});
    profile.sizes = {{1, 1}, {4, 3}};
    auto opcodes = shares_of(profile, [](const warp_op& op) { return static_cast<unsigned>(op.op); });
    EXPECT_NEAR(opcodes[static_cast<unsigned>(opcode::ald)], 0.6, 0.02);
    EXPECT_NEAR(opcodes[static_cast<unsigned>(opcode::ast)], 0.3, 0.02);
    EXPECT_NEAR(opcodes[static_cast<unsigned>(opcode::out)], 0.1, 0.02);
    EXPECT_EQ(opcodes.size(), 3U);
    profile = mix({{opcode::ald, 1}});
    profile.sizes = {{1, 1}, {4, 3}};
    auto sizes = shares_of(profile, [](const warp_op& op) { return op.size; });
    EXPECT_NEAR(sizes[4], 0.75, 0.02);
    EXPECT_EQ(sizes.size(), 2U);
}

TEST(load_operations, handle_patterns_select_their_vertices)
{
    auto profile = mix({{opcode::ald, 1}});
    const auto distinct = [&](handle_pattern pattern, unsigned stride) {
        profile.handles = pattern;
        profile.stride = stride;
        warp_op op;
        load_operations(isbe_config{}, profile, 0).next(op);
        return std::set<word>(op.handle.begin(), op.handle.end());
    };
    EXPECT_EQ(distinct(handle_pattern::sequential, 1).size(), 32U);
    EXPECT_EQ(*distinct(handle_pattern::sequential, 1).rbegin(), 31U);
    EXPECT_EQ(distinct(handle_pattern::same, 1).size(), 1U);
    EXPECT_EQ(*distinct(handle_pattern::stride, 7).rbegin(), 31U * 7);
    EXPECT_GT(*distinct(handle_pattern::random, 1).rbegin(), 32U);
}

TEST(load_operations, lanes_and_bytes)
{
    auto profile = mix({{opcode::ald, 1}});
    profile.lanes = 5;
    profile.sizes = {{3, 1}};
    warp_op op;
    load_operations(isbe_config{}, profile, 0).next(op);
    EXPECT_EQ(op.lanes, 0x1fU);
    EXPECT_EQ(bytes_of(op), 5 * 3 * 4U);
    op.op = opcode::isbewr;
    op.size = 2;
    EXPECT_EQ(bytes_of(op), 10U);
    op.op = opcode::out;
    EXPECT_EQ(bytes_of(op), 0U);
}

TEST(load_operations, a_storage_that_is_too_small_is_refused)
{
    auto profile = mix({{opcode::ald, 1}});
    profile.conflicts = {{32, 1}};
    isbe_config config;
    config.lines = 64;
    EXPECT_THROW(load_operations(config, profile, 0), std::invalid_argument);
    profile.conflicts = {{1, 1}};
    EXPECT_NO_THROW(load_operations(config, profile, 0));
}

} // namespace
} // namespace isbesim::testbench
