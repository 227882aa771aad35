// SPDX-License-Identifier: Apache-2.0
// Rows against the buffer, word by word: many columns and few, stored ones and defaults.
#include "models/pe/stream_out/capture.h"

#include <cstring>
#include <random>
#include <string>

#include <gtest/gtest.h>

#include "models/attribute/attribute_map.h"
#include "models/pe/stream_out/culling.h"
#include "models/pe/stream_out/output_order.h"

namespace isbesim {
namespace {

struct capture_source {
    explicit capture_source(unsigned seed) : generator(seed) {}
    unsigned operator()() { return static_cast<unsigned>(generator()); }
    std::mt19937 generator;
};

/// Records requests and answers with attribute and place.
struct numbered_access final : isbe_access {
    void write(const component_run&, lane_mask, const per_lane<word>&) override {}
    void read(const component_run& run, lane_mask lanes, word* destination) override
    {
        for (unsigned lane = 0; lane < warp_lanes; ++lane)
            if ((lanes >> lane & 1U) != 0) destination[lane] = run.base + lane * run.stride;
    }
};

struct captured_stage {
    explicit captured_stage(capture_source& random)
    {
        for (unsigned id = 0x20; id < 0x30; ++id)
            if (random() % 2 == 0) stage.output_enabled.insert(id);
        for (unsigned i = random() % 20; i > 0; --i) capture[0].push_back(4 * (0x20 + random() % 16));
        space.allocated = space.enabled = stage.output_enabled;
        space.vertex_count = groups * warp_lanes;
    }
    static constexpr unsigned groups = 3;
    linked_stage stage;
    capture_list capture;
    space_layout space;
    isbe_config config;
};

word expected(const captured_stage& source, unsigned address, unsigned vertex)
{
    const auto id = address / 4;
    if (!source.stage.output_enabled.contains(id))
        return attribute_default(id, source.config.attribute_default, source.config.position_w_default);
    const auto run = attribute_run(source.space, id, vertex / warp_lanes, source.config.skew);
    return run.base + vertex % warp_lanes * run.stride;
}

TEST(capture_plan, rows_hold_the_columns_of_their_vertices)
{
    capture_source random(1);
    numbered_access isbe;
    for (unsigned round = 0; round < 200; ++round) {
        const captured_stage source(random);
        const capture_plan plan(source.capture, source.stage, source.config, consumer_rule::captured);
        std::vector<word> buffer(plan.buffer_words(source.groups));
        std::vector<run_read> reads;
        for (unsigned group = 0; group < source.groups; ++group)
            plan.add_reads(reads, source.space, group, all_lanes, source.groups, buffer.data());
        isbe.read_all(reads);
        std::vector<unsigned> vertices(random() % 50);
        for (auto& each : vertices) each = random() % (source.groups * warp_lanes);
        std::vector<word> rows;
        stream_output::stream out;
        out.words.assign(random() % 1000, 17); // left there before
        plan.append(out, 0, vertices, source.groups, buffer.data());
        plan.append(out, 0, vertices, source.groups, buffer.data());
        vertices.insert(vertices.end(), vertices.begin(), vertices.end());
        for (const auto vertex : vertices)
            for (const auto address : source.capture[0]) rows.push_back(expected(source, address, vertex));
        out.words.resize(rows.size());
        EXPECT_EQ(out.words, rows);
        EXPECT_EQ(out.vertices, vertices.size());
    }
}

// Captures every other vertex of primitives with adjacency, and more rows than are written at a time.
TEST(capture_plan, a_batch_is_its_primitives)
{
    capture_source random(2);
    numbered_access isbe;
    for (const auto k : {1U, 2U, 3U, 4U, 6U}) {
        const captured_stage source(random);
        const capture_plan plan(source.capture, source.stage, source.config, consumer_rule::captured);
        batch vertices;
        vertices.primitive_vertices = k;
        vertices.vertex_count = warp_lanes;
        for (unsigned i = 0; i < 250 * k; ++i) vertices.corners.push_back(static_cast<std::uint8_t>(random() % 32));
        std::vector<word> buffer;
        std::vector<run_read> reads;
        plan.add_reads_of_batch(reads, source.space, vertices, buffer);
        isbe.read_all(reads);
        stream_output out;
        plan.append_batch(out, vertices, buffer);
        const auto core = core_corners_of(k);
        std::vector<word> rows;
        for (unsigned p = 0; p < 250; ++p)
            for (unsigned i = 0; i < core.count; ++i)
                for (const auto address : source.capture[0])
                    rows.push_back(expected(source, address, vertices.corners[p * k + core.first + i * core.step]));
        EXPECT_EQ(out.streams[0].words, rows);
        EXPECT_EQ(out.streams[0].primitive_vertices, core.count);
        EXPECT_EQ(out.streams[0].vertices, 250U * core.count);
    }
}

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

struct text_sink : vertex_sink {
    std::string text;
    void vertex(unsigned stream, std::uint64_t primitive, unsigned vertex, const word* values,
                std::size_t count) override
    {
        text += std::to_string(stream) + "/" + std::to_string(primitive) + "/" + std::to_string(vertex);
        for (std::size_t i = 0; i < count; ++i) text += (i == 0 ? "=" : ",") + std::to_string(values[i]);
        text += " ";
    }
};

struct output_order_test : testing::Test {
    text_sink sink;
    capture_list capture;
    output_order_test() { capture[0] = {0x70}; }

    static void fill(output_order& order, output_order::ticket place, unsigned stream, std::vector<word> words,
                     unsigned per_primitive)
    {
        auto& rows = order.output(place).streams[stream];
        rows.primitive_vertices = per_primitive;
        rows.vertices = words.size();
        rows.words = std::move(words);
    }
};

TEST_F(output_order_test, OUT_12_later_places_wait_for_earlier_ones)
{
    output_order order(sink, capture);
    const auto a = order.append();
    const auto b = order.append();
    const auto c = order.append();
    fill(order, a, 0, {1, 2}, 2);
    fill(order, b, 0, {3, 4}, 2);
    fill(order, c, 0, {5}, 1);
    order.complete(c);
    EXPECT_EQ(sink.text, "");
    order.complete(a);
    EXPECT_EQ(sink.text, "0/0/0=1 0/0/1=2 ");
    EXPECT_EQ(order.waiting(), 2U);
    order.complete(b);
    EXPECT_EQ(sink.text, "0/0/0=1 0/0/1=2 0/1/0=3 0/1/1=4 0/2/0=5 ");
    EXPECT_TRUE(order.empty());
}

TEST_F(output_order_test, OUT_12_a_place_expands_where_it_stands)
{
    output_order order(sink, capture);
    const auto a = order.append();
    const auto b = order.append();
    fill(order, b, 0, {9}, 1);
    order.complete(b);
    const auto first = order.insert_before(a);
    const auto second = order.insert_before(a);
    order.complete(a);
    fill(order, second, 0, {8}, 1);
    order.complete(second);
    EXPECT_EQ(sink.text, "");
    fill(order, first, 0, {7}, 1);
    order.complete(first);
    EXPECT_EQ(sink.text, "0/0/0=7 0/1/0=8 0/2/0=9 ");
}

TEST_F(output_order_test, OUT_05_streams_without_capture_are_counted_only)
{
    output_order order(sink, capture);
    const auto a = order.append();
    auto& rows = order.output(a).streams[2];
    rows.primitive_vertices = 3;
    rows.vertices = 6;
    order.complete(a);
    EXPECT_EQ(sink.text, "");
    EXPECT_EQ(order.primitives(2), 2U);
    EXPECT_EQ(order.vertices(2), 6U);
    EXPECT_EQ(order.primitives(0), 0U);
}

} // namespace
} // namespace isbesim
