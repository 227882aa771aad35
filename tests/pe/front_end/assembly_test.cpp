// SPDX-License-Identifier: Apache-2.0
// Expected tables: OpenGL 4.6 core specification, sections 10.1.1 to 10.1.15 and table 10.1, counted from 0.
#include "models/pe/front_end/assembly.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "tests/pe/draws.h"

namespace isbesim {
namespace {

using test::assemble;
using test::indexed_draw;
using test::plain_draw;
using test::restart;
using table = test::primitive_list;

TEST(assembly, PIPE_02_every_topology)
{
    const struct {
        topology kind;
        std::uint64_t vertices;
        table primitives;
    } rows[] = {
        {topology::points, 3, {{0}, {1}, {2}}},
        {topology::lines, 5, {{0, 1}, {2, 3}}}, // without the odd vertex
        {topology::line_strip, 4, {{0, 1}, {1, 2}, {2, 3}}},
        {topology::line_loop, 4, {{0, 1}, {1, 2}, {2, 3}, {3, 0}}},
        {topology::line_loop, 2, {{0, 1}, {1, 0}}},
        {topology::line_loop, 1, {}},
        {topology::triangles, 8, {{0, 1, 2}, {3, 4, 5}}},
        {topology::triangle_strip, 6, {{0, 1, 2}, {2, 1, 3}, {2, 3, 4}, {4, 3, 5}}}, // one winding
        {topology::triangle_fan, 5, {{0, 1, 2}, {0, 2, 3}, {0, 3, 4}}},
        {topology::lines_adjacency, 9, {{0, 1, 2, 3}, {4, 5, 6, 7}}},
        {topology::line_strip_adjacency, 6, {{0, 1, 2, 3}, {1, 2, 3, 4}, {2, 3, 4, 5}}},
        {topology::triangles_adjacency, 13, {{0, 1, 2, 3, 4, 5}, {6, 7, 8, 9, 10, 11}}},
    };
    for (const auto& row : rows)
        EXPECT_EQ(assemble(plain_draw(row.kind, row.vertices)), row.primitives) << static_cast<int>(row.kind);
}

// Rows "only", "first", "middle" and "last" of table 10.1: first, adjacent 1/2, second, adjacent 2/3, third, adjacent
// 3/1.
TEST(assembly, PIPE_02_triangle_strip_adjacency)
{
    const auto strip = [](std::uint64_t n) { return assemble(plain_draw(topology::triangle_strip_adjacency, n)); };
    EXPECT_EQ(strip(5), table{});
    EXPECT_EQ(strip(6), (table{{0, 1, 2, 5, 4, 3}}));
    EXPECT_EQ(strip(7), (table{{0, 1, 2, 5, 4, 3}}));
    EXPECT_EQ(strip(8), (table{{0, 1, 2, 6, 4, 3}, {4, 0, 2, 5, 6, 7}}));
    EXPECT_EQ(strip(10), (table{{0, 1, 2, 6, 4, 3}, {4, 0, 2, 5, 6, 8}, {4, 2, 6, 9, 8, 7}}));
    EXPECT_EQ(strip(13), (table{{0, 1, 2, 6, 4, 3}, {4, 0, 2, 5, 6, 8}, {4, 2, 6, 10, 8, 7}, {8, 4, 6, 9, 10, 11}}));
}

// Vulkan 1.3, 21.1.4 to 21.1.10: primitive i by the numbers of its vertices.
TEST(assembly, PIPE_02_first_vertex_provokes)
{
    const auto first_provokes = [](draw_call draw) {
        draw.first_provokes = true;
        return assemble(draw);
    };
    for (std::uint32_t vertices = 0; vertices < 25; ++vertices) {
        table strip, fan, adjacent;
        for (std::uint32_t i = 0; i + 2 < vertices; ++i) {
            strip.push_back({i, i + 1 + i % 2, i + 2 - i % 2});
            fan.push_back({i + 1, i + 2, 0});
        }
        const auto n = vertices < 6 ? 0 : (vertices - 4) / 2;
        for (std::uint32_t i = 0; i < n; ++i) {
            const auto v = 2 * i, before = i == 0 ? 1 : v - 2, beyond = i + 1 == n ? v + 5 : v + 6;
            if (i % 2 == 0)
                adjacent.push_back({v, before, v + 2, beyond, v + 4, v + 3});
            else
                adjacent.push_back({v, v + 3, v + 4, beyond, v + 2, before});
        }
        EXPECT_EQ(first_provokes(plain_draw(topology::triangle_strip, vertices)), strip);
        EXPECT_EQ(first_provokes(plain_draw(topology::triangle_fan, vertices)), fan);
        EXPECT_EQ(first_provokes(plain_draw(topology::triangle_strip_adjacency, vertices)), adjacent);
    }
    EXPECT_EQ(first_provokes(indexed_draw(topology::triangle_strip,
                                          {restart, 0, 1, 2, 3, restart, 7, 8, restart, restart, 4, 5, 6, restart})),
              (table{{0, 1, 2}, {1, 3, 2}, {4, 5, 6}}));
}

TEST(assembly, PIPE_02_patches_of_every_size)
{
    for (unsigned k = 1; k <= 32; ++k) {
        auto draw = plain_draw(topology::patches, 2 * k + k / 2);
        draw.patch_vertices = k;
        const auto result = assemble(draw);
        ASSERT_EQ(result.size(), 2U) << k;
        for (std::uint32_t p = 0; p < 2; ++p)
            for (std::uint32_t i = 0; i < k; ++i) EXPECT_EQ(result[p][i], p * k + i);
    }
}

TEST(assembly, PIPE_02_first_vertex_offsets_ids_and_index_positions)
{
    auto draw = plain_draw(topology::points, 2);
    draw.first_vertex = 7;
    EXPECT_EQ(assemble(draw), (table{{7}, {8}}));
    auto indexed = indexed_draw(topology::points, {9, 8, 7, 6});
    indexed.first_vertex = 1;
    indexed.vertex_count = 2;
    EXPECT_EQ(assemble(indexed), (table{{8}, {7}}));
}

TEST(assembly, PIPE_02_restart_ends_every_topology)
{
    const auto run = [](topology kind) {
        return assemble(
            indexed_draw(kind, {10, 11, 12, restart, restart, 20, 21, restart, 30, 31, 32, 33, restart, 40}));
    };
    EXPECT_EQ(run(topology::points), (table{{10}, {11}, {12}, {20}, {21}, {30}, {31}, {32}, {33}, {40}}));
    EXPECT_EQ(run(topology::lines), (table{{10, 11}, {20, 21}, {30, 31}, {32, 33}}));
    EXPECT_EQ(run(topology::line_strip), (table{{10, 11}, {11, 12}, {20, 21}, {30, 31}, {31, 32}, {32, 33}}));
    EXPECT_EQ(run(topology::line_loop),
              (table{{10, 11}, {11, 12}, {12, 10}, {20, 21}, {21, 20}, {30, 31}, {31, 32}, {32, 33}, {33, 30}}));
    EXPECT_EQ(run(topology::triangles), (table{{10, 11, 12}, {30, 31, 32}}));
    EXPECT_EQ(run(topology::triangle_strip), (table{{10, 11, 12}, {30, 31, 32}, {32, 31, 33}}));
    EXPECT_EQ(run(topology::triangle_fan), (table{{10, 11, 12}, {30, 31, 32}, {30, 32, 33}}));
    EXPECT_EQ(run(topology::lines_adjacency), (table{{30, 31, 32, 33}}));
    EXPECT_EQ(run(topology::line_strip_adjacency), (table{{30, 31, 32, 33}}));
    EXPECT_EQ(run(topology::triangles_adjacency), table{});
}

TEST(assembly, PIPE_02_restart_gives_each_adjacency_strip_its_own_end)
{
    EXPECT_EQ(assemble(indexed_draw(topology::triangle_strip_adjacency,
                                    {0, 1, 2, 3, 4, 5, restart, 10, 11, 12, 13, 14, 15, 16, 17})),
              (table{{0, 1, 2, 5, 4, 3}, {10, 11, 12, 16, 14, 13}, {14, 10, 12, 15, 16, 17}}));
}

TEST(assembly, PIPE_02_no_restart_index_means_an_ordinary_index)
{
    auto draw = indexed_draw(topology::points, {1, restart});
    draw.restart_index.reset();
    EXPECT_EQ(assemble(draw), (table{{1}, {restart}}));
}

TEST(assembly, PIPE_02_instances_repeat_the_stream_and_restart_the_primitive_id)
{
    auto draw = indexed_draw(topology::line_strip, {0, 1, 2, restart, 5, 6});
    draw.instance_count = 2;
    primitive_assembly assembly(draw);
    primitive p;
    for (std::uint32_t instance = 0; instance < 2; ++instance)
        for (std::uint32_t id = 0; id < 3; ++id) {
            ASSERT_TRUE(assembly.next(p));
            EXPECT_EQ(p.instance, instance);
            EXPECT_EQ(p.id, id); // the restart does not reset it
        }
    EXPECT_FALSE(assembly.next(p));
    EXPECT_FALSE(assembly.next(p));
    EXPECT_EQ(assembly.positions_read(), 12U);
}

TEST(assembly, consecutive_draws_are_those_draws_one_by_one)
{
    for (unsigned k = 0; k < static_cast<unsigned>(topology::mesh); ++k)
        for (std::uint64_t each = 1; each < 24; ++each) {
            auto all = indexed_draw(static_cast<topology>(k), {0,  1,  2,  3,       restart, 5,  6,  7,  8,  9,  10,
                                                               11, 12, 13, restart, 15,      16, 17, 18, 19, 20, 21});
            all.patch_vertices = 3;
            all.vertices_per_draw = each;
            primitive_assembly assembly(all);
            primitive p;
            for (std::uint32_t number = 0; number < all.draws(); ++number) {
                auto one = all;
                one.vertices_per_draw = 0;
                one.first_vertex = number * each;
                one.vertex_count = std::min(each, all.vertex_count - one.first_vertex);
                primitive_assembly alone(one);
                for (primitive expected; alone.next(expected);) {
                    ASSERT_TRUE(assembly.next(p));
                    EXPECT_TRUE(std::equal(p.vertex.begin(), p.vertex.begin() + p.count, expected.vertex.begin()));
                    EXPECT_EQ(p.id, expected.id);
                    EXPECT_EQ(p.draw, number);
                }
            }
            EXPECT_FALSE(assembly.next(p));
        }
}

TEST(assembly, the_number_of_primitives_is_known_before)
{
    for (unsigned k = 0; k <= static_cast<unsigned>(topology::mesh); ++k) {
        const auto kind = static_cast<topology>(k);
        for (std::uint64_t vertices = 0; vertices < 23; ++vertices) {
            auto draw = plain_draw(kind, vertices);
            draw.patch_vertices = 5;
            draw.instance_count = 3;
            EXPECT_EQ(count_primitives(draw), assemble(draw).size()) << static_cast<int>(kind) << " " << vertices;
            // A restart after every vertex in turn, and one more near the end.
            for (std::uint64_t vertex = 0; vertex < vertices; ++vertex) {
                std::vector<std::uint32_t> indices(vertices, 1);
                indices[vertex] = restart;
                if (vertices > 9) indices[vertices - 2] = restart;
                auto indexed = indexed_draw(kind, indices);
                indexed.patch_vertices = 2;
                indexed.instance_count = 2;
                EXPECT_EQ(count_primitives(indexed), assemble(indexed).size())
                    << static_cast<int>(kind) << " " << vertex;
                indexed.restart_index.reset();
                indexed.first_vertex = 1;
                indexed.vertex_count = vertices - 1;
                EXPECT_EQ(count_primitives(indexed), assemble(indexed).size()) << static_cast<int>(kind);
                indexed.instance_count = 1;
                indexed.vertices_per_draw = 1 + vertex;
                indexed.restart_index = restart;
                EXPECT_EQ(count_primitives(indexed), assemble(indexed).size())
                    << static_cast<int>(kind) << " " << vertex;
            }
        }
    }
}

TEST(assembly, PIPE_02_nothing_to_draw)
{
    auto draw = plain_draw(topology::triangles, 9);
    draw.instance_count = 0;
    EXPECT_EQ(assemble(draw), table{});
    EXPECT_EQ(assemble(plain_draw(topology::triangles, 0)), table{});
}

} // namespace
} // namespace isbesim
