// SPDX-License-Identifier: Apache-2.0
// The output MAP of every stage: a primitive count, then the indices (HARDWARE.md D.4). The lines of each space are
// worked out here from the draw: the allocator hands out those of outputs from 0 on.
#include <gtest/gtest.h>

#include "tests/pe/draws.h"
#include "tests/pe/functional_pipeline.h"

namespace isbesim {
namespace {

using namespace test;

constexpr word outside = 0xbad; // what no byte of a MAP can be

struct map_variant {
    bool skew;
    bool swapped; ///< isbe.map_byte_swap
};
void PrintTo(const map_variant& machine, std::ostream* out)
{
    *out << (machine.skew ? "skewed" : "unskewed") << (machine.swapped ? "_swapped" : "");
}

word swap_bytes(word value)
{
    return value << 24 | (value & 0xff00U) << 8 | (value >> 8 & 0xff00U) | value >> 24;
}

/// Reads of a MAP by one warp: the word at 0, and single bytes; in an output, the bytes after that word.
struct map_image {
    word count = 0;
    std::vector<word> bytes;
};

map_image read_map(shader_warp& warp, space which, unsigned bytes)
{
    const unsigned first_byte = which == space::output ? 4 : 0;
    map_image image;
    auto op = warp.operation(opcode::isberd, 4);
    op.region = region::map;
    op.space = which;
    op.lanes = all_lanes;
    const auto first = warp.run(op);
    image.count = first.status[0] == 0 ? first.data[0][0] : outside;
    op.size = 1;
    for (unsigned i = 0; i < bytes; ++i) {
        if (i % warp_lanes == 0)
            for (unsigned lane = 0; lane < warp_lanes; ++lane) op.address[lane] = first_byte + i + lane;
        const auto result = warp.run(op);
        const auto lane = i % warp_lanes;
        image.bytes.push_back(result.status[lane] == 0 ? result.data[0][lane] : outside);
    }
    return image;
}

word read_storage(shader_warp& warp, unsigned address)
{
    auto op = warp.operation(opcode::isberd, 4, static_cast<int>(address));
    op.region = region::physical;
    op.lanes = 1;
    return warp.run(op).data[0][0];
}

void write_map(shader_warp& warp, unsigned size, unsigned address, word value)
{
    auto op = warp.operation(opcode::isbewr, size, static_cast<int>(address));
    op.region = region::map;
    op.space = space::output;
    op.lanes = 1;
    op.data[0][0] = value;
    warp.run(op);
}

class output_map : public testing::TestWithParam<map_variant> {
protected:
    machine_config config;
    output_map()
    {
        config.isbe.skew = GetParam().skew;
        config.isbe.map_byte_swap = GetParam().swapped;
    }
    /// A count as a load finds it.
    word stored(word count) const { return GetParam().swapped ? swap_bytes(count) : count; }
    /// Lines of `vertices` <= 32 vertices of four attributes.
    unsigned lines(unsigned vertices) const { return GetParam().skew ? 4 : (vertices * 16 + 127) / 128; }
};
INSTANTIATE_TEST_SUITE_P(machines, output_map,
                         testing::Values(map_variant{true, false}, map_variant{true, true}, map_variant{false, false}));

TEST_P(output_map, ISBE_06_last_vertex_stage)
{
    const auto draw = vertex_draw(topology::triangle_strip, 7);
    map_image seen;
    functional_pipeline run(draw, config, {{stage::vertex, [&](shader_warp& w) {
                                                seen = read_map(w, space::output, 16);
                                                return copy_vertex(w);
                                            }}});
    EXPECT_EQ(seen.count, stored(5));
    EXPECT_EQ(seen.bytes, (std::vector<word>{0, 1, 2, 2, 1, 3, 2, 3, 4, 4, 3, 5, 4, 5, 6, outside}));
    EXPECT_EQ(run.sink.rows.size(), 15U);
}

TEST_P(output_map, ISBE_06_two_vertex_stages_and_the_next_input)
{
    auto draw = vertex_draw(topology::triangle_fan, 5);
    auto& second = draw.stages[stage::vertex];
    draw.stages[stage::vertex_a] = second;
    second.header.imap = second.header.omap;
    add_geometry(draw, output_topology::points, 1);
    map_image output_a;
    map_image output_b;
    map_image input_of_b;
    map_image input_of_geometry;
    word in_front_of_b = outside;
    word in_front_of_geometry = outside;
    // The output of VSa, with a line of 4 + 9 bytes of MAP; VSb's, with a line of MAP and PRIM, comes after it.
    const auto map_of_a = lines(5) * 128;
    const auto map_of_b = map_of_a + 128 + lines(5) * 128;
    functional_pipeline run(draw, config,
                            {{stage::vertex_a,
                              [&](shader_warp& w) {
                                  output_a = read_map(w, space::output, 10);
                                  return copy_vertex(w);
                              }},
                             {stage::vertex,
                              [&](shader_warp& w) {
                                  input_of_b = read_map(w, space::input, 10);
                                  output_b = read_map(w, space::output, 10);
                                  in_front_of_b = read_storage(w, map_of_a);
                                  return copy_words(w, 0x70);
                              }},
                             {stage::geometry, [&](shader_warp& w) {
                                  input_of_geometry = read_map(w, space::input, 10);
                                  in_front_of_geometry = read_storage(w, map_of_b);
                                  return copy_primitive(w, 1);
                              }}});
    const std::vector<word> indices{0, 1, 2, 0, 2, 3, 0, 3, 4, outside};
    for (auto* output : {&output_a, &output_b}) {
        EXPECT_EQ(output->count, stored(3));
        EXPECT_EQ(output->bytes, indices);
    }
    EXPECT_EQ(input_of_b.bytes, indices);
    EXPECT_EQ(input_of_geometry.bytes, indices);
    // The word in front of an input MAP is the count of the output that it is.
    EXPECT_EQ(in_front_of_b, stored(3));
    EXPECT_EQ(in_front_of_geometry, stored(3));
}

// TI: patches, 32 bytes apart; TS: what it makes of one patch; the geometry stage reads the latter.
TEST_P(output_map, ISBE_06_tessellation_stages)
{
    auto draw = vertex_draw(topology::patches, 6);
    draw.patch_vertices = 2;
    auto& tess_init = draw.stages[stage::tess_init];
    tess_init = program(shader_type::tess_init, ids({0x70}), ids({0x70}));
    tess_init.header.threads_per_input_primitive = 2;
    draw.stages[stage::tess] = program(shader_type::tess, ids({0x70}), ids({0x70, 0x74, 0x78, 0x7c}));
    draw.tessellation.domain = tess_domain::isolines;
    draw.tessellation.output = tess_output::lines;
    draw.tessellation.defaults = {{1, 3, 1, 1}, {1, 1}}; // one line of three segments
    add_geometry(draw, output_topology::line_strip, 2);
    std::vector<map_image> patches;
    std::vector<map_image> segments;
    std::vector<map_image> inputs_of_tess;
    std::vector<map_image> inputs_of_geometry;
    functional_pipeline run(draw, config,
                            {{stage::vertex, copy_vertex},
                             {stage::tess_init,
                              [&](shader_warp& w) {
                                  patches.push_back(read_map(w, space::output, 3 * 32 + 1));
                                  return warp_completion{};
                              }},
                             {stage::tess,
                              [&](shader_warp& w) {
                                  inputs_of_tess.push_back(read_map(w, space::input, 33));
                                  segments.push_back(read_map(w, space::output, 7));
                                  return warp_completion{};
                              }},
                             {stage::geometry, [&](shader_warp& w) {
                                  inputs_of_geometry.push_back(read_map(w, space::input, 7));
                                  return copy_primitive(w, 2);
                              }}});
    ASSERT_EQ(patches.size(), 1U);
    EXPECT_EQ(patches[0].count, stored(3));
    for (unsigned p = 0; p < 3; ++p)
        for (unsigned i = 0; i < 32; ++i)
            EXPECT_EQ(patches[0].bytes[p * 32 + i], i < 2 ? 2 * p + i : 0xffU) << p << ' ' << i;
    EXPECT_EQ(patches[0].bytes.back(), outside);
    ASSERT_EQ(inputs_of_tess.size(), 3U);
    for (unsigned p = 0; p < 3; ++p) {
        EXPECT_EQ(inputs_of_tess[p].bytes[0], 2 * p);
        EXPECT_EQ(inputs_of_tess[p].bytes[1], 2 * p + 1);
        EXPECT_EQ(inputs_of_tess[p].bytes[31], 0xffU);
        EXPECT_EQ(inputs_of_tess[p].bytes[32], outside);
        EXPECT_EQ(segments[p].count, stored(3));
        EXPECT_EQ(segments[p].bytes, (std::vector<word>{0, 1, 1, 2, 2, 3, outside}));
        EXPECT_EQ(inputs_of_geometry[p].bytes, segments[p].bytes);
    }
    EXPECT_EQ(run.sink.rows.size(), 3U * 3 * 2);
}

// After the count there is a token per slot; the tokens are complete when the threads have ended.
TEST_P(output_map, ISBE_06_geometry_stage_counts_when_it_has_ended)
{
    auto draw = vertex_draw(topology::points, 10);
    add_geometry(draw, output_topology::line_strip, 5);
    draw.stages[stage::geometry].header.stream_out_mask = 3;
    draw.capture[1] = {0x70};
    map_image before;
    map_image after;
    // Thread t emits t % 6 vertices to stream t % 3; stream 2 is off.
    const auto shader = [&](shader_warp& w) {
        before = read_map(w, space::output, 0);
        write_map(w, 4, 3, 0x01020304); // is not what the PE counts
        per_lane<word> state{};
        for (unsigned v = 0; v < 5; ++v) {
            auto out = w.operation(opcode::out, 1);
            out.type = out_type::emit;
            out.handle = state;
            out.lanes = 0;
            for (unsigned t = 0; t < 10; ++t) {
                out.address[t] = t % 3;
                if (v < t % 6) out.lanes |= lane_mask{1} << t;
            }
            const auto result = w.run(out);
            for (unsigned t = 0; t < 10; ++t)
                if ((out.lanes >> t & 1U) != 0) state[t] = result.data[0][t];
        }
        after = read_map(w, space::output, 0);
        return emitted(state);
    };
    functional_pipeline run(draw, config, {{stage::vertex, copy_vertex}, {stage::geometry, shader}});
    EXPECT_EQ(before.count, 0U);
    EXPECT_EQ(after.count, GetParam().swapped ? 0x04030201U : 0x01020304U);
    unsigned segments = 0;
    for (unsigned t = 0; t < 10; ++t)
        if (t % 3 != 2 && t % 6 >= 2) segments += t % 6 - 1;
    EXPECT_EQ(run.sink.rows.size(), 2 * segments);

    // Vertex stage: output, 14 + 40 bytes of MAP and PRIM. The geometry output is 50 vertices.
    warp_op op;
    op.op = opcode::isberd;
    op.region = region::physical;
    op.size = 4;
    op.lanes = 1;
    const auto geometry_lines = GetParam().skew ? 8U : (50 * 16 + 127) / 128;
    op.address[0] = (lines(10) + 1 + geometry_lines) * 128;
    warp_result result;
    run.core().execute(op, result);
    EXPECT_EQ(result.data[0][0], stored(segments));
}

TEST_P(output_map, ISBE_06_fast_geometry_threads_are_primitives)
{
    for (const bool passthrough : {false, true}) {
        auto draw = vertex_draw(topology::triangles, 15);
        add_geometry(draw, output_topology::points, 1);
        draw.gs_mode = geometry_mode::fast;
        draw.stages[stage::geometry].header.geometry_passthrough = passthrough;
        map_image seen;
        functional_pipeline run(draw, config, {{stage::vertex, copy_vertex}, {stage::geometry, [&](shader_warp& w) {
                                                                                  seen = read_map(w, space::output, 6);
                                                                                  return warp_completion{};
                                                                              }}});
        EXPECT_EQ(seen.count, stored(5));
        EXPECT_EQ(seen.bytes, (std::vector<word>{0, 1, 2, 3, 4, outside}));
    }
}

// A store of 32 bits at 3 is the count, single bytes from 4 on are indices. The next stage reads the stored bytes; the
// PE goes by the primitives that it assembled.
TEST_P(output_map, ISBE_06_ISBE_07_stores_are_the_next_stages_input)
{
    auto draw = vertex_draw(topology::triangles, 6);
    add_geometry(draw, output_topology::triangle_strip, 3);
    word count = 0;
    unsigned threads = 0;
    const auto map_of_vertex = lines(6) * 128;
    functional_pipeline run(draw, config,
                            {{stage::vertex,
                              [&](shader_warp& w) {
                                  write_map(w, 4, 3, 99);
                                  write_map(w, 1, 4, 5);      // vertex 0 of triangle 0 is now vertex 5
                                  write_map(w, 2, 9, 0x0100); // bytes 8 and 9: triangle 1 begins with 0 and 1
                                  count = read_map(w, space::output, 0).count;
                                  return copy_vertex(w);
                              }},
                             {stage::geometry, [&](shader_warp& w) {
                                  threads += lane_count(w.launch.lanes);
                                  EXPECT_EQ(read_storage(w, map_of_vertex), stored(99));
                                  return copy_primitive(w, 3);
                              }}});
    EXPECT_EQ(count, stored(99));
    EXPECT_EQ(threads, 2U);
    // D.4: triangle p is bytes 4 + 3 p to 6 + 3 p, so bytes 8 and 9 are its second and third vertex.
    const auto low = GetParam().swapped ? 1U : 0U;
    const std::vector<word> vertices{5, 1, 2, 3, low, 1 - low};
    ASSERT_EQ(run.sink.rows.size(), 6U);
    for (unsigned i = 0; i < 6; ++i) EXPECT_EQ(run.sink.rows[i].values[0], 4 * vertices[i]) << i;
}

TEST_P(output_map, ISBE_06_vertices_are_streamed_out_by_the_draw_s_primitives)
{
    const auto draw = vertex_draw(topology::points, 4);
    functional_pipeline run(draw, config, {{stage::vertex, [&](shader_warp& w) {
                                                write_map(w, 4, 3, 1);
                                                write_map(w, 1, 4, 3);
                                                return copy_vertex(w);
                                            }}});
    EXPECT_EQ(run.sink.column(0), (std::vector<word>{0, 4, 8, 12}));
}

} // namespace
} // namespace isbesim
