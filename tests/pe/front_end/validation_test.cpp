// SPDX-License-Identifier: Apache-2.0
#include "models/pe/front_end/validation.h"

#include <functional>
#include <string>

#include <gtest/gtest.h>

#include "tests/pe/draws.h"
#include "tests/support/error_text.h"

namespace isbesim {
namespace {

using test::add_geometry;
using test::vertex_draw;

/// The error text of a draw of 6 vertices after `spoil`; empty when it is accepted.
std::string error_after(const std::function<void(draw_call&)>& spoil)
{
    auto draw = vertex_draw(topology::triangles, 6);
    add_geometry(draw, output_topology::points, 4);
    spoil(draw);
    return error_text<draw_error>([&] { validate_draw(draw); });
}

void expect_error(const std::string& part, const std::function<void(draw_call&)>& spoil)
{
    const auto error = error_after(spoil);
    EXPECT_NE(error.find(part), std::string::npos) << error;
}

TEST(validation, PIPE_01_a_good_draw_passes)
{
    EXPECT_EQ(error_after([](draw_call&) {}), "");
}

TEST(validation, PIPE_01_stages)
{
    expect_error("no vertex stage", [](draw_call& d) { d.stages.erase(stage::vertex); });
    expect_error("stage tess", [](draw_call& d) { d.stages[stage::tess]; });
    expect_error("ShaderType 1, expected 4",
                 [](draw_call& d) { d.stages[stage::geometry].header.shader_type = shader_type::vertex; });
    expect_error("stage vertex: the program is empty",
                 [](draw_call& d) { d.stages[stage::vertex].program.code.clear(); });
    expect_error("another architecture",
                 [](draw_call& d) { d.stages[stage::vertex].program.arch = isa::architecture::sm75; });
    expect_error("16777215 bytes of local memory",
                 [](draw_call& d) { d.stages[stage::vertex].header.local_memory_low_size = 0xffffff; });
}

TEST(validation, PIPE_06_fast_and_passthrough_geometry)
{
    const auto geometry = [](draw_call& d) -> stage_program& { return d.stages[stage::geometry]; };
    expect_error("gs_mode fast: the draw has no geometry stage", [](draw_call& d) {
        d.stages.erase(stage::geometry);
        d.gs_mode = geometry_mode::fast;
    });
    expect_error("OutputTopology 6 with gs_mode fast, expected 1", [&](draw_call& d) {
        geometry(d).header.output_topology = output_topology::line_strip;
        d.gs_mode = geometry_mode::fast;
    });
    expect_error("stage geometry: the program is empty", [&](draw_call& d) { geometry(d).program.code.clear(); });
    EXPECT_EQ(error_after([&](draw_call& d) {
                  geometry(d).program.code.clear();
                  geometry(d).header.geometry_passthrough = true;
                  geometry(d).header.output_topology = output_topology::none;
              }),
              "");
}

TEST(validation, SPH_04_PIPE_06_suspicious_headers_are_warnings_of_the_draw)
{
    auto draw = vertex_draw(topology::triangles, 6);
    add_geometry(draw, output_topology::points, 1);
    EXPECT_TRUE(warnings_of_draw(draw).empty());
    draw.gs_mode = geometry_mode::fast;
    EXPECT_TRUE(warnings_of_draw(draw).empty());
    draw.stages[stage::geometry].header.max_output_vertex_count = 4;
    ASSERT_EQ(warnings_of_draw(draw).size(), 1U);
    EXPECT_NE(warnings_of_draw(draw)[0].find("MaxOutputVertexCount 4"), std::string::npos);
    draw.gs_mode = geometry_mode::any;
    EXPECT_TRUE(warnings_of_draw(draw).empty());
    draw.stages[stage::geometry].header.geometry_passthrough = true;
    draw.stages[stage::geometry].header.stream_out_mask = 0;
    EXPECT_EQ(warnings_of_draw(draw).size(), 2U);
}

TEST(validation, PIPE_01_geometry_header)
{
    expect_error("OutputTopology 0",
                 [](draw_call& d) { d.stages[stage::geometry].header.output_topology = output_topology::none; });
    expect_error("MaxOutputVertexCount 1025",
                 [](draw_call& d) { d.stages[stage::geometry].header.max_output_vertex_count = 1025; });
    expect_error("ThreadsPerInputPrimitive 33",
                 [](draw_call& d) { d.stages[stage::geometry].header.threads_per_input_primitive = 33; });
}

TEST(validation, PIPE_02_topology_and_counts)
{
    expect_error("patches", [](draw_call& d) { d.topology = topology::patches; });
    expect_error("mesh", [](draw_call& d) { d.topology = topology::mesh; });
    expect_error("2^32", [](draw_call& d) { d.vertex_count = ~std::uint64_t{0}; });
    expect_error("the draw reads 6 indices, the list has 5", [](draw_call& d) {
        d.indexed = true;
        d.indices = {0, 1, 2, 3, 4};
    });
}

TEST(validation, PIPE_01_attribute_data)
{
    expect_error("attribute 0x80: data for 6 vertices, the draw needs 7", [](draw_call& d) { d.vertex_count = 7; });
    expect_error("needs 101", [](draw_call& d) {
        d.indexed = true;
        d.indices = {0, 1, 2, 3, 4, 100};
    });
    expect_error("data for 6 instances, the draw needs 7", [](draw_call& d) {
        d.attributes[0x80].per_instance = true;
        d.instance_count = 7;
    });
    expect_error("not whole elements", [](draw_call& d) { d.attributes[0x80].words.resize(23); });
    expect_error("5 components", [](draw_call& d) { d.attributes[0x80].components = 5; });
    expect_error("attribute 0x3bc: no vertex input", [](draw_call& d) { d.attributes[0x3bc] = d.attributes[0x80]; });
    expect_error("attribute 0x81", [](draw_call& d) { d.attributes[0x81] = d.attributes[0x80]; });
    expect_error("no data to repeat", [](draw_call& d) {
        d.attributes[0x80].words.clear();
        d.attributes[0x80].repeat = true;
    });
}

TEST(validation, PIPE_01_repeat_and_restart_need_no_data_of_their_own)
{
    EXPECT_EQ(error_after([](draw_call& d) {
                  d.vertex_count = 1000000;
                  d.attributes[0x80].repeat = true;
              }),
              "");
    EXPECT_EQ(error_after([](draw_call& d) {
                  d.indexed = true;
                  d.indices = {0, 1, 2, 3, 4, test::restart};
                  d.restart_index = test::restart;
              }),
              "");
}

TEST(validation, PIPE_01_capture_addresses)
{
    expect_error("capture 0x3c0", [](draw_call& d) { d.capture[1] = {0x3c0}; });
    expect_error("capture 0x72", [](draw_call& d) { d.capture[0] = {0x72}; });
}

} // namespace
} // namespace isbesim
