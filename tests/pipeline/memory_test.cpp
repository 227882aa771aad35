// SPDX-License-Identifier: Apache-2.0
// Global memory and the driver's routines in a draw: `memory`, `expect_memory` and `library` of a scenario.
#include <gtest/gtest.h>

#include "tests/pipeline/derived_scenario.h"
#include "tests/support/bytes.h"

namespace isbesim::testbench {
namespace {

namespace json = boost::json;

constexpr unsigned point_count = 70; // three warps

/// Vertex n of 1..70 loads word n of a buffer, stores its sum with n in word 128 + n, and adds n to word 0.
constexpr const char* load_add_store = R"(
    ALD R0, a[0x80], RZ ;
    SHL R4, R0, 0x2 ;
    MOV32I R5, 0x1 ;
    LDG.E R1, [R4] ;
    IADD R1, R1, R0 ;
    STG.E [R4+0x200], R1 ;
    MOV32I R6, 0x0 ;
    MOV32I R7, 0x1 ;
    RED.E.ADD [R6], R0 ;
    AST a[0x70], R1, RZ ;
    EXIT ;
)";

class memory_of_draws : public testing::TestWithParam<std::string> {
protected:
    memory_of_draws()
    {
        auto& root = scenario_.root();
        root.erase("expect");
        json::array words;
        for (unsigned v = 1; v <= point_count; ++v) words.push_back(v);
        root["attributes"] = {{"0x80", {{"components", 1}, {"words", words}}}};
        root["capture"] = json::array{"0x70"};
        root["draw"] = {{"topology", "points"}, {"vertex_count", point_count}};
        scenario_.set_stage("vertex", load_add_store, {{"imap", {"0x80"}}, {"omap", {"0x70"}}});
        set_memory("0x100000000");
    }

    /// Word n is 10 n, for each vertex; zeroes up to 1,024 bytes.
    void set_memory(const std::string& address, unsigned size = 1024)
    {
        std::vector<std::uint32_t> words(point_count + 1);
        for (unsigned n = 0; n <= point_count; ++n) words[n] = 10 * n;
        scenario_.root()["memory"] = {{{"address", address},
                                       {"file", folder_.write("in.bin", test::bytes_of<std::string>(words))},
                                       {"size", size}}};
    }

    /// The buffer after the draw.
    static std::vector<std::uint32_t> expected()
    {
        std::vector<std::uint32_t> words(256);
        words[0] = point_count * (point_count + 1) / 2;
        for (unsigned n = 1; n <= point_count; ++n) {
            words[n] = 10 * n;
            words[128 + n] = 11 * n;
        }
        return words;
    }

    void expect_refused(const std::string& text) { expect_wrong_input(scenario_, text); }

    temporary_folder folder_;
    derived_scenario scenario_{"vs_ids"};
};

INSTANTIATE_TEST_SUITE_P(on, memory_of_draws, testing::Values("lt", "at", "lockstep"),
                         [](const auto& instance) { return instance.param; });

// 32, 32 and 6 lanes load words from byte 4 on: 5, 5 and 1 sectors, of which a warp before has loaded 2.
TEST_P(memory_of_draws, loads_alone_go_through_the_caches)
{
    ASSERT_EQ(scenario_.run(GetParam(), {"--set", "memory.model=hierarchy"}).status, 0);
    const auto output = scenario_.report().at("output").as_object();
    EXPECT_EQ(output.at("l1_sectors"), 11U);
    EXPECT_EQ(output.at("l1_hits"), 2U);
}

TEST_P(memory_of_draws, ISA_03_loads_stores_and_atomics_meet_in_one_memory)
{
    const auto file = folder_.write("out.bin", test::bytes_of<std::string>(expected()));
    scenario_.root()["expect_memory"] = {{{"address", "0x100000000"}, {"file", file}}};
    const auto result = scenario_.run(GetParam(), {"--strict=traps"});
    EXPECT_EQ(result.status, 0) << result.err;

    auto wrong = expected();
    wrong[128 + point_count] ^= 0x100U;
    folder_.write("out.bin", test::bytes_of<std::string>(wrong));
    const auto differs = scenario_.run(GetParam());
    EXPECT_EQ(differs.status, 1);
    EXPECT_NE(differs.err.find("byte 793 (address 0x100000319)"), std::string::npos) << differs.err;
}

TEST_F(memory_of_draws, ISA_03_accesses_outside_are_traps)
{
    set_memory("0x100000000", 512 + 4 * point_count); // the last vertex stores past its end
    const auto result = scenario_.run("at", {"--strict=traps"});
    EXPECT_EQ(result.status, 1);
    EXPECT_EQ(scenario_.report().at("traps").as_array().size(), 1U);
}

TEST_F(memory_of_draws, ISA_03_wrong_memory_is_refused)
{
    for (const char* address : {"0x-1", "0x", "1G", "0x00112233445566778"}) {
        set_memory(address);
        expect_refused(std::string("'") + address + "' is no address");
    }
    set_memory("0x100000000", 16);
    expect_refused("size is 16, but the file has 284 bytes");
    set_memory("0x100000000");
    scenario_.root()["memory"].as_array().push_back({{"address", "0x1000003ff"}, {"size", 1}});
    expect_refused("the buffer overlaps another one");
    set_memory("0x100000000");
    scenario_.root()["expect_memory"] = {
        {{"address", "0x100000004"}, {"file", folder_.write("o.bin", test::bytes_of<std::string>(expected()))}}};
    expect_refused("are not all in one buffer of 'memory'");
}

TEST_F(memory_of_draws, ISA_03_calls_to_the_drivers_routines)
{
    const auto routine = folder_.write("library.sass", "IADD R1, R0, 0x7 ;\nRET ;\n");
    const auto code = folder_.path("library.bin");
    ASSERT_EQ(run_isbesim({"asm", routine, "--arch", "sm50", "--auto-schedule", "--out", code}).status, 0);
    scenario_.set_stage("vertex", "ALD R0, a[0x80], RZ ;\nJCAL 0x7fd60 ;\nAST a[0x70], R1, RZ ;\nEXIT ;\n",
                        {{"imap", {"0x80"}}, {"omap", {"0x70"}}});
    scenario_.root()["library"] = {{"address", "0x7fd60"}, {"code", code}};
    const auto result = scenario_.run("at", {"--strict=traps"});
    EXPECT_EQ(result.status, 0) << result.err;
    EXPECT_NE(scenario_.vertices().find("0x0000004d"), std::string::npos) << "70 + 7";

    scenario_.root().erase("library");
    const auto nowhere = scenario_.run("at");
    EXPECT_NE(nowhere.status, 0);
    EXPECT_NE(nowhere.err.find("JCAL goes to address 0x7fd60, where nothing is"), std::string::npos) << nowhere.err;
}

TEST_F(memory_of_draws, ISA_03_slower_memory_is_never_faster_and_leaves_the_same)
{
    const auto file = folder_.write("out.bin", test::bytes_of<std::string>(expected()));
    scenario_.root()["expect_memory"] = {{{"address", "0x100000000"}, {"file", file}}};
    std::int64_t before = 0;
    for (const char* latency : {"0", "1", "50", "1000"}) {
        const auto result = scenario_.run("at", {"--strict=traps", "--set", std::string("memory.latency=") + latency});
        EXPECT_EQ(result.status, 0) << result.err;
        const auto cycles = scenario_.report().at("cycles").as_int64();
        EXPECT_GE(cycles, before) << latency;
        if (std::string(latency) == "1000") {
            EXPECT_GT(cycles, before + 900);
        }
        before = cycles;
    }
}

TEST_F(memory_of_draws, ISA_03_generic_addresses_reach_local_memory_through_its_window)
{
    // Each vertex keeps its number in local memory, by a generic store if the scenario selects it.
    scenario_.set_stage("vertex",
                        "ALD R0, a[0x80], RZ ;\nMOV32I R2, 0x3000000 ;\nST [R2+0x4], R0 ;\nMOV32I R1, 0x0 ;\n"
                        "LDL R1, [0x4] ;\nAST a[0x70], R1, RZ ;\nEXIT ;\n",
                        {{"imap", {"0x80"}}, {"omap", {"0x70"}}, {"local_memory_low_size", 16}});
    scenario_.root()["windows"] = {{"local", "0x3000000"}, {"shared", "0x2000000"}};
    const auto result = scenario_.run("at", {"--strict=traps"});
    EXPECT_EQ(result.status, 0) << result.err;
    EXPECT_NE(scenario_.vertices().find("0x00000046"), std::string::npos);
    scenario_.root().erase("windows");
    EXPECT_EQ(scenario_.run("at", {"--strict=traps"}).status, 1) << "nothing is there without the window";
    scenario_.root()["windows"] = {{"local", "0x3000001"}};
    expect_refused("local is 0x3000001, expected a multiple of 0x1000000");
    scenario_.root()["windows"] = {{"local", "0xfe000000"}};
    expect_refused("the windows of local and shared memory are one, expected two");
}

TEST(memory_of_workgroups, ISA_03_shared_memory_has_the_draws_size)
{
    // Vertex v gets the word that lane 2 - v stored into shared memory; the lane numbers are the indices of the points.
    derived_scenario scenario("mesh_shared_hazard");
    scenario.root().erase("expect");
    scenario.set_stage("mesh", R"(
        S2R R1, SR_LANEID ;
        SHF.L.U32 R2, R1, 0x2, RZ ;
        IADD3 R3, R1, 0x500, RZ ;
        STS [R2], R3 ;
        IADD3 R8, -R2, 0x8, RZ ;
        LDS R0, [R8] ;
        ISBEWR.O.ATTR.SKEW.32 [R2], R0 ;
        MOV R5, 0x3 ;
        MOV R6, 0x3 ;
        ISETP.EQ.AND P0, PT, R1, RZ, PT ;
        @P0 ISBEWR.O.32 [R6], R5 ;
        IADD3 R7, R1, 0x4, RZ ;
        ISBEWR.O [R7], R1 ;
        EXIT ;)",
                       {{"omap", {"0x70"}}});
    scenario.draw()["group_count"] = 1;
    auto& mesh = scenario.draw().at("mesh").as_object();
    mesh["shared_bytes"] = 12;
    const auto result = scenario.run("at", {"--strict=traps"});
    ASSERT_EQ(result.status, 0) << result.err;
    const auto vertices = scenario.vertices();
    const auto position_of = [&](const char* value) { return vertices.find(value); };
    EXPECT_LT(position_of("0x00000502"), position_of("0x00000501")) << vertices;
    EXPECT_LT(position_of("0x00000501"), position_of("0x00000500")) << vertices;
    EXPECT_NE(position_of("0x00000500"), std::string::npos) << vertices;

    mesh["shared_bytes"] = 8; // lane 2 is outside
    EXPECT_EQ(scenario.run("at", {"--strict=traps"}).status, 1);
    mesh["shared_bytes"] = 70000;
    const auto refused = scenario.run("at");
    EXPECT_EQ(refused.status, 2);
    EXPECT_NE(refused.err.find("shared_bytes"), std::string::npos) << refused.err;
}

} // namespace
} // namespace isbesim::testbench
