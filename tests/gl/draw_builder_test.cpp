// SPDX-License-Identifier: Apache-2.0
// State at a draw -> the draw of the model: vertices, indices, attributes, ids, programs.
#include "testbench/gl/draws/draw_builder.h"

#include <tuple>

#include <gtest/gtest.h>

#include "models/attribute/attribute_map.h"
#include "testbench/gl/draws/draw_programs.h"
#include "testbench/gl/draws/draw_vertices.h"
#include "tests/gl/sample_draw.h"
#include "tests/support/error_text.h"

namespace isbesim::gl {
namespace {

using from = vertex_run::source;

drawn_vertices drawn(std::uint32_t primitive, vertex_run run)
{
    drawn_vertices result;
    result.primitive = primitive;
    result.runs.push_back(std::move(run));
    return result;
}

class builder : public testing::Test {
protected:
    draw_call build(const drawn_vertices& what) { return builder_.build(sample_.state, what); }
    std::string refusal(const drawn_vertices& what)
    {
        return error_text<draw_refused>([&] { build(what); });
    }
    void set_indices(std::vector<std::uint32_t> indices, unsigned bytes = 4)
    {
        sample_.state.at(0x17cc) = sample_draw::indices;
        sample_.state.at(0x17d4) = sample_draw::indices + static_cast<std::uint32_t>(indices.size()) * bytes - 1;
        sample_.state.at(0x17d8) = bytes / 2;
        for (std::size_t i = 0; i < indices.size(); ++i)
            std::memcpy(sample_.memory.at(sample_draw::indices + i * bytes, bytes), &indices[i], bytes);
    }
    std::vector<word> column(const draw_call& draw, unsigned address, unsigned component)
    {
        const auto& data = draw.attributes.at(address);
        std::vector<word> words;
        for (std::size_t i = component; i < data.words.size(); i += data.components) words.push_back(data.words[i]);
        return words;
    }

    sample_draw sample_;
    const chip& chip_ = *find_chip("gm107");
    draw_builder builder_{chip_, sample_.memory, sample_.journal};
};

TEST_F(builder, arrays_are_read_from_their_first_vertex)
{
    const auto draw = build(drawn(4, {from::arrays, 2, 3, {}}));
    EXPECT_EQ(draw.arch, isa::architecture::sm50);
    EXPECT_EQ(draw.topology, topology::triangles);
    EXPECT_EQ(draw.vertex_count, 3U);
    EXPECT_FALSE(draw.indexed);
    EXPECT_EQ(draw.stages.size(), 1U);
    EXPECT_EQ(column(draw, 0x80, 1), (std::vector<word>{1009, 1013, 1017}));
}

TEST_F(builder, culls_sides_as_they_are_seen_in_the_window)
{
    auto& state = sample_.state;
    const auto cull = [&] { return build(drawn(4, {from::arrays, 0, 3, {}})).cull; };
    // A counterclockwise face with y up is clockwise in a window with y down, unless something mirrors it.
    for (unsigned i = 0; i < 16; ++i) {
        state.at(0x191c) = (i & 1) != 0 ? 0x900 : 0x901;
        state.at(0xa00) = (i & 2) != 0 ? 0xc0000000 : 0x40000000;
        state.at(0xa04) = (i & 4) != 0 ? 0xbf800000 : 0x3f800000;
        state.at(0x13ac) = (i & 8) != 0 ? 0x10 : 0;
        const auto mirrors = (i >> 1 & 1) + (i >> 2 & 1) + (i >> 3 & 1);
        EXPECT_EQ(cull().clockwise_is_front, ((i & 1) + mirrors) % 2 == 0) << i;
    }
    for (const auto& [face, front, back] :
         {std::tuple{0x404U, true, false}, {0x405U, false, true}, {0x408U, true, true}}) {
        state.at(0x1918) = 0;
        state.at(0x1920) = face;
        EXPECT_FALSE(cull().front || cull().back);
        state.at(0x1918) = 1;
        EXPECT_EQ(cull().front, front);
        EXPECT_EQ(cull().back, back);
    }
    EXPECT_FALSE(cull().depth_from_zero);
    state.at(0xd7c) = 1;
    EXPECT_TRUE(cull().depth_from_zero);
}

TEST_F(builder, far_indices_are_renumbered_with_their_base)
{
    set_indices({9, 5, 9}, 2);
    sample_.state.at(0x1434) = static_cast<std::uint32_t>(-4);
    const auto draw = build(drawn(4, {from::index_buffer, 0, 3, {}}));
    ASSERT_TRUE(draw.indexed);
    EXPECT_EQ(draw.indices, (std::vector<std::uint32_t>{1, 0, 1}));
    EXPECT_EQ(column(draw, 0x80, 0), (std::vector<word>{1004, 1020})); // vertices 1 and 5
}

TEST_F(builder, indices_have_the_size_that_their_buffer_has)
{
    for (const auto bytes : {1U, 2U, 4U})
        for (const std::uint32_t primitive : {4U, 7U}) { // quads become triangles
            set_indices({0, 1, 2, 3}, bytes);
            EXPECT_EQ(build(drawn(primitive, {from::index_buffer, 0, 4, {}})).index_bytes, bytes);
        }
    EXPECT_EQ(build(drawn(7, {from::arrays, 0, 4, {}})).index_bytes, 0U); // no buffer has the indices of these
    EXPECT_EQ(build(drawn(4, {from::inline_indices, 0, 3, {2, 1, 0}})).index_bytes, 0U);
    sample_.state.at(0x17d8) = 3;
    EXPECT_EQ(error_text([&] { build(drawn(4, {from::index_buffer, 0, 3, {}})); }), "index format 3");
}

TEST_F(builder, index_past_the_buffer_is_0)
{
    set_indices({3, 3});
    const auto draw = build(drawn(0, {from::index_buffer, 1, 2, {}}));
    EXPECT_EQ(draw.indices, (std::vector<std::uint32_t>{1, 0}));
    EXPECT_EQ(column(draw, 0x80, 0), (std::vector<word>{1000, 1012}));
}

TEST_F(builder, an_index_that_the_buffer_cuts_is_0)
{
    set_indices({3, 3});
    sample_.state.at(0x17d4) -= 2;
    EXPECT_EQ(build(drawn(0, {from::index_buffer, 0, 2, {}})).indices, (std::vector<std::uint32_t>{1, 0}));
}

TEST_F(builder, arrays_restart_where_they_meet_the_index)
{
    sample_.state.at(0x1644) = 1;
    sample_.state.at(0x1648) = 5;
    EXPECT_FALSE(build(drawn(5, {from::arrays, 2, 6, {}})).indexed);
    sample_.state.at(0xde8) = 1;
    const auto draw = build(drawn(5, {from::arrays, 2, 6, {}}));
    ASSERT_TRUE(draw.restart_index.has_value());
    EXPECT_EQ(draw.indices[3], *draw.restart_index);
    EXPECT_FALSE(build(drawn(5, {from::arrays, 6, 6, {}})).indexed); // 5 is not among them
}

TEST_F(builder, restart_is_compared_before_the_base_is_added)
{
    set_indices({0, 1, 2, 7, 3, 4, 5});
    sample_.state.at(0x1434) = 7;
    sample_.state.at(0x1644) = 1;
    sample_.state.at(0x1648) = 7;
    const auto draw = build(drawn(5, {from::index_buffer, 0, 7, {}}));
    ASSERT_TRUE(draw.restart_index.has_value());
    EXPECT_EQ(draw.indices[3], *draw.restart_index);
    EXPECT_EQ(draw.indices[0], 0U);
    EXPECT_EQ(draw.indices[4], 3U);
}

TEST_F(builder, a_base_makes_no_restart_of_an_index)
{
    set_indices({0, 1, 2, 7, 1, 7});
    sample_.state.at(0x1434) = static_cast<std::uint32_t>(-2); // index 1 is vertex 0xffffffff
    sample_.state.at(0x1644) = 1;
    sample_.state.at(0x1648) = 7;
    const auto draw = build(drawn(5, {from::index_buffer, 0, 6, {}}));
    ASSERT_TRUE(draw.restart_index.has_value());
    const auto again = *draw.restart_index;
    EXPECT_EQ(draw.vertex_count, 6U);
    EXPECT_EQ(draw.indices, (std::vector<std::uint32_t>{1, 2, 0, again, 2, again}));
    EXPECT_EQ(builder_.vertices(), 4U);
}

TEST_F(builder, quads_are_two_triangles_that_end_with_the_last_vertex)
{
    const auto draw = build(drawn(7, {from::arrays, 0, 9, {}}));
    EXPECT_EQ(draw.topology, topology::triangles);
    EXPECT_EQ(draw.indices, (std::vector<std::uint32_t>{0, 1, 3, 1, 2, 3, 4, 5, 7, 5, 6, 7}));
    const auto strip = build(drawn(8, {from::arrays, 0, 6, {}}));
    EXPECT_EQ(builder_.vertices(), 6U);
    EXPECT_EQ(strip.indices, (std::vector<std::uint32_t>{0, 1, 3, 2, 0, 3, 2, 3, 5, 4, 2, 5}));
    EXPECT_EQ(build(drawn(9, {from::arrays, 0, 5, {}})).topology, topology::triangle_fan);
}

TEST_F(builder, instances_step_by_their_divisor_from_the_base)
{
    sample_.state.at(0x1880) = 1;
    sample_.state.at(0x1c0c) = 2;
    sample_.state.at(0x1438) = 3;
    auto what = drawn(0, {from::arrays, 0, 1, {}});
    what.first_instance = 1;
    what.instances = 4;
    const auto draw = build(what);
    EXPECT_TRUE(draw.attributes.at(0x80).per_instance);
    // Instances 1 to 4: elements 3 + {0, 1, 1, 2}.
    EXPECT_EQ(column(draw, 0x80, 0), (std::vector<word>{1012, 1016, 1016, 1020}));
    sample_.state.at(0x1c0c) = 0;
    EXPECT_EQ(column(build(what), 0x80, 0), (std::vector<word>{1012, 1012, 1012, 1012}));
}

TEST_F(builder, attributes_without_array_are_constant)
{
    sample_.state.at(0x1160) |= 0x40;
    sample_.state.attribute_values[0] = {5, 6, 7, 8};
    auto draw = build(drawn(0, {from::arrays, 0, 3, {}}));
    EXPECT_EQ(draw.attributes.at(0x80).words, (std::vector<word>{5, 6, 7, 8}));
    EXPECT_TRUE(draw.attributes.at(0x80).repeat);
    sample_.state.at(0x1160) &= ~0x40U;
    sample_.state.at(0x1c00) = 16; // the array is off
    draw = build(drawn(0, {from::arrays, 0, 3, {}}));
    EXPECT_EQ(draw.attributes.at(0x80).words, (std::vector<word>{0, 0, 0, 0x3f800000}));
}

TEST_F(builder, element_past_the_limit_has_defaults)
{
    sample_.state.at(0x1f04) = sample_draw::vertices + 31; // two elements
    const auto draw = build(drawn(0, {from::arrays, 1, 2, {}}));
    EXPECT_EQ(column(draw, 0x80, 0), (std::vector<word>{1004, 0}));
    EXPECT_EQ(column(draw, 0x80, 3), (std::vector<word>{1007, 0x3f800000}));
}

TEST_F(builder, ids_are_given_where_the_program_reads_them)
{
    draw_call draw;
    auto& inputs = draw.stages[stage::vertex].header.imap;
    inputs.insert(attribute_address::vertex_id / 4);
    inputs.insert(attribute_address::instance_id / 4);
    sample_.state.at(0x1434) = 10;
    sample_.state.at(0x1118) = 10;
    set_indices({3, 1});
    auto what = drawn(0, {from::index_buffer, 0, 2, {}});
    what.first_instance = 2;
    add_vertices(sample_.state, chip_, sample_.memory, what, draw);
    EXPECT_EQ(draw.indices, (std::vector<std::uint32_t>{1, 0}));
    EXPECT_EQ(draw.attributes.at(attribute_address::vertex_id).words, (std::vector<word>{11, 13}));
    EXPECT_EQ(draw.attributes.at(attribute_address::instance_id).words, (std::vector<word>{2}));
}

TEST_F(builder, constants_are_those_of_the_stage)
{
    sample_.state.constants[0][3] = {sample_draw::vertices, 8, true};
    sample_.state.constants[1][4] = {sample_draw::vertices, 8, true};
    const auto draw = build(drawn(0, {from::arrays, 0, 1, {}}));
    const auto& banks = draw.stages.at(stage::vertex).constants;
    EXPECT_EQ(banks[3], (std::vector<word>{1000, 1001}));
    EXPECT_TRUE(banks[4].empty());
}

TEST_F(builder, constants_end_where_only_zeros_follow)
{
    constexpr std::uint64_t blank = 0x23000000;
    const auto bank = [&](std::uint32_t bytes) {
        sample_.state.constants[0][3] = {blank, bytes, true};
        const auto draw = build(drawn(0, {from::arrays, 0, 1, {}}));
        return draw.stages.at(stage::vertex).constants[3];
    };
    auto* const words = reinterpret_cast<word*>(sample_.memory.at(blank, 0x10000));
    EXPECT_EQ(bank(0x10000), std::vector<word>{0});
    for (const std::size_t last : {1U, 62U, 63U, 64U, 65U, 1000U, 0x3fffU}) {
        words[last] = 7;
        const auto found = bank(0x10000);
        ASSERT_EQ(found.size(), last + 1);
        EXPECT_EQ(found, std::vector<word>(words, words + last + 1));
        EXPECT_LE(bank(static_cast<std::uint32_t>(4 * last)).size(), last); // nothing from past the bank
    }
}

TEST_F(builder, unsupported_draw_is_refused_by_name)
{
    EXPECT_NE(refusal(drawn(15, {from::arrays, 0, 3, {}})).find("primitive code 15"), std::string::npos);
    EXPECT_NE(refusal(drawn(14, {from::arrays, 0, 3, {}})).find("patches"), std::string::npos);
    EXPECT_NE(refusal(drawn(0, {from::arrays, 0, 200'000'000, {}})).find("100,000,000"), std::string::npos);
    sample_.state.at(0x1160) = 0x3fU << 21 | 7U << 27;
    EXPECT_NE(refusal(drawn(0, {from::arrays, 0, 3, {}})).find("format 63"), std::string::npos);
    sample_.state.at(0x2044) = 0x40; // nothing was uploaded there
    EXPECT_NE(refusal(drawn(0, {from::arrays, 0, 3, {}})).find("not uploaded"), std::string::npos);
    sample_.state.at(0x2040) = 0;
    EXPECT_NE(refusal(drawn(0, {from::arrays, 0, 3, {}})).find("no vertex program"), std::string::npos);
}

TEST(builder_stages, geometry_and_tessellation_state)
{
    sample_draw sample(true);
    draw_builder builder(*find_chip("gm107"), sample.memory, sample.journal);
    const auto draw = builder.build(sample.state, drawn(5, {from::arrays, 0, 4, {}}));
    EXPECT_EQ(draw.stages.count(stage::geometry), 1U);
    EXPECT_EQ(builder.programs().size(), 2U);
    EXPECT_EQ(builder.program_count(), 2U);
    builder.build(sample.state, drawn(5, {from::arrays, 0, 4, {}}));
    EXPECT_EQ(builder.program_count(), 2U); // decoded once
}

TEST_F(builder, clockwise_is_meant_where_v_points_down)
{
    constexpr unsigned patches = 14;
    // Any program does as the evaluation program here.
    sample_.state.at(0x20c0) = 0x31;
    sample_.state.at(0x20c4) = 0x100;
    sample_.state.at(0xdcc) = 1;
    for (const auto& [mode, output] :
         {std::make_pair(0x201U, tess_output::triangles_ccw), std::make_pair(0x301U, tess_output::triangles_cw)}) {
        sample_.state.at(0x320) = mode;
        const auto draw = builder_.build(sample_.state, drawn(patches, {from::arrays, 0, 4, {}}));
        EXPECT_EQ(draw.tessellation.output, output);
    }
}

TEST_F(builder, fragment_programs_that_write_memory_are_seen_in_their_header)
{
    constexpr std::uint32_t does_global_store = 1U << 16;
    EXPECT_FALSE(builder_.fragments_store(sample_.state));
    sample_.state.at(0x37c) = 1;
    sample_.state.at(0x2140) = 0x51;
    sample_.state.at(0x2144) = 0x40000;
    sample_.poke(sample_draw::code + 0x40000, ~does_global_store);
    EXPECT_FALSE(builder_.fragments_store(sample_.state));
    sample_.poke(sample_draw::code + 0x40000, does_global_store);
    EXPECT_TRUE(builder_.fragments_store(sample_.state));
    sample_.state.at(0x37c) = 0;
    EXPECT_FALSE(builder_.fragments_store(sample_.state));
    sample_.state.at(0x37c) = 1;
    sample_.state.at(0x2140) = 0x50;
    EXPECT_FALSE(builder_.fragments_store(sample_.state));
}

} // namespace
} // namespace isbesim::gl
