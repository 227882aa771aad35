// Global memory and the driver's routines in a draw: what `memory`, `expect_memory` and `library` of a scenario do.
#include <cstring>
#include <numeric>

#include <gtest/gtest.h>

#include "tests/pipeline/derived_scenario.h"

namespace isbesim::testbench {
namespace {

namespace json = boost::json;

constexpr unsigned point_count = 70; // three warps

/// Vertex n of 1..70 loads word n of a buffer, stores the sum with n behind it, and adds n to word 0.
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

std::string bytes_of(const std::vector<std::uint32_t>& words)
{
    std::string bytes(words.size() * 4, '\0');
    std::memcpy(bytes.data(), words.data(), bytes.size());
    return bytes;
}

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
        scenario_.root()["memory"] = {
            {{"address", address}, {"file", folder_.write("in.bin", bytes_of(words))}, {"size", size}}};
    }

    /// What the draw leaves there.
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

    void expect_refused(const std::string& text)
    {
        const auto result = scenario_.run("lt");
        EXPECT_EQ(result.status, 2);
        EXPECT_NE(result.err.find(text), std::string::npos) << result.err;
        EXPECT_NE(result.err.find("scenario.json:1:"), std::string::npos) << result.err;
    }

    temporary_folder folder_;
    derived_scenario scenario_{"vs_ids"};
};

INSTANTIATE_TEST_SUITE_P(on, memory_of_draws, testing::Values("lt", "at", "lockstep"),
                         [](const auto& instance) { return instance.param; });

TEST_P(memory_of_draws, ISA_03_loads_stores_and_atomics_meet_in_one_memory)
{
    const auto file = folder_.write("out.bin", bytes_of(expected()));
    scenario_.root()["expect_memory"] = {{{"address", "0x100000000"}, {"file", file}}};
    const auto result = scenario_.run(GetParam(), {"--strict=traps"});
    EXPECT_EQ(result.status, 0) << result.err;

    auto wrong = expected();
    wrong[128 + point_count] ^= 0x100U;
    folder_.write("out.bin", bytes_of(wrong));
    const auto differs = scenario_.run(GetParam());
    EXPECT_EQ(differs.status, 1);
    EXPECT_NE(differs.err.find("byte 793 (address 0x100000319)"), std::string::npos) << differs.err;
}

TEST_F(memory_of_draws, ISA_03_accesses_outside_are_traps)
{
    set_memory("0x100000000", 512 + 4 * point_count); // the last vertex stores behind it
    const auto result = scenario_.run("at", {"--strict=traps"});
    EXPECT_EQ(result.status, 1);
    EXPECT_EQ(scenario_.report().at("traps").as_array().size(), 1U);
}

TEST_F(memory_of_draws, ISA_03_wrong_memory_is_one_error)
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
        {{"address", "0x100000004"}, {"file", folder_.write("o.bin", bytes_of(expected()))}}};
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

} // namespace
} // namespace isbesim::testbench
