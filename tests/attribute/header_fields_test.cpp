// SPDX-License-Identifier: Apache-2.0
// Every field of a program header by itself: the largest value that fits, the first that doesn't, and what it leaves
// alone; both sides of each limit; the texts of warnings, word for word.
#include <functional>

#include <gtest/gtest.h>

#include "models/attribute/sph.h"
#include "tests/support/bytes.h"
#include "tests/support/error_text.h"

namespace isbesim::test {
namespace {

using described = std::vector<std::pair<std::string, std::string>>;

program_header again(const program_header& header)
{
    const auto bytes = bytes_of(encode_header(header));
    return decode_header(bytes.data(), bytes.size());
}

std::string refusal_of(const program_header& header)
{
    return error_text<header_error>([&] { again(header); });
}

// HARDWARE.md A.1: the fields in bit order. An empty header is that of a vertex shader.
TEST(header_fields, of_a_header_that_is_empty)
{
    const described expected{{"SphType", "1"},
                             {"Version", "3"},
                             {"ShaderType", "1"},
                             {"MrtEnable", "0"},
                             {"KillsPixels", "0"},
                             {"DoesGlobalStore", "0"},
                             {"SassVersion", "1"},
                             {"GeometryPassthrough", "0"},
                             {"SharedSpaces", "0"},
                             {"DoesLoadOrStore", "0"},
                             {"DoesFp64", "0"},
                             {"StreamOutMask", "0"},
                             {"ShaderLocalMemoryLowSize", "0"},
                             {"PerPatchAttributeCount", "0"},
                             {"ShaderLocalMemoryHighSize", "0"},
                             {"ThreadsPerInputPrimitive", "0"},
                             {"ShaderLocalMemoryCrsSize", "0"},
                             {"OutputTopology", "0"},
                             {"MaxOutputVertexCount", "0"},
                             {"StoreReqStart", "255"},
                             {"StoreReqEnd", "0"},
                             {"Imap", "-"},
                             {"Omap", "-"}};
    EXPECT_EQ(describe_header({}), expected);
    EXPECT_EQ(describe_header(again({})), expected);
}

struct field {
    const char* name;
    unsigned largest;
    std::function<void(program_header&, unsigned)> set;
};

const std::vector<field>& fields()
{
    static const std::vector<field> all = {
        {"MrtEnable", 1, [](auto& h, unsigned v) { h.mrt_enable = v != 0; }},
        {"KillsPixels", 1, [](auto& h, unsigned v) { h.kills_pixels = v != 0; }},
        {"DoesGlobalStore", 1, [](auto& h, unsigned v) { h.does_global_store = v != 0; }},
        {"SassVersion", 15, [](auto& h, unsigned v) { h.sass_version = v; }},
        {"GeometryPassthrough", 1, [](auto& h, unsigned v) { h.geometry_passthrough = v != 0; }},
        {"SharedSpaces", 1, [](auto& h, unsigned v) { h.shared_spaces = v != 0; }},
        {"DoesLoadOrStore", 1, [](auto& h, unsigned v) { h.does_load_or_store = v != 0; }},
        {"DoesFp64", 1, [](auto& h, unsigned v) { h.does_fp64 = v != 0; }},
        {"StreamOutMask", 15, [](auto& h, unsigned v) { h.stream_out_mask = v; }},
        {"PerPatchAttributeCount", 255,
         [](auto& h, unsigned v) {
             h.per_patch_attribute_count = v;
             h.patch_count_encoding = patch_count_encoding::byte;
         }},
        {"ThreadsPerInputPrimitive", 255, [](auto& h, unsigned v) { h.threads_per_input_primitive = v; }},
        {"ShaderLocalMemoryCrsSize", 0xffffff, [](auto& h, unsigned v) { h.local_memory_crs_size = v; }},
        {"OutputTopology", 15, [](auto& h, unsigned v) { h.output_topology = static_cast<output_topology>(v); }},
        {"MaxOutputVertexCount", 4095, [](auto& h, unsigned v) { h.max_output_vertex_count = v; }},
        {"StoreReqStart", 255, [](auto& h, unsigned v) { h.store_req_start = v; }},
        {"StoreReqEnd", 255, [](auto& h, unsigned v) { h.store_req_end = v; }},
    };
    return all;
}

program_header all_zero()
{
    program_header header;
    header.sass_version = 0;
    header.store_req_start = 0;
    return header;
}

TEST(header_fields, each_takes_its_largest_value_and_leaves_the_others_alone)
{
    const auto before = describe_header(all_zero());
    for (const auto& one : fields()) {
        auto header = all_zero();
        one.set(header, one.largest);
        auto expected = before;
        for (auto& row : expected)
            if (row.first == one.name) row.second = std::to_string(one.largest);
        EXPECT_EQ(describe_header(again(header)), expected) << one.name;
    }
}

TEST(header_fields, each_refuses_one_more)
{
    for (const auto& one : fields()) {
        if (one.largest == 1) continue; // bool
        auto header = all_zero();
        one.set(header, one.largest + 1);
        const auto text = error_text<header_error>([&] { encode_header(header); });
        EXPECT_EQ(text.find(std::string("shader program header: ") + one.name + " does not fit "), 0U) << text;
    }
}

TEST(header_fields, reserved_bits_belong_to_none)
{
    auto words = encode_header(all_zero());
    for (unsigned bit = 21; bit < 24; ++bit) words[0] |= 1U << bit;
    const auto bytes = bytes_of(words);
    EXPECT_EQ(describe_header(decode_header(bytes.data(), bytes.size())), describe_header(all_zero()));
}

TEST(header_fields, the_first_attribute_has_a_name_in_both_maps)
{
    program_header header;
    header.imap.insert(0);
    header.omap.insert(0);
    const auto all = describe_header(again(header));
    EXPECT_EQ(all[all.size() - 2].second, "RESERVED[0x000]");
    EXPECT_EQ(all.back().second, "RESERVED[0x000]");
}

TEST(header_fields, patch_count_is_described_in_every_encoding)
{
    for (const auto place : {patch_count_encoding::both, patch_count_encoding::byte, patch_count_encoding::nibbles}) {
        program_header header;
        header.per_patch_attribute_count = 72;
        header.patch_count_encoding = place;
        unsigned seen = 0;
        for (const auto& [name, value] : describe_header(again(header)))
            if (name == "PerPatchAttributeCount") seen += value == "72" ? 1 : 0;
        EXPECT_EQ(seen, 1U);
    }
}

TEST(header_fields, local_memory_ends_at_512_kib_together)
{
    constexpr std::uint32_t most = 512U * 1024U;
    const auto refused = [](std::uint32_t low, std::uint32_t high) {
        program_header header;
        header.local_memory_low_size = low;
        header.local_memory_high_size = high;
        return refusal_of(header);
    };
    EXPECT_EQ(refused(most, 0), "");
    EXPECT_EQ(refused(0, most), "");
    EXPECT_EQ(refused(most - 16, 16), "");
    EXPECT_EQ(refused(most - 16, 17),
              "shader program header: local memory of 524272 + 17 bytes per thread, expected at "
              "most 524288");
    EXPECT_NE(refused(most + 1, 0), "");
    EXPECT_NE(refused(0, most + 1), "");
}

TEST(header_fields, threads_of_a_patch_and_of_a_primitive_are_1_to_32)
{
    for (const auto type : {shader_type::tess_init, shader_type::geometry}) {
        program_header header;
        header.shader_type = type;
        header.max_output_vertex_count = 1;
        header.output_topology = output_topology::points;
        for (const unsigned threads : {1U, 32U}) {
            header.threads_per_input_primitive = threads;
            EXPECT_EQ(refusal_of(header), "") << threads;
        }
        for (const unsigned threads : {0U, 33U}) {
            header.threads_per_input_primitive = threads;
            EXPECT_EQ(refusal_of(header), "shader program header: ThreadsPerInputPrimitive is " +
                                              std::to_string(threads) + ", expected 1..32");
        }
    }
}

std::string warning_of(const program_header& header)
{
    const auto warnings = warnings_of_header(header);
    EXPECT_LE(warnings.size(), 1U);
    return warnings.empty() ? "" : warnings.front();
}

TEST(header_fields, warnings_about_patches)
{
    program_header ti;
    ti.shader_type = shader_type::tess_init;
    ti.per_patch_attribute_count = 7;
    EXPECT_EQ(warning_of(ti).find("PerPatchAttributeCount 7 is neither 6 nor one of 8 16 32 64 128, which"), 0U);
    ti.per_patch_attribute_count = 0;
    EXPECT_EQ(warning_of(ti), "PerPatchAttributeCount 0: no tessellation level can be stored");
    ti.per_patch_attribute_count = 16;
    EXPECT_EQ(warning_of(ti), "");
    program_header ts;
    ts.shader_type = shader_type::tess;
    EXPECT_EQ(warning_of(ts), "");
    ts.per_patch_attribute_count = 8;
    EXPECT_EQ(warning_of(ts), "");
    EXPECT_EQ(
        warnings_of_patch_size(ti, ts),
        std::vector<std::string>{"tess declares PerPatchAttributeCount 8, tess init 16: the patch has the size of "
                                 "tess init"});
}

// Inclusive ends: equal ones are one attribute, the last attribute is 239.
TEST(header_fields, warnings_about_ranges)
{
    program_header vs;
    for (const unsigned start : {0U, 239U}) {
        vs.store_req_start = start;
        vs.store_req_end = 239;
        EXPECT_EQ(warning_of(vs), "");
    }
    for (const unsigned start : {0U, 240U}) {
        vs.store_req_start = start;
        vs.store_req_end = 240;
        EXPECT_EQ(warning_of(vs), "StoreReqEnd 240 is beyond the last attribute, 239");
    }
    vs.store_req_start = 241;
    EXPECT_EQ(warning_of(vs), "") << "empty";

    program_header gs;
    gs.shader_type = shader_type::geometry;
    gs.geometry_passthrough = true;
    gs.store_req_start = gs.store_req_end = 0;
    EXPECT_EQ(warning_of(gs), "");
    gs.store_req_start = gs.store_req_end = 240;
    EXPECT_EQ(warning_of(gs), "StoreReqStart..StoreReqEnd is ignored in a geometry header");
    gs.store_req_start = 241;
    EXPECT_EQ(warning_of(gs), "") << "empty";
}

TEST(header_fields, store_request_has_both_ends)
{
    program_header header;
    header.store_req_start = header.store_req_end = 30;
    EXPECT_EQ(store_request(header).count(), 1U);
    EXPECT_TRUE(store_request(header).contains(30));
    header.store_req_end = 32;
    EXPECT_EQ(store_request(header).count(), 3U);
    header.shader_type = shader_type::geometry;
    EXPECT_TRUE(store_request(header).empty());
}

} // namespace
} // namespace isbesim::test
