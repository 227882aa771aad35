// SPDX-License-Identifier: Apache-2.0
// Traps and warnings of real programs in the report, and with --strict.
#include <gtest/gtest.h>

#include "models/sm/warnings/trap_codes.h"
#include "tests/pipeline/derived_scenario.h"
#include "tlm/hex.h"

namespace isbesim::testbench {
namespace {

namespace json = boost::json;

json::object geometry_header()
{
    return {{"imap", {"0x70"}},
            {"omap", {"0x70"}},
            {"output_topology", "points"},
            {"max_output_vertex_count", 2},
            {"stream_out_mask", 1}};
}

/// HARDWARE.md E.5: a program's mistake, its stage, and the code of its trap.
struct misdeed {
    const char* row;
    const char* stage;
    const char* text; ///< the offending instruction is the second
    int code;
    std::vector<std::string> settings;
};
void PrintTo(const misdeed& deed, std::ostream* out)
{
    *out << deed.row;
}

const std::vector<misdeed> misdeeds = {
    {"ALD_10", "vertex", "MOV32I R2, 0x5 ;\nALD R0, a[0x80], R2 ;\nEXIT ;\n", 0x09, {}},
    {"ALD_17", "vertex", "AL2P.I R2, RZ, 0x80 ;\nALD.PHYS.64 R0, a[R2], RZ ;\nEXIT ;\n", 0x09, {}},
    {"ALD_09", "geometry", "MOV32I R2, 0x5 ;\nALD.O R0, a[0x70], R2 ;\nMOV R0, RZ ;\nEXIT ;\n", 0x0a, {}},
    {"AST_08", "vertex", "MOV32I R2, 0x5 ;\nAST.P a[RZ], R2 ;\nEXIT ;\n", 0x0a, {}},
    {"OUT_10", "vertex", "MOV32I R2, 0x5 ;\nOUT.EMIT R0, R2, RZ ;\nEXIT ;\n", 0x0a, {}},
    {"ALD_11",
     "geometry",
     "MOV32I R2, 0x80000000 ;\nALD R3, a[0x70], R2 ;\nEXIT ;\n",
     0x0e,
     {"--set", "trap_vertex_range=true"}},
    {"ISBE_02",
     "geometry",
     "MOV32I R2, 0x10000 ;\nISBERD R3, [R2] ;\nEXIT ;\n",
     0x0e,
     {"--set", "trap_isbe_range=true"}},
    {"ISBE_10", "vertex", "MOV32I R2, 0x0 ;\nISBERD.ATTR.32 R0, [R2] ;\nEXIT ;\n", 0x09, {}},
    {"ISA_03_local_memory_end", "vertex", "MOV32I R2, 0x10 ;\nLDL R0, [R2] ;\nEXIT ;\n", 0x0e, {}},
    {"ISA_03_local_memory_alignment", "vertex", "MOV32I R2, 0x2 ;\nLDL R0, [R2] ;\nEXIT ;\n", 0x0f, {}},
    {"AST_06",
     "geometry",
     "MOV32I R2, 0xbad ;\nAST a[0x70], R3, R2 ;\nEXIT ;\n",
     0x13,
     {"--set", "trap_gs_state=true"}},
    {"OUT_06",
     "geometry",
     "MOV32I R2, 0xbad ;\nOUT.EMIT R3, R2, RZ ;\nEXIT ;\n",
     0x13,
     {"--set", "trap_gs_state=true"}},
};

using misdeed_on_backend = std::tuple<misdeed, std::string>;

class traps_of_programs : public testing::TestWithParam<misdeed_on_backend> {};

INSTANTIATE_TEST_SUITE_P(every, traps_of_programs,
                         testing::Combine(testing::ValuesIn(misdeeds), testing::Values("lt", "at")),
                         [](const testing::TestParamInfo<misdeed_on_backend>& instance) {
                             return std::string(std::get<0>(instance.param).row) + "_" + std::get<1>(instance.param);
                         });

TEST_P(traps_of_programs, are_reported)
{
    const auto& [wrong, backend] = GetParam();
    derived_scenario scenario("gs_fast");
    scenario.root().erase("expect");
    scenario.draw().erase("gs_mode");
    scenario.draw()["topology"] = "points";
    const std::string stage = wrong.stage;
    if (stage == "geometry")
        scenario.set_stage(stage, wrong.text, geometry_header());
    else
        scenario.stages().erase("geometry");
    if (stage == "vertex")
        scenario.set_stage(stage, wrong.text,
                           {{"imap", {"0x80..0x8c"}}, {"omap", {"0x70"}}, {"local_memory_low_size", 16}});

    // Without --strict the draw continues; the report is the same.
    auto options = wrong.settings;
    auto result = scenario.run(backend, options);
    EXPECT_EQ(result.status, 0) << result.err;
    const auto traps = scenario.report().at("traps").as_array();
    ASSERT_EQ(traps.size(), 1U) << json::serialize(traps);
    const auto& trap = traps[0].as_object();
    EXPECT_EQ(trap.at("code").to_number<int>(), wrong.code);
    EXPECT_EQ(trap.at("stage").as_string(), stage);
    EXPECT_EQ(trap.at("lane_mask").as_string(), "0x0000001f") << "five points";
    EXPECT_EQ(trap.at("pc").to_number<unsigned>(), 0x10U) << "after the control word and one instruction";
    EXPECT_LT(trap.at("warp").to_number<unsigned>(), 64U);
    EXPECT_GT(trap.at("cycle").to_number<unsigned>(), 0U);
    EXPECT_LE(trap.at("cycle").to_number<unsigned>(), scenario.report().at("cycles").to_number<unsigned>());

    // The answer and stderr name it: code, meaning, stage and address.
    const std::string named = hex(static_cast<unsigned>(wrong.code), 2) + " " +
                              trap_code::name_of(static_cast<std::uint8_t>(wrong.code)) + " (";
    const std::string place = "): " + stage + " 0x0010";
    const auto names_it = [&](const std::string& text) {
        const auto begin = text.find(": " + named);
        return begin != std::string::npos && text.find(place, begin) != std::string::npos;
    };
    EXPECT_TRUE(names_it(std::string(scenario.report().at("result").at("text").as_string())));
    EXPECT_NE(scenario.report().at("result").at("text").as_string().find(", 1 trap: "), json::string::npos);

    options.emplace_back("--strict=traps");
    result = scenario.run(backend, options);
    EXPECT_EQ(result.status, 1);
    EXPECT_TRUE(names_it(result.last_error())) << result.err;
    EXPECT_EQ(scenario.report().at("result").at("status").as_string(), "trap");

    // A key turns these warnings into traps.
    if (wrong.settings.empty()) return;
    result = scenario.run(backend, {"--strict=traps"});
    EXPECT_EQ(result.status, 0) << result.err;
    EXPECT_TRUE(scenario.report().at("traps").as_array().empty());
    EXPECT_FALSE(scenario.report().at("warnings").as_array().empty());
}

TEST(warnings_of_programs, SPH_04_a_patch_size_that_TI_and_TS_disagree_on_is_in_the_report)
{
    derived_scenario scenario("tess_patch_readback");
    ASSERT_EQ(scenario.run("lt").status, 0);
    EXPECT_EQ(warnings_of(scenario).find("tess declares"), std::string::npos) << warnings_of(scenario);

    // Word 1, bits 31:24, and the nibbles in words 3 and 4 (HARDWARE.md E.3).
    auto header = temporary_folder::read(scenario.stages().at("tess").at("sph").as_string().c_str());
    json::array words;
    for (std::size_t i = 0; i < header.size(); i += 4) {
        std::uint32_t word = 0;
        for (unsigned b = 0; b < 4; ++b)
            word |= static_cast<std::uint32_t>(static_cast<unsigned char>(header[i + b])) << 8 * b;
        if (i == 4) word = (word & 0xffffffU) | 0x7b000000U;
        if (i == 12) word = (word & 0xfffffffU) | 0xb0000000U;
        if (i == 16) word = (word & ~0xf00000U) | 0x700000U;
        words.push_back(word);
    }
    scenario.stages().at("tess").as_object()["sph"] = words;
    const auto result = scenario.run("at", {"--strict=traps"});
    EXPECT_EQ(result.status, 0) << "the patch has the size of TI: " << result.err;
    EXPECT_NE(warnings_of(scenario).find("tess declares PerPatchAttributeCount 123, tess init"), std::string::npos)
        << warnings_of(scenario);
    EXPECT_NE(warnings_of(scenario).find("tess: PerPatchAttributeCount 123 is neither 6 nor"), std::string::npos);
}

// An explicit 0 in a scenario is a size; compilers leave 0 in the words of their headers.
TEST(warnings_of_programs, SPH_04_a_patch_size_of_0_that_is_written_down_disagrees_with_TI)
{
    for (const int count : {0, 16, 32}) {
        derived_scenario scenario("tess_patch_readback");
        scenario.root().erase("expect");
        auto sph = map_of({0x70, 0x74, 0x78, 0x7c});
        sph["per_patch_attribute_count"] = 32;
        sph["threads_per_input_primitive"] = 1;
        scenario.set_stage("tess_init", "EXIT ;\n", sph);
        sph.erase("threads_per_input_primitive");
        sph["per_patch_attribute_count"] = count;
        scenario.set_stage("tess", "EXIT ;\n", sph);
        ASSERT_EQ(scenario.run("lt").status, 0);
        const auto text = "tess declares PerPatchAttributeCount " + std::to_string(count) + ", tess init 32";
        EXPECT_EQ(warnings_of(scenario).find(text) != std::string::npos, count != 32) << warnings_of(scenario);
    }
}

class warnings_on : public testing::TestWithParam<std::string> {};

INSTANTIATE_TEST_SUITE_P(backend, warnings_on, testing::Values("lt", "at"),
                         [](const auto& chosen) { return chosen.param; });

// ALD page: "Generic patch attributes are not specifiable without a TI shader", the levels are.
TEST_P(warnings_on, ALD_15_a_tess_program_without_TI_has_the_levels_only)
{
    const std::pair<const char*, bool> loads[] = {{"ALD.P R4, a[0x14] ;\n", false},
                                                  {"ALD.P.64 R4, a[0x10] ;\n", false},
                                                  {"ALD.P R4, a[0x20] ;\n", true},
                                                  {"ALD.P.64 R4, a[0x38] ;\n", true},
                                                  {"MOV32I R4, 0x40 ;\nALD.P R4, a[R4+-0x20] ;\n", true}};
    for (const auto& [text, beyond] : loads) {
        derived_scenario scenario("tess_no_ti");
        scenario.root().erase("expect");
        scenario.set_stage("tess", std::string(text) + "AST a[0x70], R4 ;\nEXIT ;\n", map_of({0x70}));
        scenario.root()["capture"] = json::array{"0x70"};
        ASSERT_EQ(scenario.run(GetParam()).status, 0);
        EXPECT_EQ(warned_of(scenario, "patch_range"), beyond) << text << warnings_of(scenario);
    }
}

// OUT page: R0 must be up to date whenever a thread ends, else GS output is lost.
TEST_P(warnings_on, OUT_07_stale_state_is_counted_and_warned_of)
{
    for (const bool kept : {true, false}) {
        derived_scenario scenario("gs_pass");
        scenario.root().erase("expect");
        scenario.root()["capture"] = json::array{"0x70"};
        scenario.set_stage("geometry",
                           std::string("MOV R12, RZ ;\nMOV32I R4, 0x5 ;\nAST a[0x70], R4, R12 ;\n"
                                       "OUT.EMIT R12, R12, RZ ;\nMOV R0, ") +
                               (kept ? "R12" : "RZ") + " ;\nEXIT ;\n",
                           {{"omap", {"0x70"}},
                            {"output_topology", "points"},
                            {"max_output_vertex_count", 2},
                            {"threads_per_input_primitive", 1},
                            {"stream_out_mask", 1}});
        ASSERT_EQ(scenario.run(GetParam()).status, 0);
        const auto report = scenario.report();
        const auto lost = report.at("output").at("geometry_threads_lost").to_number<std::uint64_t>();
        EXPECT_EQ(lost, kept ? 0 : report.at("invocations").at("geometry").to_number<std::uint64_t>());
        EXPECT_EQ(warned_of(scenario, "stale_state"), !kept) << warnings_of(scenario);
        EXPECT_EQ(scenario.vertices().find("0x00000005") != std::string::npos, kept);
    }
}

// HARDWARE.md E.1, E.6 row 38: outputs that the last stage loads back are in the output map if something requests them.
TEST_P(warnings_on, PIPE_01_outputs_that_only_their_own_stage_loads_back)
{
    const std::string text = "MOV32I R0, 0x55 ;\nAST a[0x90], R0 ;\nALD.O R1, a[0x90] ;\nAST a[0x80], R1 ;\nEXIT ;\n";
    const std::string kept = "0,0,0,0x00000055", dropped = "0,0,0,0x00000000";
    struct variant {
        const char* name;
        json::object header;
        json::array capture;
        std::vector<std::string> options;
        bool loaded;
    };
    const json::object plain = {{"omap", {"0x80", "0x90"}}};
    const json::object requested = {{"omap", {"0x80", "0x90"}}, {"store_req_start", 0x24}, {"store_req_end", 0x24}};
    for (const auto& each :
         {variant{"dropped", plain, {"0x80"}, {}, false}, variant{"captured", plain, {"0x80", "0x90"}, {}, true},
          variant{"requested", requested, {"0x80"}, {}, true},
          variant{"written", plain, {"0x80"}, {"--set", "pe.consumer=written"}, true}}) {
        derived_scenario scenario("vs_ids");
        scenario.root().erase("expect");
        scenario.root()["capture"] = each.capture;
        scenario.set_stage("vertex", text, each.header);
        const auto result = scenario.run(GetParam(), each.options);
        ASSERT_EQ(result.status, 0) << each.name << result.err;
        EXPECT_NE(scenario.vertices().find(each.loaded ? kept : dropped), std::string::npos) << each.name;
        EXPECT_EQ(warnings_of(scenario).find("loads its outputs 0x90 back") != std::string::npos, !each.loaded)
            << each.name << warnings_of(scenario);
    }
}

} // namespace
} // namespace isbesim::testbench
