// SPDX-License-Identifier: Apache-2.0
#include "models/pe/front_end/batches.h"

#include <random>

#include <gtest/gtest.h>

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

} // namespace
} // namespace isbesim
