// SPDX-License-Identifier: Apache-2.0
#include "models/pe/front_end/vertex_fetch.h"

#include <set>

#include <gtest/gtest.h>

#include "models/attribute/attribute_map.h"
#include "tests/pe/draws.h"

namespace isbesim {
namespace {

using test::ids;

batch three_vertices()
{
    batch b;
    b.instance = 2;
    b.vertex_count = 3;
    b.vertex[0] = 5;
    b.vertex[1] = 0;
    b.vertex[2] = 7;
    b.positions = 6;
    return b;
}

/// Values of the attribute at `address` for three_vertices().
std::vector<word> values(const draw_call& draw, unsigned address)
{
    const vertex_fetch fetch(draw, ids({address}));
    EXPECT_EQ(fetch.components().size(), 1U);
    per_lane<word> lanes{};
    fetch.read(fetch.components()[0], three_vertices(), lanes);
    return {lanes.begin(), lanes.begin() + 3};
}

draw_call fetch_draw()
{
    draw_call draw;
    auto& position = draw.attributes[0x80];
    position.components = 3;
    for (word i = 0; i < 24; ++i) position.words.push_back(100 + i); // element e, component c: 100 + 3 e + c
    auto& color = draw.attributes[0xa0];
    color.components = 1;
    color.per_instance = true;
    color.words = {50, 51, 52};
    return draw;
}

TEST(vertex_fetch, ALD_06_per_vertex_data_by_vertex_id_and_per_instance_data_by_instance)
{
    EXPECT_EQ(values(fetch_draw(), 0x80), (std::vector<word>{115, 100, 121}));
    EXPECT_EQ(values(fetch_draw(), 0x88), (std::vector<word>{117, 102, 123}));
    EXPECT_EQ(values(fetch_draw(), 0xa0), (std::vector<word>{52, 52, 52}));
}

TEST(vertex_fetch, ALD_06_repeated_data_starts_over)
{
    auto draw = fetch_draw();
    auto& position = draw.attributes[0x80];
    position.repeat = true;
    position.words.resize(6); // two elements: ids 5, 0, 7 are elements 1, 0, 1
    EXPECT_EQ(values(draw, 0x84), (std::vector<word>{104, 101, 104}));
}

TEST(vertex_fetch, ALD_07_generated_values)
{
    EXPECT_EQ(values(fetch_draw(), 0x2fc), (std::vector<word>{5, 0, 7}));
    EXPECT_EQ(values(fetch_draw(), 0x2f8), (std::vector<word>{2, 2, 2}));
}

TEST(vertex_fetch, PIPE_01_bytes_of_a_batch)
{
    auto draw = fetch_draw();
    const auto all = ids({0x80, 0x84, 0xa0, 0x2fc});
    // Two components of three vertices and one per instance; the generated one is not fetched.
    EXPECT_EQ(vertex_fetch(draw, all).bytes(three_vertices()), 4U * (2 * 3 + 1));
    draw.indexed = true;
    for (const auto size : {4U, 2U, 1U, 0U}) {
        draw.index_bytes = size;
        EXPECT_EQ(vertex_fetch(draw, all).bytes(three_vertices()), 4U * (2 * 3 + 1) + size * 6);
    }
}

/// Sectors of the bytes [first, first + size), counted byte by byte.
void add_bytes(std::set<std::uint64_t>& sectors, std::uint64_t first, std::uint64_t size)
{
    for (auto byte = first; byte < first + size; ++byte) sectors.insert(byte / 32);
}

std::vector<std::uint64_t> touched_by(const draw_call& draw, const attribute_set& inputs, const batch& vertices)
{
    sector_list list;
    vertex_fetch(draw, inputs).touch(vertices, list);
    return list.merged();
}

TEST(vertex_fetch, touches_the_bytes_that_the_stage_reads)
{
    auto draw = fetch_draw();
    draw.attributes[0x80].address = 0x1000; // three words an element
    draw.attributes[0x80].stride = 40;
    draw.attributes[0xa0].address = 0x2000;
    auto& packed = draw.attributes[0xb0]; // four components of a byte
    packed.words.assign(8 * 4, 1);
    packed.address = 0x3010;
    packed.bytes = 4;
    draw.attributes[attribute_address::vertex_id].components = 1;
    draw.attributes[attribute_address::vertex_id].words.assign(8, 1);
    std::set<std::uint64_t> expected;
    for (const std::uint64_t vertex : {5U, 0U, 7U}) {
        add_bytes(expected, 0x1000 + 40 * vertex + 4, 8); // components 1 and 2
        add_bytes(expected, 0x3010 + 4 * vertex, 4);
    }
    add_bytes(expected, 0x2000 + 4 * 2, 4);
    const auto inputs = ids({0x84, 0x88, 0xa0, 0xb4, attribute_address::vertex_id});
    EXPECT_EQ(touched_by(draw, inputs, three_vertices()), std::vector<std::uint64_t>(expected.begin(), expected.end()));
    EXPECT_TRUE(touched_by(draw, ids({attribute_address::vertex_id}), three_vertices()).empty());
}

TEST(vertex_fetch, every_instance_touches_the_same_indices)
{
    draw_call draw;
    draw.indexed = true;
    draw.indices.assign(100, 0);
    draw.vertex_count = 12;
    draw.first_vertex = 64;
    auto vertices = three_vertices();
    for (const auto size : {4U, 2U, 1U, 0U}) {
        draw.index_bytes = size;
        std::set<std::uint64_t> expected;
        add_bytes(expected, (std::uint64_t{1} << 41U) + std::uint64_t{size} * (64 + 6), size * 6);
        for (const std::uint64_t instance : {0U, 1U, 5U}) {
            vertices.first_position = 12 * instance + 6;
            EXPECT_EQ(touched_by(draw, {}, vertices), std::vector<std::uint64_t>(expected.begin(), expected.end()));
        }
    }
}

} // namespace
} // namespace isbesim
