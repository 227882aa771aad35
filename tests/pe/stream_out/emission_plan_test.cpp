// SPDX-License-Identifier: Apache-2.0
// A plan that has seen other warps says of each what a new one says, and both what the collector says vertex by vertex.
#include "models/pe/stream_out/emission_plan.h"

#include <algorithm>
#include <random>

#include <gtest/gtest.h>

namespace isbesim {
namespace {

struct token_source {
    explicit token_source(unsigned seed) : made(seed) {}
    unsigned operator()() { return static_cast<unsigned>(made()); }
    std::mt19937 made;
};

constexpr word most_vertices = 5;
constexpr unsigned token_groups = (most_vertices * warp_lanes + warp_lanes - 1) / warp_lanes;

struct left_tokens {
    std::vector<word> words;
    warp_tokens said;
};

left_tokens random_tokens(token_source& random)
{
    left_tokens left;
    left.said.geometry = {most_vertices, 1U + random() % warp_lanes, 0xf};
    for (unsigned lane = 0; lane < left.said.geometry.thread_count; ++lane)
        left.said.counts[lane] = static_cast<std::uint16_t>(random() % (most_vertices + 1));
    left.words.resize(most_vertices * warp_lanes / 4);
    for (auto& each : left.words) each = random() | 0xa0a0a0a0U; // most are enabled vertices
    left.words[random() % left.words.size()] = random();
    left.said.groups = token_groups;
    return left;
}

void expect_as_collected(emission_plan& plan, const left_tokens& left, output_topology kind, gs_slot_order order)
{
    std::array<std::vector<unsigned>, 4> rows;
    std::vector<lane_mask> emitted(token_groups);
    word primitives = 0;
    for (unsigned lane = 0; lane < left.said.geometry.thread_count; ++lane) {
        strip_collector strip(kind);
        output_primitive found;
        for (unsigned slot = 0; slot < left.said.counts[lane]; ++slot) {
            const auto number = gs_slot_index(order, slot, lane, left.said.geometry);
            const auto token = decode_gs_token(static_cast<std::uint8_t>(left.words[number / 4] >> number % 4 * 8));
            if (token.enabled) emitted[number / warp_lanes] |= lane_mask{1} << number % warp_lanes;
            if (!token.vertex || !strip.add(token, number, found)) continue;
            ++primitives;
            for (unsigned i = 0; i < found.count; ++i) rows[found.stream].push_back(found.vertex[i]);
        }
    }
    auto said = left.said;
    said.tokens = &left.words;
    plan.find(said);
    EXPECT_EQ(plan.primitives(), primitives);
    EXPECT_EQ(plan.emitted(), emitted);
    EXPECT_EQ(plan.any_emitted(), std::any_of(emitted.begin(), emitted.end(), [](auto m) { return m != 0; }));
    for (unsigned s = 0; s < 4; ++s) EXPECT_EQ(plan.rows(s), rows[s]);
}

TEST(emission_plan, each_warp_is_as_collected_vertex_by_vertex)
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
                auto& count = left.said.counts[random() % left.said.geometry.thread_count];
                count = static_cast<std::uint16_t>((count + 1U) % (most_vertices + 1));
                expect_as_collected(plan, left, kind, order);
                if (left.said.geometry.thread_count == 1) continue;
                left.said.geometry.thread_count -= 1;
                expect_as_collected(plan, left, kind, order);
            }
        }
}

TEST(emission_plan, the_most_vertices_of_a_thread_count)
{
    token_source random(2);
    auto left = random_tokens(random);
    emission_plan plan(output_topology::points, gs_slot_order::blocked);
    left.said.counts.fill(2);
    expect_as_collected(plan, left, output_topology::points, gs_slot_order::blocked);
    left.said.geometry.max_vertices = 2;
    expect_as_collected(plan, left, output_topology::points, gs_slot_order::blocked);
}

} // namespace
} // namespace isbesim
