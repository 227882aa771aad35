// SPDX-License-Identifier: Apache-2.0
#include "models/pe/stream_out/collection.h"

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace isbesim {
namespace {

/// Collects the calls of a geometry thread: a digit is an EMIT to that stream, '|' a CUT. Streams of `mask` are
/// enabled. The result lists primitives as "stream:vertices".
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

// Vertices in no primitive, without those of disabled streams.
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

// A plan that is used again for each warp finds the same primitives as the strip collector, vertex by vertex.

struct token_source {
    explicit token_source(unsigned seed) : generator(seed) {}
    unsigned operator()() { return static_cast<unsigned>(generator()); }
    std::mt19937 generator;
};

constexpr word most_vertices = 5;
constexpr unsigned token_groups = (most_vertices * warp_lanes + warp_lanes - 1) / warp_lanes;

struct left_tokens {
    std::vector<word> words;
    warp_tokens reported;
};

left_tokens random_tokens(token_source& random)
{
    left_tokens left;
    left.reported.geometry = {most_vertices, 1U + random() % warp_lanes, 0xf};
    for (unsigned lane = 0; lane < left.reported.geometry.thread_count; ++lane)
        left.reported.counts[lane] = static_cast<std::uint16_t>(random() % (most_vertices + 1));
    left.words.resize(most_vertices * warp_lanes / 4);
    for (auto& each : left.words) each = random() | 0xa0a0a0a0U; // most are enabled vertices
    left.words[random() % left.words.size()] = random();
    left.reported.groups = token_groups;
    return left;
}

void expect_as_collected(emission_plan& plan, const left_tokens& left, output_topology kind, gs_slot_order order)
{
    std::array<std::vector<unsigned>, 4> rows;
    std::vector<lane_mask> emitted(token_groups);
    word primitives = 0;
    for (unsigned lane = 0; lane < left.reported.geometry.thread_count; ++lane) {
        strip_collector strip(kind);
        output_primitive found;
        for (unsigned slot = 0; slot < left.reported.counts[lane]; ++slot) {
            const auto number = gs_slot_index(order, slot, lane, left.reported.geometry);
            const auto token = decode_gs_token(static_cast<std::uint8_t>(left.words[number / 4] >> number % 4 * 8));
            if (token.enabled) emitted[number / warp_lanes] |= lane_mask{1} << number % warp_lanes;
            if (!token.vertex || !strip.add(token, number, found)) continue;
            ++primitives;
            for (unsigned i = 0; i < found.count; ++i) rows[found.stream].push_back(found.vertex[i]);
        }
    }
    auto reported = left.reported;
    reported.tokens = &left.words;
    plan.find(reported);
    EXPECT_EQ(plan.primitives(), primitives);
    EXPECT_EQ(plan.emitted(), emitted);
    EXPECT_EQ(plan.any_emitted(), std::any_of(emitted.begin(), emitted.end(), [](auto m) { return m != 0; }));
    for (unsigned s = 0; s < 4; ++s) EXPECT_EQ(plan.rows(s), rows[s]);
}

TEST(emission_plan, each_warp_matches_the_strip_collector)
{
    token_source random(1);
    for (const auto kind : {output_topology::points, output_topology::line_strip, output_topology::triangle_strip})
        for (const auto order : {gs_slot_order::interleaved, gs_slot_order::blocked}) {
            emission_plan plan(kind, order);
            for (unsigned i = 0; i < 50; ++i) {
                auto left = random_tokens(random);
                expect_as_collected(plan, left, kind, order);
                expect_as_collected(plan, left, kind, order);                    // the same again
                left.words[random() % left.words.size()] ^= 1U << random() % 32; // a bit of it
                expect_as_collected(plan, left, kind, order);
                auto& count = left.reported.counts[random() % left.reported.geometry.thread_count];
                count = static_cast<std::uint16_t>((count + 1U) % (most_vertices + 1));
                expect_as_collected(plan, left, kind, order);
                if (left.reported.geometry.thread_count == 1) continue;
                left.reported.geometry.thread_count -= 1;
                expect_as_collected(plan, left, kind, order);
            }
        }
}

TEST(emission_plan, smaller_maximum_applies_to_the_next_warp)
{
    token_source random(2);
    auto left = random_tokens(random);
    emission_plan plan(output_topology::points, gs_slot_order::blocked);
    left.reported.counts.fill(2);
    expect_as_collected(plan, left, output_topology::points, gs_slot_order::blocked);
    left.reported.geometry.max_vertices = 2;
    expect_as_collected(plan, left, output_topology::points, gs_slot_order::blocked);
}

} // namespace
} // namespace isbesim
