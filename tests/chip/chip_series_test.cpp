// SPDX-License-Identifier: Apache-2.0
#include "testbench/chip/chip_series.h"

#include <boost/json.hpp>
#include <gtest/gtest.h>

namespace isbesim::testbench {
namespace {

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
