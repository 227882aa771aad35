// SPDX-License-Identifier: Apache-2.0
#include "models/pe/stream_out/collection.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace isbesim {
namespace {

/// What a geometry thread emitted: a digit is an EMIT to that stream, '|' a CUT. Streams of `mask` are enabled.
/// The result lists primitives as "stream:vertices".
std::vector<std::string> collect(output_topology kind, const std::string& calls, unsigned mask = 0xf,
                                 bool first_provokes = false, unsigned* dropped = nullptr)
{
    strip_collector strip(kind, first_provokes);
    std::vector<std::string> result;
    output_primitive found;
    unsigned number = 0;
    for (std::size_t i = 0; i < calls.size(); ++i) {
        if (calls[i] == '|') continue;
        const auto stream = static_cast<std::uint8_t>(calls[i] - '0');
        const gs_token token{true, i + 1 < calls.size() && calls[i + 1] == '|', (mask >> stream & 1U) != 0, stream};
        if (strip.add(token, number++, found)) {
            auto text = std::to_string(found.stream) + ":";
            for (unsigned v = 0; v < found.count; ++v) text += (v == 0 ? "" : " ") + std::to_string(found.vertex[v]);
            result.push_back(text);
        }
    }
    strip.end();
    if (dropped != nullptr) *dropped = strip.dropped();
    return result;
}

unsigned dropped(output_topology kind, const std::string& calls, unsigned mask = 0xf)
{
    unsigned count = 0;
    collect(kind, calls, mask, false, &count);
    return count;
}

using list = std::vector<std::string>;

constexpr auto as_points = output_topology::points;
constexpr auto as_lines = output_topology::line_strip;
constexpr auto as_triangles = output_topology::triangle_strip;

TEST(collection, OUT_11_strips_become_primitives)
{
    EXPECT_EQ(collect(as_points, "00|0"), (list{"0:0", "0:1", "0:2"}));
    EXPECT_EQ(collect(as_lines, "000|0|00"), (list{"0:0 1", "0:1 2", "0:4 5"}));
    EXPECT_EQ(collect(as_lines, "000", 1, true), (list{"0:0 1", "0:1 2"}));
    // The winding alternates, and starts over with each strip; a provoking first vertex begins its triangle.
    EXPECT_EQ(collect(as_triangles, "00000"), (list{"0:0 1 2", "0:2 1 3", "0:2 3 4"}));
    EXPECT_EQ(collect(as_triangles, "0000|000"), (list{"0:0 1 2", "0:2 1 3", "0:4 5 6"}));
    EXPECT_EQ(collect(as_triangles, "00000", 1, true), (list{"0:0 1 2", "0:1 3 2", "0:2 3 4"}));
}

// HARDWARE.md E13
TEST(collection, OUT_02_incomplete_strip_is_discarded)
{
    EXPECT_EQ(collect(as_triangles, "000|0|"), (list{"0:0 1 2"}));
    EXPECT_EQ(collect(as_triangles, "00|00|"), list{});
}

// HARDWARE.md E14; also when a stream is disabled
TEST(collection, OUT_04_stream_change_cuts)
{
    EXPECT_EQ(collect(as_triangles, "0010"), list{});
    EXPECT_EQ(collect(as_points, "0010"), (list{"0:0", "0:1", "1:2", "0:3"}));
    EXPECT_EQ(collect(as_lines, "001100"), (list{"0:0 1", "1:2 3", "0:4 5"}));
    EXPECT_EQ(collect(as_lines, "00100", 1), (list{"0:0 1", "0:3 4"}));
    EXPECT_EQ(collect(as_triangles, "00100", 1), list{});
}

// Vertices that no primitive has, except those of disabled streams.
TEST(collection, OUT_02_vertices_of_incomplete_strips_are_counted)
{
    EXPECT_EQ(dropped(as_points, "0010", 1), 0U);
    EXPECT_EQ(dropped(as_lines, "0|00|0"), 2U);
    EXPECT_EQ(dropped(as_lines, "00100", 1), 0U);
    EXPECT_EQ(dropped(as_lines, "010", 1), 2U);
    EXPECT_EQ(dropped(as_triangles, "000|00|0011"), 6U);
}

TEST(collection, OUT_05_disabled_stream_writes_nothing)
{
    EXPECT_EQ(collect(as_points, "0010", 1), (list{"0:0", "0:1", "0:3"}));
    EXPECT_EQ(collect(as_points, "0123", 0), list{});
}

} // namespace
} // namespace isbesim
