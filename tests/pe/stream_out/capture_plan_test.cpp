// SPDX-License-Identifier: Apache-2.0
// Rows against the buffer, word by word: many columns and few, stored ones and defaults.
#include "models/pe/stream_out/capture_plan.h"

#include <random>

#include <gtest/gtest.h>

#include "models/attribute/attribute_map.h"

namespace isbesim {
namespace {

struct capture_source {
    explicit capture_source(unsigned seed) : made(seed) {}
    unsigned operator()() { return static_cast<unsigned>(made()); }
    std::mt19937 made;
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

word expected(const captured_stage& of, unsigned address, unsigned vertex)
{
    const auto id = address / 4;
    if (!of.stage.output_enabled.contains(id))
        return attribute_default(id, of.config.attribute_default, of.config.position_w_default);
    const auto run = attribute_run(of.space, id, vertex / warp_lanes, of.config.skew);
    return run.base + vertex % warp_lanes * run.stride;
}

TEST(capture_plan, rows_hold_the_columns_of_their_vertices)
{
    capture_source random(1);
    numbered_access isbe;
    for (unsigned round = 0; round < 200; ++round) {
        const captured_stage of(random);
        const capture_plan plan(of.capture, of.stage, of.config, consumer_rule::captured);
        std::vector<word> buffer(plan.buffer_words(of.groups));
        std::vector<run_read> reads;
        for (unsigned group = 0; group < of.groups; ++group)
            plan.add_reads(reads, of.space, group, all_lanes, of.groups, buffer.data());
        isbe.read_all(reads);
        std::vector<unsigned> vertices(random() % 50);
        for (auto& each : vertices) each = random() % (of.groups * warp_lanes);
        std::vector<word> rows;
        stream_output::stream out;
        out.words.assign(random() % 1000, 17); // left there before
        plan.append(out, 0, vertices, of.groups, buffer.data());
        plan.append(out, 0, vertices, of.groups, buffer.data());
        vertices.insert(vertices.end(), vertices.begin(), vertices.end());
        for (const auto vertex : vertices)
            for (const auto address : of.capture[0]) rows.push_back(expected(of, address, vertex));
        out.words.resize(rows.size());
        EXPECT_EQ(out.words, rows);
        EXPECT_EQ(out.vertices, vertices.size());
    }
}

// Of primitives with adjacency every other vertex, more of them than are written at a time.
TEST(capture_plan, a_batch_is_its_primitives)
{
    capture_source random(2);
    numbered_access isbe;
    for (const auto k : {1U, 2U, 3U, 4U, 6U}) {
        const captured_stage of(random);
        const capture_plan plan(of.capture, of.stage, of.config, consumer_rule::captured);
        batch vertices;
        vertices.primitive_vertices = k;
        vertices.vertex_count = warp_lanes;
        for (unsigned i = 0; i < 250 * k; ++i) vertices.corners.push_back(static_cast<std::uint8_t>(random() % 32));
        std::vector<word> buffer;
        std::vector<run_read> reads;
        plan.add_reads_of_batch(reads, of.space, vertices, buffer);
        isbe.read_all(reads);
        stream_output out;
        plan.append_batch(out, vertices, buffer);
        const auto core = core_corners_of(k);
        std::vector<word> rows;
        for (unsigned p = 0; p < 250; ++p)
            for (unsigned i = 0; i < core.count; ++i)
                for (const auto address : of.capture[0])
                    rows.push_back(expected(of, address, vertices.corners[p * k + core.first + i * core.step]));
        EXPECT_EQ(out.streams[0].words, rows);
        EXPECT_EQ(out.streams[0].primitive_vertices, core.count);
        EXPECT_EQ(out.streams[0].vertices, 250U * core.count);
    }
}

} // namespace
} // namespace isbesim
