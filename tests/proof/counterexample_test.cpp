// SPDX-License-Identifier: Apache-2.0
// The operations that an example of a proof becomes.
#include "tests/proof/counterexample.h"

#include <gtest/gtest.h>

#include "models/isbe/execution/isbe_core.h"

namespace isbesim::proof {
namespace {

const isbe_config config = [] {
    isbe_config small;
    small.lines = 64;
    return small;
}();

/// The response of each operation.
std::vector<warp_result> carried_out(const field_values& fields)
{
    isbe_core core(config);
    std::vector<warp_result> results;
    for (const auto& op : operations_of(fields, config)) core.execute(op, results.emplace_back());
    return results;
}

TEST(counterexample, lane_of_the_example_follows_its_fields)
{
    // Ids 32, 33 and 35 are allocated; 35 has rank 2.
    const field_values fields{{"op", 2},
                              {"size", 1},
                              {"stage", 1},
                              {"input.allocated.1", 0xb},
                              {"input.enabled.1", 0x8},
                              {"address", 144},
                              {"lane", 5},
                              {"immediate", 0xfffffffc}};
    const auto results = carried_out(fields);
    ASSERT_EQ(results.size(), 64U + 2 + 64);
    const auto& result = results[65];
    EXPECT_EQ(result.error, op_error::none);
    for (unsigned i = 0; i < warp_lanes; ++i) EXPECT_EQ(result.data[0][i], i == 5 ? 0xa2012302U : 0U) << i;
}

TEST(counterexample, storage_has_the_examples_stores)
{
    // AST of VSa stores to attribute 0x70 of its own vertex: rank 0, lane 3 of the line at 0x80.
    const field_values fields{{"op", 1},
                              {"size", 1},
                              {"stage", 1},
                              {"lane", 3},
                              {"address", 0x70},
                              {"data", 77},
                              {"output.attr_base", 0x80},
                              {"output.attr_bytes", 0x80},
                              {"output.vertex_count", 32},
                              {"output.allocated.0", 1U << 28},
                              {"output.enabled.0", 1U << 28}};
    const auto results = carried_out(fields);
    for (unsigned line = 0; line < 64; ++line)
        for (unsigned i = 0; i < warp_lanes; ++i)
            EXPECT_EQ(results[66 + line].data[0][i], line == 1 && i == 3 ? 77U : 0x9e3779b1U * (line * 32 + i + 1))
                << line << " " << i;
}

TEST(counterexample, lanes_with_fields_of_their_own)
{
    const auto request = request_of({{"op", 2}, {"size", 1}, {"active@2", 1}, {"active@9", 1}, {"address@9", 64}});
    EXPECT_EQ(request.lanes, lane_mask{1U << 2 | 1U << 9});
    EXPECT_EQ(request.address[9], 64U);
    EXPECT_EQ(request.address[2], 0U);
}

} // namespace
} // namespace isbesim::proof
