// SPDX-License-Identifier: Apache-2.0
// The energy and area proxies in a user's report.
#include <boost/json.hpp>
#include <gtest/gtest.h>

#include "test_paths.h"
#include "tests/analysis/number.h"
#include "tests/testbench/process.h"
#include "tests/testbench/report_of.h"
#include "tests/testbench/temporary_folder.h"

namespace isbesim::testbench {
namespace {

namespace json = boost::json;

const std::string scenario = ISBESIM_SOURCE_DIR "/testbench/scenarios/gs_amplify_once/scenario.json";

class proxies : public testing::Test {
protected:
    json::object run(const std::vector<std::string>& arguments)
    {
        return report_of(words{"run", scenario} + arguments, folder_.path("out")).at("proxies").as_object();
    }
    std::string refusal(const std::string& table)
    {
        const auto result = run_isbesim(
            {"run", scenario, "--out", folder_.path("out"), "--coefficients", folder_.write("c.json", table)});
        EXPECT_EQ(result.status, 2);
        return result.last_error();
    }
    temporary_folder folder_;
};

TEST_F(proxies, energy_is_counts_times_coefficients)
{
    const auto table = folder_.write("c.json", R"({"energy.bank_read_pj": {"value": 1, "source": "test"},
        "energy.bank_write_pj": {"value": 1000, "source": "test"}, "energy.bank_size_exponent": {"value": 0, "source": "test"},
        "energy.crossbar_word_pj": {"value": 0, "source": "test"}, "energy.map_lookup_pj": {"value": 0.25, "source": "test"},
        "description": "other figures"})");
    const auto report = run({"--coefficients", table});
    EXPECT_GT(number(report.at("bank_reads")), 0);
    EXPECT_DOUBLE_EQ(number(report.at("energy_pj")), number(report.at("bank_reads")) +
                                                         1000 * number(report.at("bank_writes")) +
                                                         0.25 * number(report.at("map_lookups")));
}

TEST_F(proxies, accesses_do_not_depend_on_timing)
{
    const auto usual = run({});
    EXPECT_EQ(usual, run({"--isbe", "lt"}));
    EXPECT_EQ(usual, run({"--set", "isbe.write_latency=90"}));
    // Fewer banks are larger: more energy per word, less logic.
    const auto few = run({"--set", "isbe.banks=8"});
    EXPECT_EQ(few.at("bank_reads"), usual.at("bank_reads"));
    EXPECT_GT(number(few.at("energy_pj")), number(usual.at("energy_pj")));
    EXPECT_LT(number(few.at("area").at("logic_cell_bits")), number(usual.at("area").at("logic_cell_bits")));
    // A map of banks is a 5-bit adder or xor for each of 32 lanes; lines have no banks.
    const auto logic = [&](const char* map, const char* access) {
        return number(run({"--set", map, "--set", access}).at("area").at("logic_cell_bits"));
    };
    const auto plain = number(usual.at("area").at("logic_cell_bits"));
    EXPECT_DOUBLE_EQ(logic("isbe.bank_map=rotate", "isbe.access=banked"), plain + 160);
    EXPECT_DOUBLE_EQ(logic("isbe.bank_map=xor", "isbe.access=banked"), plain + 160);
    EXPECT_DOUBLE_EQ(logic("isbe.bank_map=xor", "isbe.access=line"), logic("isbe.bank_map=modulo", "isbe.access=line"));
    EXPECT_EQ(few.at("area").at("storage_bits"), usual.at("area").at("storage_bits"));
    EXPECT_DOUBLE_EQ(number(usual.at("area").at("storage_bits")), 1024 * 32 * 33.0); // 1,024 lines, words of 33 bits
}

TEST_F(proxies, a_wrong_table_is_wrong_input)
{
    EXPECT_NE(refusal(R"({"energy.bank_red_pj": {"value": 1, "source": "x"}})").find("energy.bank_read_pj"),
              std::string::npos);
    EXPECT_NE(refusal(R"({"energy.bank_read_pj": {"value": -1, "source": "x"}})").find(":1:35:"), std::string::npos);
    EXPECT_NE(refusal(R"({"energy.bank_read_pj": {"value": 1, "source": ""}})").find("source is empty"),
              std::string::npos);
    EXPECT_NE(refusal(R"({"energy.bank_read_pj": 1})").find("energy.bank_read_pj"), std::string::npos);
}

} // namespace
} // namespace isbesim::testbench
