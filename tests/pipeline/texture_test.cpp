// SPDX-License-Identifier: Apache-2.0
// Textures of a draw: `textures` of a scenario, and an image store's effect on memory.
#include <cstring>

#include <gtest/gtest.h>

#include "tests/pipeline/derived_scenario.h"
#include "tests/support/bytes.h"
#include "tlm/hex.h"
#include "tlm/warp_op.h"

namespace isbesim::testbench {
namespace {

namespace json = boost::json;

constexpr unsigned fetch_count = 40, width = 64, pitch = 256;
constexpr std::uint64_t texels = 0x1'0000'0200;
constexpr const char* texels_text = "0x100000200";

/// Vertex n of 0..39 fetches texel (n, 1) and stores it, together with n, to texel (n, 2) of the same image.
constexpr const char* fetch_and_store = R"(
    ALD R4, a[0x80], RZ ;
    MOV32I R5, 0x1 ;
    TLD.LZ R0, R4, 0x3, 2D, 0x1 ;
    IADD R12, R0, R4 ;
    MOV32I R5, 0x2 ;
    LDC R8, c[0xb][0xc] ;
    SUST.P.2D.IGN [R4], R12, R8 ;
    AST a[0x70], R0, RZ ;
    EXIT ;
)";

word texel_of(unsigned x, unsigned y)
{
    return 1000 * y + 7 * x + 1;
}

std::string image()
{
    std::vector<word> words(pitch / 4 * 4);
    for (unsigned y = 0; y < 4; ++y)
        for (unsigned x = 0; x < width; ++x) words[y * pitch / 4 + x] = texel_of(x, y);
    return test::bytes_of<std::string>(words);
}

class textures_of_draws : public testing::TestWithParam<std::string> {
protected:
    textures_of_draws()
    {
        auto& root = scenario_.root();
        json::array numbers, expected;
        for (unsigned v = 0; v < fetch_count; ++v) numbers.push_back(v);
        root["attributes"] = {{"0x80", {{"components", 1}, {"words", numbers}}}};
        root["capture"] = json::array{"0x70"};
        root["draw"] = {{"topology", "points"}, {"vertex_count", fetch_count}};
        scenario_.set_stage("vertex", fetch_and_store, {{"imap", {"0x80"}}, {"omap", {"0x70"}}});
        root["constants"] = {{"11", {{"0xc", {2}}}}};
        root["memory"] = {{{"address", texels_text}, {"file", folder_.write("image.bin", image())}}};
        std::string lines = "stream,primitive,vertex,0x70\n";
        for (unsigned v = 0; v < fetch_count; ++v)
            lines += "0," + std::to_string(v) + ",0," + hex(texel_of(v, 1), 8) + "\n";
        root["expect"] = folder_.write("expected.csv", lines);
        set_textures({{"address", "0x5000"}, {"entries", {json::array(8), json::array(8), header()}}});
        for (unsigned entry = 0; entry < 2; ++entry)
            for (auto& each : headers()[entry].as_array()) each = 0;
    }

    /// A pitch-linear image of 64 x 4 words.
    static json::array header()
    {
        constexpr word r32_uint = 0x0fU | (4U * 01111U) << 7 | 2U << 19 | 7U << 28, pitch_version = 2U << 21;
        return {r32_uint,
                static_cast<word>(texels),
                static_cast<word>(texels >> 32) | pitch_version,
                pitch / 32,
                (width - 1) | 7U << 23,
                3U | 1U << 31,
                0,
                0};
    }

    void set_textures(const json::object& headers)
    {
        scenario_.root()["textures"] = {{"headers", headers}, {"handle_bank", 11}};
    }
    json::array& headers() { return scenario_.root()["textures"].at("headers").at("entries").as_array(); }

    void expect_refused(const std::string& text) { expect_wrong_input(scenario_, text); }

    temporary_folder folder_;
    derived_scenario scenario_{"vs_ids"};
};

INSTANTIATE_TEST_SUITE_P(on, textures_of_draws, testing::Values("lt", "at", "lockstep"),
                         [](const auto& instance) { return instance.param; });

TEST_P(textures_of_draws, ISA_05_texels_come_out_and_go_back)
{
    std::vector<word> words(pitch);
    std::memcpy(words.data(), image().data(), pitch * 4);
    for (unsigned v = 0; v < fetch_count; ++v) words[2 * pitch / 4 + v] = texel_of(v, 1) + v;
    const auto bytes = test::bytes_of<std::string>(words);
    scenario_.root()["expect_memory"] = {{{"address", texels_text}, {"file", folder_.write("out.bin", bytes)}}};
    const auto result = scenario_.run(GetParam(), {"--strict=traps"});
    EXPECT_EQ(result.status, 0) << result.err;
}

TEST_F(textures_of_draws, ISA_05_latency_costs_cycles)
{
    const auto cycles = [&](const std::string& latency) {
        EXPECT_EQ(scenario_.run("at", {"--set", "sm.texture_latency=" + latency}).status, 0);
        return scenario_.report().at("cycles").to_number<std::uint64_t>();
    };
    const auto quick = cycles("100"), slow = cycles("600");
    EXPECT_EQ(slow - quick, 500U); // the two warps wait at the same time, for the fetch but not for the store
}

TEST_F(textures_of_draws, ISA_05_tables_may_lie_in_memory)
{
    std::vector<word> words(16);
    for (const auto& each : header()) words.push_back(each.to_number<word>());
    const auto file = folder_.write("t.bin", test::bytes_of<std::string>(words));
    scenario_.root()["memory"].as_array().push_back({{"address", "0x5000"}, {"file", file}});
    set_textures({{"address", "0x5000"}, {"count", 3}});
    EXPECT_EQ(scenario_.run("at").status, 0);
    set_textures({{"address", "0x5000"}, {"count", 4}});
    expect_refused("the 4 entries of headers at 0x5000 are not all in one buffer of 'memory'");
}

TEST_F(textures_of_draws, ISA_05_wrong_textures_are_refused)
{
    set_textures({{"address", "0x5000"}, {"entries", {json::array{1, 2, 3}}}});
    expect_refused("an entry of headers has 3 words, expected 8");
    set_textures({{"address", "0x5000"}, {"entries", json::array{}}});
    expect_refused("headers has 0 entries, expected 1 to 1048576");
    set_textures({{"address", "0x5000"}});
    expect_refused("count");
    set_textures({{"address", texels_text}, {"entries", {header()}}});
    expect_refused("the buffer overlaps another one");
    scenario_.root()["textures"] = {{"samplers", {{"address", "0x5000"}, {"count", 1}}}};
    expect_refused("headers");
    scenario_.root()["textures"] = 7;
    expect_refused("expected an object");
}

TEST_F(textures_of_draws, ISA_05_instruction_without_textures_is_refused)
{
    scenario_.root().erase("textures");
    const auto result = scenario_.run("at");
    EXPECT_EQ(result.status, 1);
    EXPECT_NE(result.err.find("the draw has none (key 'textures' of a scenario)"), std::string::npos) << result.err;
}

} // namespace
} // namespace isbesim::testbench
