// SPDX-License-Identifier: Apache-2.0
#include "models/pe/linking/linking.h"

#include <gtest/gtest.h>

#include "models/isa/text/text.h"
#include "tests/pe/draws.h"

namespace isbesim {
namespace {

using test::add_geometry;
using test::ids;
using test::vertex_draw;

machine_config machine(unsigned lines = 1024)
{
    machine_config config;
    config.isbe.lines = lines;
    return config;
}

TEST(linking, ALD_19_first_stage_input_is_the_draws)
{
    auto draw = vertex_draw(topology::triangles, 3);
    draw.attributes[0x80].components = 2; // z and w are not supplied
    draw.attributes[0x80].words.resize(6);
    draw.stages[stage::vertex].header.imap = ids({0x80, 0x84, 0x88, 0x8c, 0x90, 0x2f8, 0x2fc});
    const auto pipeline = link_pipeline(draw, machine());
    EXPECT_EQ(pipeline.stages[0].input_enabled, ids({0x80, 0x84, 0x2f8, 0x2fc}));
    EXPECT_EQ(pipeline.stages[0].input_allocated, pipeline.stages[0].input_enabled);
}

TEST(linking, PIPE_01_last_stage_keeps_fixed_function_and_captured_outputs)
{
    auto draw = vertex_draw(topology::points, 1);
    draw.stages[stage::vertex].header.omap = ids({0x6c, 0x70, 0x80, 0x84, 0x2c0});
    draw.capture[0] = {0x84};
    const auto pipeline = link_pipeline(draw, machine());
    EXPECT_EQ(pipeline.last().output_enabled, ids({0x6c, 0x70, 0x84, 0x2c0}));
}

// HARDWARE.md E6: OMAP & (IMAP of the next stage | StoreReq), and the next stage's own IMAP & OMAP.
TEST(linking, PIPE_01_stage_outputs_match_the_next_stages_reads)
{
    auto draw = vertex_draw(topology::points, 1);
    auto& vertex = draw.stages[stage::vertex].header;
    vertex.omap = ids({0x70, 0x74, 0x80, 0x84});
    vertex.store_req_start = 0x21;
    vertex.store_req_end = 0x21;
    add_geometry(draw, output_topology::points, 1);
    draw.stages[stage::geometry].header.imap = ids({0x70, 0x74, 0x78});
    const auto pipeline = link_pipeline(draw, machine());
    EXPECT_EQ(pipeline.stages[0].output_enabled, ids({0x70, 0x74, 0x84}));
    EXPECT_EQ(pipeline.stages[1].input_enabled, ids({0x70, 0x74}));
    EXPECT_EQ(pipeline.stages[1].input_allocated, pipeline.stages[0].output_allocated);
}

// Outputs that a program loads back: where another stage follows the same maps decide, and vectors are reported by
// scalar.
TEST(linking, PIPE_01_outputs_that_are_dropped_before_they_are_loaded_back)
{
    auto draw = vertex_draw(topology::points, 1);
    auto& vertex = draw.stages[stage::vertex];
    vertex.program =
        isa::assemble("ALD.O.128 R0, a[0x84];\nALD.O R4, a[0xa0];\nALD R5, a[0x90];\nEXIT;", isa::architecture::sm50);
    vertex.header.omap = ids({0x70, 0x80, 0x84, 0x88});
    add_geometry(draw, output_topology::points, 1);
    draw.stages[stage::geometry].header.imap = ids({0x70, 0x80});
    const auto warnings = [&] { return link_pipeline(draw, machine()).warnings; };
    ASSERT_EQ(warnings().size(), 1U);
    EXPECT_EQ(
        warnings()[0].rfind("vertex: the program loads its outputs 0x84 to 0x88 back (ALD.O), but neither the next "
                            "stage nor a StoreReq range",
                            0),
        0U)
        << warnings()[0];
    draw.stages[stage::geometry].header.imap = ids({0x70, 0x80, 0x84, 0x88});
    EXPECT_TRUE(warnings().empty());
    draw.stages[stage::geometry].header.imap = ids({0x70, 0x80});
    vertex.header.store_req_start = 0x20;
    vertex.header.store_req_end = 0x22;
    EXPECT_TRUE(warnings().empty());
}

// An address in a register may be that of each output that the program stores, and of no other.
TEST(linking, PIPE_01_outputs_that_are_dropped_before_a_load_by_register)
{
    auto draw = vertex_draw(topology::points, 1);
    auto& vertex = draw.stages[stage::vertex];
    vertex.header.omap = ids({0x70, 0x84, 0x90, 0xa0});
    draw.capture[0] = {0x84};
    const auto warnings_with = [&](const std::string& store) {
        vertex.program =
            isa::assemble("AST a[0x84], R0;\n" + store + "AL2P.O R3, R3, 0x0;\nALD.O.PHYS R4, a[R3];\nEXIT;",
                          isa::architecture::sm50);
        return link_pipeline(draw, machine()).warnings;
    };
    const auto begins = [](const std::vector<std::string>& warnings, const std::string& text) {
        return warnings.size() == 1 && warnings[0].rfind(text, 0) == 0;
    };
    EXPECT_TRUE(warnings_with("").empty());
    EXPECT_TRUE(begins(warnings_with("AST a[0x90], R0;\n"),
                       "vertex: the program may load its outputs 0x90 back (ALD.O.PHYS), but no capture"));
    EXPECT_TRUE(begins(warnings_with("AL2P.O R5, R5, 0x0;\nAST.PHYS a[R5], R0;\n"),
                       "vertex: the program may load its outputs 0x90, 0xa0 back (ALD.O.PHYS), but no capture"));
    EXPECT_TRUE(begins(warnings_with("AST a[0x90], R0;\nALD.O R6, a[0x90];\n"),
                       "vertex: the program loads its outputs 0x90 back (ALD.O), but no capture"));
}

// HARDWARE.md A.5, D.2: every attribute but `omap` is in the consumer's input map alone.
TEST(linking, ALD_12_an_attribute_of_the_consumer_s_map_alone_moves_nothing)
{
    const auto omap = ids({0x70, 0x80, 0x300});
    attribute_set every;
    for (unsigned id = 0; id < mapped_attribute_ids; ++id) every.insert(id);
    for (const auto reader : {stage::vertex, stage::tess_init, stage::tess, stage::geometry}) {
        auto draw =
            vertex_draw(reader == stage::tess_init || reader == stage::tess ? topology::patches : topology::points, 3);
        draw.patch_vertices = 3;
        if (reader == stage::vertex) draw.stages[stage::vertex_a] = draw.stages[stage::vertex];
        if (reader == stage::tess_init) draw.stages[reader] = test::program(shader_type::tess_init, {}, ids({0x70}));
        if (reader == stage::tess || reader == stage::tess_init)
            draw.stages[stage::tess] = test::program(shader_type::tess, {}, ids({0x70}));
        if (reader == stage::geometry) add_geometry(draw, output_topology::points, 1);
        draw.stages.begin()->second.header.omap = omap;
        draw.stages[reader].header.imap = every;
        const auto pipeline = link_pipeline(draw, machine());
        ASSERT_EQ(pipeline.stages[1].stage, reader);
        EXPECT_EQ(pipeline.stages[0].output_allocated, omap);
        EXPECT_EQ(pipeline.stages[1].input_allocated, omap);
        EXPECT_EQ(pipeline.stages[1].input_enabled,
                  omap | (reader == stage::vertex ? ids({0x2f8, 0x2fc}) : ids({0x60})));
    }
}

// 4 input + 4 output lines and one of MAP (4 + 96 bytes); with a geometry stage MAP (100 bytes) and PRIM (128 bytes)
// take two more, and its output takes 4 lines per 32 vertices plus one for 4 + 128 token bytes ... two.
TEST(linking, PIPE_07_a_batch_that_can_never_fit_is_an_error)
{
    const auto draw = vertex_draw(topology::triangles, 96);
    EXPECT_NO_THROW(link_pipeline(draw, machine(9)));
    try {
        link_pipeline(draw, machine(8));
        FAIL() << "accepted";
    } catch (const batch_too_large& error) {
        EXPECT_EQ(error.needed, 9U);
        EXPECT_EQ(error.available, 8U);
        EXPECT_NE(std::string(error.what()).find('9'), std::string::npos);
        EXPECT_NE(std::string(error.what()).find('8'), std::string::npos);
    }
}

TEST(linking, PIPE_07_geometry_warps_shrink_until_they_fit)
{
    auto draw = vertex_draw(topology::points, 96);
    add_geometry(draw, output_topology::points, 32);
    machine_config config = machine();
    EXPECT_EQ(link_pipeline(draw, config).geometry.threads, 9U); // 300 / 32
    config.pe.gs_output_vertices = 1024;
    EXPECT_EQ(link_pipeline(draw, config).geometry.threads, 32U);
    config.pe.gs_instances = 20;
    EXPECT_EQ(link_pipeline(draw, config).geometry.threads, 20U);
    config.pe.gs_instances = 64;
    config.pe.gs_output_vertices = 64;
    EXPECT_EQ(link_pipeline(draw, config).geometry.threads, 2U);
    config.pe.gs_output_vertices = 1;
    EXPECT_EQ(link_pipeline(draw, config).geometry.threads, 1U);
    config.pe.gs_output_vertices = 1024;
    // Vertex stage: 4 + 4 lines and 2 of MAP and PRIM (36 + 128 bytes). A geometry thread: 4 lines of vertices, and
    // 36 bytes of MAP that share a line with two more threads' (100 bytes).
    config.isbe.lines = 10 + 13;
    EXPECT_EQ(link_pipeline(draw, config).geometry.threads, 3U);
    config.isbe.lines = 10 + 5;
    EXPECT_EQ(link_pipeline(draw, config).geometry.threads, 1U);
    config.isbe.lines = 10 + 4;
    EXPECT_THROW(link_pipeline(draw, config), batch_too_large);
}

TEST(linking, OUT_12_instances_multiply_the_threads_of_a_primitive)
{
    auto draw = vertex_draw(topology::points, 1);
    add_geometry(draw, output_topology::points, 1, 8);
    EXPECT_EQ(link_pipeline(draw, machine()).geometry.instances, 8U);
    EXPECT_EQ(link_pipeline(draw, machine()).geometry.threads, 8U);
    draw.stages[stage::geometry].header.threads_per_input_primitive = 0; // as compilers leave it
    EXPECT_EQ(link_pipeline(draw, machine()).geometry.instances, 1U);
}

TEST(linking, PIPE_07_small_draws_need_only_their_own_size)
{
    machine_config config = machine(1);
    config.isbe.skew = false;
    EXPECT_NO_THROW(link_pipeline(vertex_draw(topology::points, 0), config));
    config.isbe.lines = 3; // 8 vertices x 4 attributes x 4 bytes = one line each way, and one of MAP
    EXPECT_NO_THROW(link_pipeline(vertex_draw(topology::points, 8), config));
    EXPECT_THROW(link_pipeline(vertex_draw(topology::points, 9), config), batch_too_large);
}

} // namespace
} // namespace isbesim
