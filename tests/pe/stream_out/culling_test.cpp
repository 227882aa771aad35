// SPDX-License-Identifier: Apache-2.0
#include "models/pe/stream_out/culling.h"

#include <cstring>

#include <gtest/gtest.h>

namespace isbesim {
namespace {

using position = std::array<float, 4>;

/// A buffer with attribute a of vertex v at 32 a + v: x, y, z, w and one clip distance.
struct vertices {
    std::vector<word> buffer;
    cull_places places;

    explicit vertices(const std::vector<position>& all, const std::vector<float>& distance = {})
        : buffer(32 * std::size_t{cull_attributes})
    {
        places.fill(not_written);
        for (unsigned a = 0; a < 4; ++a) {
            places[a] = 32 * a;
            for (unsigned v = 0; v < all.size(); ++v) std::memcpy(&buffer[32 * a + v], &all[v][a], 4);
        }
        if (!distance.empty()) places[7] = 32 * 7;
        for (unsigned v = 0; v < distance.size(); ++v) std::memcpy(&buffer[32 * 7 + v], &distance[v], 4);
    }
    std::optional<cull_reason> reason(unsigned k, const cull_settings& settings = {}) const
    {
        const std::array<unsigned, 3> corners{0, 1, 2};
        return culling(settings).reason(corners.data(), k, buffer.data(), places);
    }
};

const std::vector<position> counterclockwise{{0, 0, 0, 1}, {0.5F, 0, 0, 1}, {0, 0.5F, 0, 1}};
const std::vector<position> clockwise{{0, 0, 0, 1}, {0, 0.5F, 0, 1}, {0.5F, 0, 0, 1}};

TEST(culling, drops_primitives_beyond_one_plane)
{
    for (unsigned axis = 0; axis < 3; ++axis)
        for (const float side : {-1.0F, 1.0F}) {
            auto corners = counterclockwise;
            for (auto& each : corners) each[axis] += 3 * side;
            EXPECT_EQ(vertices(corners).reason(3), cull_reason::outside) << axis << side;
            EXPECT_EQ(vertices(corners).reason(1), cull_reason::outside) << axis << side;
            corners[1][axis] -= 3 * side; // one corner is inside
            EXPECT_EQ(vertices(corners).reason(3), std::nullopt) << axis << side;
            for (auto& each : corners) each[axis] = side; // on the plane
            EXPECT_NE(vertices(corners).reason(1), cull_reason::outside) << axis << side;
        }
    // Beyond two planes, but not all beyond the same one.
    EXPECT_EQ(vertices({{-3, 0, 0, 1}, {3, 0, 0, 1}, {0, 0.5F, 0, 1}}).reason(3), std::nullopt);
}

TEST(culling, the_near_plane_is_that_of_the_draw)
{
    auto corners = counterclockwise;
    for (auto& each : corners) each[2] = -0.5F;
    EXPECT_EQ(vertices(corners).reason(3), std::nullopt);
    cull_settings settings;
    settings.depth_from_zero = true;
    EXPECT_EQ(vertices(corners).reason(3, settings), cull_reason::outside);
    for (auto& each : corners) each[2] = 0;
    EXPECT_EQ(vertices(corners).reason(3, settings), std::nullopt);
}

TEST(culling, leaves_triangles_beyond_a_clip_distance_to_setup)
{
    const std::array<unsigned, 3> corners{0, 1, 2};
    for (const float last : {-0.5F, 0.0F}) {
        const vertices all(counterclockwise, {-1, -1, last});
        cull_counts dropped;
        std::vector<lane_mask> kept(1);
        culling({}).sort(corners.data(), 3, all.buffer.data(), all.places, dropped, kept);
        EXPECT_EQ(sum_of(dropped), 0U);
        EXPECT_EQ(kept[0], last < 0 ? 0U : 0b111U) << "whose other attributes are read";
    }
}

TEST(culling, drops_triangles_without_area)
{
    EXPECT_EQ(vertices({{0, 0, 0, 1}, {0, 0, 0, 1}, {0.5F, 0.1F, 0, 1}}).reason(3), cull_reason::no_area);
    EXPECT_EQ(vertices({{0, 0, 0, 1}, {0.25F, 0.25F, 0, 1}, {0.5F, 0.5F, 0, 1}}).reason(3), cull_reason::no_area);
    EXPECT_EQ(vertices({{0.1F, 0.3F, 0, 1}, {0.1F, 0.3F, 0, 1}, {0.7F, 0.9F, 0, 1}}).reason(3), cull_reason::no_area);
    EXPECT_EQ(vertices({{0, 0, 0, 1}, {0, 0, 0, 1}}).reason(2), std::nullopt) << "a line";
}

TEST(culling, drops_the_sides_of_the_draw)
{
    for (const bool clockwise_is_front : {false, true})
        for (const bool front : {false, true})
            for (const bool back : {false, true}) {
                const cull_settings settings{front, back, clockwise_is_front, false};
                const auto drops = [&](const std::vector<position>& corners) {
                    return vertices(corners).reason(3, settings) == cull_reason::facing;
                };
                EXPECT_EQ(drops(clockwise), clockwise_is_front ? front : back);
                EXPECT_EQ(drops(counterclockwise), clockwise_is_front ? back : front);
            }
    // The perspective division does not turn a triangle round: all w are positive.
    const cull_settings back{false, true, false, false};
    EXPECT_EQ(vertices({{0, 0, 0, 1}, {2, 0, 0, 4}, {0, 4, 0, 8}}).reason(3, back), std::nullopt);
    EXPECT_EQ(vertices({{0, 0, 0, 1}, {0, 4, 0, 8}, {2, 0, 0, 4}}).reason(3, back), cull_reason::facing);
}

TEST(culling, keeps_all_without_a_position)
{
    vertices without(counterclockwise);
    without.places[3] = not_written;
    EXPECT_EQ(without.reason(3, {true, true, false, false}), std::nullopt);
}

TEST(culling, marks_vertices_of_kept_primitives)
{
    const vertices all({{0, 0, 0, 1}, {0.5F, 0, 0, 1}, {0, 0.5F, 0, 1}, {0, 0, 0, 1}});
    std::vector<lane_mask> kept(1);
    cull_counts dropped;
    const culling rule({false, true, false, false});
    for (const auto& corners : {std::array<unsigned, 3>{0, 1, 3}, {0, 2, 1}, {3, 1, 2}})
        rule.sort(corners.data(), 3, all.buffer.data(), all.places, dropped, kept);
    EXPECT_EQ(kept[0], 0xeU);
    EXPECT_EQ(dropped[cull_reason::no_area], 1U);
    EXPECT_EQ(dropped[cull_reason::facing], 1U);
    EXPECT_EQ(sum_of(dropped), 2U);
}

} // namespace
} // namespace isbesim
