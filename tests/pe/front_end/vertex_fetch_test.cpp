// SPDX-License-Identifier: Apache-2.0
#include "models/pe/front_end/vertex_fetch.h"

#include <gtest/gtest.h>

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
    EXPECT_EQ(vertex_fetch(draw, all).bytes(three_vertices()), 4U * (2 * 3 + 1 + 6));
}

} // namespace
} // namespace isbesim
