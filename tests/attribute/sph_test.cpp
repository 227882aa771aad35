// SPDX-License-Identifier: Apache-2.0
// Headers: real ones (tests/data/headers, from an open-source compiler) word for word, and broken ones.
#include "models/attribute/sph.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

#include <gtest/gtest.h>

#include "models/attribute/bmap.h"
#include "test_paths.h"
#include "tests/support/bytes.h"
#include "tests/support/error_text.h"

namespace isbesim::test {
namespace {

using bytes = std::vector<std::uint8_t>;

bytes read_file(const std::filesystem::path& path)
{
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

bytes sample(const std::string& name)
{
    return read_file(std::filesystem::path(ISBESIM_SOURCE_DIR) / "tests/data/headers" / (name + ".sph.bin"));
}

program_header decode(const bytes& b)
{
    return decode_header(b.data(), b.size());
}

void put(bytes& b, unsigned first, unsigned width, unsigned value)
{
    for (unsigned i = 0; i < width; ++i) {
        const auto mask = static_cast<std::uint8_t>(1U << ((first + i) % 8));
        auto& byte = b[(first + i) / 8];
        byte = static_cast<std::uint8_t>((byte & ~mask) | (((value >> i) & 1U) != 0 ? mask : 0));
    }
}

std::string error_of(const bytes& b)
{
    return error_text<header_error>([&] { decode(b); });
}

attribute_set ids(std::initializer_list<std::pair<unsigned, unsigned>> ranges) // byte addresses, inclusive
{
    attribute_set set;
    for (const auto& [first, last] : ranges)
        for (unsigned a = first; a <= last; a += 4) set.insert(a / 4);
    return set;
}

TEST(sph, SPH_01_real_headers_round_trip)
{
    unsigned seen = 0;
    const auto folder = std::filesystem::path(ISBESIM_SOURCE_DIR) / "tests/data/headers";
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        const auto original = read_file(entry.path());
        const auto header = decode(original);
        EXPECT_EQ(bytes_of(encode_header(header)), original) << entry.path();
        EXPECT_EQ(header.tail.size(), original.size() == 128 ? 12U : 0U);
        ++seen;
    }
    EXPECT_EQ(seen, 14U);
}

// The values are read off the sources' declarations: three vertices in, a triangle strip of three out, and so on.
TEST(sph, SPH_01_fields_of_real_headers)
{
    for (const std::string arch : {"sm50", "sm75"}) {
        const auto gs = decode(sample(arch + ".gs01_pass_tri.gs"));
        EXPECT_EQ(gs.shader_type, shader_type::geometry);
        EXPECT_EQ(gs.version, 3U);
        EXPECT_EQ(gs.max_output_vertex_count, 3U);
        EXPECT_EQ(gs.threads_per_input_primitive, 1U);
        EXPECT_EQ(gs.output_topology, output_topology::triangle_strip);
        EXPECT_EQ(gs.stream_out_mask, 1U);
        EXPECT_EQ(gs.omap, ids({{0x070, 0x08c}}));

        const auto ti = decode(sample(arch + ".tess10_max32.ti"));
        EXPECT_EQ(ti.shader_type, shader_type::tess_init);
        EXPECT_EQ(ti.threads_per_input_primitive, 32U);
        EXPECT_EQ(ti.per_patch_attribute_count, 72U); // 8 + 4 * 16 vectors
        EXPECT_EQ(decode(sample(arch + ".max_patch_components.ti")).per_patch_attribute_count, 128U);
        EXPECT_EQ(decode(sample(arch + ".patch_ivec2.ti")).per_patch_attribute_count, 16U);

        const auto ts = decode(sample(arch + ".tess01_tri.ts"));
        EXPECT_EQ(ts.shader_type, shader_type::tess);
        EXPECT_EQ(ts.store_req_start, 0x2f0U / 4);
        EXPECT_EQ(ts.store_req_end, 0x2f4U / 4);
        EXPECT_EQ(ts.omap, ids({{0x070, 0x08c}, {0x2f0, 0x2f4}}));
        EXPECT_EQ(decode(sample(arch + ".tess01_tri.ti")).per_patch_attribute_count, 6U);
    }
}

// SPH-02: one bit at a time, at the place that HARDWARE.md A.1 gives.
TEST(sph, SPH_02_map_bits)
{
    const auto vs = sample("sm50.vs03_var16.vs");
    for (unsigned id = 0; id < 240; ++id) {
        bytes b(vs.begin(), vs.end());
        std::fill(b.begin() + 20, b.end(), std::uint8_t{0});
        put(b, 160 + id, 1, 1);
        put(b, 400 + 239 - id, 1, 1);
        const auto h = decode(b);
        EXPECT_EQ(h.imap.count(), 1U);
        EXPECT_TRUE(h.imap.contains(id));
        EXPECT_EQ(h.omap.count(), 1U);
        EXPECT_TRUE(h.omap.contains(239 - id));
        EXPECT_EQ(bytes_of(encode_header(h)), b);
    }
}

TEST(sph, SPH_01_every_field_at_its_bits)
{
    auto b = sample("sm75.vs03_var16.vs");
    put(b, 5, 5, 4);
    put(b, 14, 1, 1);
    put(b, 16, 1, 1);
    put(b, 17, 4, 3);
    put(b, 25, 1, 1);
    put(b, 27, 1, 1);
    put(b, 28, 4, 0xa);
    put(b, 32, 24, 0x1230);
    put(b, 64, 24, 0x4560);
    put(b, 96, 24, 0x789ab);
    put(b, 128, 12, 0x123);
    put(b, 140, 8, 0x45);
    put(b, 152, 8, 0x67);
    put(b, 640 + 17, 5, 0x15);
    const auto h = decode(b);
    EXPECT_EQ(h.version, 4U);
    EXPECT_TRUE(h.mrt_enable);
    EXPECT_FALSE(h.kills_pixels);
    EXPECT_TRUE(h.does_global_store);
    EXPECT_EQ(h.sass_version, 3U);
    EXPECT_FALSE(h.geometry_passthrough);
    EXPECT_TRUE(h.shared_spaces);
    EXPECT_TRUE(h.does_fp64);
    EXPECT_EQ(h.stream_out_mask, 0xaU);
    EXPECT_EQ(h.local_memory_low_size, 0x1230U);
    EXPECT_EQ(h.local_memory_high_size, 0x4560U);
    EXPECT_EQ(h.local_memory_crs_size, 0x789abU);
    EXPECT_EQ(h.max_output_vertex_count, 0x123U);
    EXPECT_EQ(h.store_req_start, 0x45U);
    EXPECT_EQ(h.store_req_end, 0x67U);
    EXPECT_EQ(h.tail.at(0), 0x15U << 17);
    EXPECT_EQ(bytes_of(encode_header(h)), b);
}

TEST(sph, SPH_04_patch_count_in_either_place)
{
    auto b = sample("sm50.tess01_tri.ti");
    for (const unsigned count : {0U, 1U, 6U, 15U, 16U, 72U, 255U}) {
        put(b, 56, 8, count);
        put(b, 124, 4, 0);
        put(b, 148, 4, 0);
        EXPECT_EQ(decode(b).per_patch_attribute_count, count);
        EXPECT_EQ(bytes_of(encode_header(decode(b))), b);
        put(b, 56, 8, 0);
        put(b, 124, 4, count & 15U);
        put(b, 148, 4, count >> 4);
        EXPECT_EQ(decode(b).per_patch_attribute_count, count);
        EXPECT_EQ(bytes_of(encode_header(decode(b))), b);
        put(b, 56, 8, count);
        EXPECT_EQ(bytes_of(encode_header(decode(b))), b);
    }
    put(b, 56, 8, 7);
    EXPECT_NE(error_of(b).find("bits 63:56 say 7"), std::string::npos);
}

TEST(sph, SPH_04_warnings)
{
    auto ti = decode(sample("sm50.tess01_tri.ti"));
    auto ts = decode(sample("sm50.tess01_tri.ts"));
    for (unsigned count = 1; count < 256; ++count) {
        ti.per_patch_attribute_count = count;
        const bool usual = count == 6 || count == 8 || count == 16 || count == 32 || count == 64 || count == 128;
        EXPECT_EQ(warnings_of_header(ti).empty(), usual) << count;
    }
    EXPECT_TRUE(warnings_of_patch_size(ti, ts).empty()); // compilers leave the field of TS 0
    EXPECT_EQ(warnings_of_patch_size(ti, ts, true).size(), 1U);
    ts.per_patch_attribute_count = ti.per_patch_attribute_count;
    EXPECT_TRUE(warnings_of_patch_size(ti, ts).empty());
    ts.per_patch_attribute_count = 8;
    EXPECT_EQ(warnings_of_patch_size(ti, ts).size(), 1U);
    auto gs = decode(sample("sm50.gs01_pass_tri.gs"));
    EXPECT_TRUE(warnings_of_header(gs).empty());
    gs.store_req_end = 0x20;
    EXPECT_EQ(warnings_of_header(gs).size(), 1U);
}

/// The fields that a stage doesn't have, one after the other.
TEST(sph, SPH_04_fields_of_other_stages_are_ignored)
{
    auto vs = decode(sample("sm50.vs03_var16.vs"));
    ASSERT_TRUE(warnings_of_header(vs).empty());
    const auto warns = [&](const char* about) {
        const auto warnings = warnings_of_header(vs);
        ASSERT_FALSE(warnings.empty()) << about;
        EXPECT_NE(warnings.back().find(about), std::string::npos) << warnings.back();
    };
    vs.per_patch_attribute_count = 8;
    warns("PerPatchAttributeCount in a header that is neither");
    vs.store_req_start = 0x20;
    vs.store_req_end = 0xf0; // the map ends with attribute 239
    warns("StoreReqEnd 240 is beyond the last attribute, 239");
    vs.max_output_vertex_count = 1;
    warns("MaxOutputVertexCount is ignored");
    vs.geometry_passthrough = true;
    warns("the passthrough bit is ignored");
    EXPECT_EQ(warnings_of_header(vs).size(), 4U);
}

TEST(sph, SPH_01_bad_headers_state_expectation)
{
    const auto vs = sample("sm50.vs03_var16.vs");
    const auto gs = sample("sm50.gs01_pass_tri.gs");
    const auto with = [](bytes b, unsigned first, unsigned width, unsigned value) {
        put(b, first, width, value);
        return b;
    };
    const auto expect_error = [](const bytes& b, const char* text) {
        EXPECT_NE(error_of(b).find(text), std::string::npos) << "\"" << error_of(b) << "\" lacks \"" << text << "\"";
    };
    for (std::size_t size = 0; size < 200; ++size) {
        if (size == 80 || size == 128) continue;
        expect_error(bytes(size, 0), (std::to_string(size) + " bytes, expected 80").c_str());
    }
    expect_error(bytes(80, 0), "type 0, expected 1");
    expect_error(with(vs, 0, 5, 2), "type 2 (pixel)");
    expect_error(with(vs, 5, 5, 2), "version 2, expected 3 or 4");
    expect_error(with(vs, 5, 5, 4), "version 4 in 80 bytes, expected 128");
    expect_error(with(vs, 10, 4, 0), "ShaderType 0, expected 1 (vertex)");
    expect_error(with(vs, 10, 4, 5), "ShaderType 5");
    expect_error(with(gs, 128, 12, 1025), "MaxOutputVertexCount is 1025, expected 1..1024");
    expect_error(with(gs, 128, 12, 0), "MaxOutputVertexCount is 0, expected 1..1024");
    expect_error(with(gs, 88, 8, 33), "ThreadsPerInputPrimitive is 33, expected 1..32");
    expect_error(with(gs, 120, 4, 5), "OutputTopology is 5");
    expect_error(with(vs, 32, 24, 0xffffff), "local memory of 16777215");
    EXPECT_EQ(error_of(with(gs, 128, 12, 1024)), "");
}

TEST(sph, encode_refuses_values_that_do_not_fit)
{
    program_header h;
    h.max_output_vertex_count = 4096;
    EXPECT_THROW(encode_header(h), header_error);
    h = {};
    h.per_patch_attribute_count = 256;
    EXPECT_THROW(encode_header(h), header_error);
    h = {};
    h.tail.resize(3);
    EXPECT_THROW(encode_header(h), header_error);
    h = {};
    h.version = 4;
    EXPECT_EQ(encode_header(h).size(), 32U);
}

TEST(sph, describe_names_fields_and_attributes)
{
    const auto rows = describe_header(decode(sample("sm50.gs01_pass_tri.gs")));
    const auto value = [&](const std::string& name) {
        for (const auto& row : rows)
            if (row.first == name) return row.second;
        return std::string("?");
    };
    EXPECT_EQ(value("ShaderType"), "4");
    EXPECT_EQ(value("MaxOutputVertexCount"), "3");
    EXPECT_EQ(value("Omap"), "POSITION_X POSITION_Y POSITION_Z POSITION_W GENERIC[0].x GENERIC[0].y GENERIC[0].z "
                             "GENERIC[0].w");
    EXPECT_EQ(describe_header(program_header{}).back().second, "-");
}

TEST(bmap, SPH_03_stage_pairs)
{
    program_header vs;
    vs.omap = ids({{0x070, 0x08c}, {0x0a0, 0x0ac}});
    vs.imap = ids({{0x080, 0x08c}, {0x2fc, 0x2fc}});
    program_header gs;
    gs.shader_type = shader_type::geometry;
    gs.imap = ids({{0x060, 0x060}, {0x070, 0x07c}, {0x090, 0x090}});

    // First stage: what the draw supplies, and the vertex id although no one stores it.
    EXPECT_EQ(bmap_in(stage::vertex, vs, ids({{0x080, 0x084}})), ids({{0x080, 0x084}, {0x2fc, 0x2fc}}));
    // The primitive id is generated; 0x090 is read but not written; 0x080 is written but not read.
    EXPECT_EQ(bmap_in(stage::geometry, gs, vs.omap), ids({{0x060, 0x060}, {0x070, 0x07c}}));
    EXPECT_EQ(bmap_out(vs, gs.imap), ids({{0x070, 0x07c}}));
    vs.store_req_start = 0x0a4 / 4;
    vs.store_req_end = 0x0a4 / 4; // equal ends: one attribute
    EXPECT_EQ(bmap_out(vs, gs.imap), ids({{0x070, 0x07c}, {0x0a4, 0x0a4}}));
    // Last stage: position is always consumed, generics only where captured.
    EXPECT_EQ(bmap_out(vs, last_stage_consumers(ids({{0x080, 0x080}}))), ids({{0x070, 0x080}, {0x0a4, 0x0a4}}));
}

// HARDWARE.md E.1: position, clip distances, layer, viewport and point size are the fixed function's, read or not.
TEST(bmap, SPH_03_consumers_after_the_last_stage)
{
    const auto fixed = ids({{0x064, 0x07c}, {0x2c0, 0x2dc}, {0x3a0, 0x3a4}});
    EXPECT_EQ(last_stage_consumers({}), fixed);
    EXPECT_EQ(last_stage_consumers(ids({{0x080, 0x088}})), fixed | ids({{0x080, 0x088}}));
}

TEST(bmap, SPH_03_tessellation_coordinate_is_in_the_output_of_a_real_ts)
{
    const auto ts = decode(sample("sm50.tess01_tri.ts"));
    const auto out = bmap_out(ts, last_stage_consumers({}));
    EXPECT_TRUE(out.contains(0x2f0 / 4));
    EXPECT_TRUE(out.contains(0x2f4 / 4));
    EXPECT_FALSE(out.contains(0x080 / 4));
    // NAK names it in the output map and in no range.
    auto without = ts;
    without.store_req_start = 0xff;
    without.store_req_end = 0;
    EXPECT_TRUE(bmap_out(without, last_stage_consumers({})).contains(0x2f4 / 4));
    without.omap = {};
    EXPECT_FALSE(bmap_out(without, last_stage_consumers({})).contains(0x2f4 / 4));
}

} // namespace
} // namespace isbesim::test
