#include <gtest/gtest.h>

#include <sys/wait.h>

#include <cstdlib>
#include <fstream>
#include <regex>

#include <boost/json.hpp>

#include "test_paths.h"
#include "tests/testbench/process.h"
#include "tests/testbench/temporary_folder.h"

namespace isbesim::testbench {
namespace {

const std::string samples = ISBESIM_SOURCE_DIR "/testbench/scenarios/";
const std::string scenario = samples + "vs_ids/scenario.json";

/// Exit 2, one error line of the agreed form, nothing on stdout.
void expect_wrong_input(const process_result& result, const std::string& part)
{
    EXPECT_EQ(result.status, 2) << result.err;
    EXPECT_EQ(result.out, "");
    const std::regex form("isbesim: error: [^:]+:[0-9]+:[0-9]+: .*expected .*");
    EXPECT_TRUE(std::regex_match(result.last_error(), form)) << result.err;
    EXPECT_NE(result.last_error().find(part), std::string::npos) << result.err;
}

class command_line : public testing::Test {
protected:
    process_result run(std::vector<std::string> arguments)
    {
        arguments.insert(arguments.begin(), "run");
        arguments.insert(arguments.end(), {"--out", out()});
        return run_isbesim(arguments);
    }
    std::string out() const { return folder_.path("out"); }

    temporary_folder folder_;
};

TEST_F(command_line, a_good_run_is_0_and_its_summary_the_only_output)
{
    const auto result = run({scenario});
    EXPECT_EQ(result.status, 0) << result.err;
    EXPECT_EQ(result.err, "");
    EXPECT_EQ(result.out.find("SystemC"), std::string::npos);
    EXPECT_NE(result.out.find("report.html"), std::string::npos);
    for (const auto* name : {"vertices.csv", "report.json", "report.md", "report.html"}) {
        EXPECT_TRUE(std::filesystem::exists(out() + "/" + name)) << name;
    }
    EXPECT_EQ(run({scenario, "--quiet"}).out, "");
}

TEST_F(command_line, a_mismatch_is_1_and_says_where)
{
    for (const auto* name : {"scenario.json", "vs.code.bin", "vs.sph.bin"}) {
        std::filesystem::copy_file(samples + "vs_ids/" + name, folder_.path(name));
    }
    auto expected = temporary_folder::read(samples + "vs_ids/expected.csv");
    const auto last = expected.rfind("0x");
    expected.replace(last, 10, "0x12345678");
    folder_.write("expected.csv", expected);
    const auto result = run({folder_.path("scenario.json")});
    EXPECT_EQ(result.status, 1);
    EXPECT_NE(result.err.find("row 36, column 0x8c: expected 0x12345678, got 0x"), std::string::npos) << result.err;
    EXPECT_TRUE(std::filesystem::exists(out() + "/report.json"));
}

TEST_F(command_line, the_watchdog_is_1_and_tells_the_story)
{
    const auto result = run({scenario, "--max-cycles", "50"});
    EXPECT_EQ(result.status, 1);
    EXPECT_NE(result.err.find("not over after 50 cycles"), std::string::npos) << result.err;
    EXPECT_NE(result.err.find("vertex"), std::string::npos) << result.err;
}

TEST_F(command_line, wrong_options_are_2)
{
    expect_wrong_input(run_isbesim({}), "no command");
    expect_wrong_input(run_isbesim({"rnu"}), "run");
    expect_wrong_input(run({}), "no file given");
    expect_wrong_input(run({scenario, "second.json"}), "one argument too many");
    expect_wrong_input(run({scenario, "--ouput", "x"}), "--out");
    expect_wrong_input(run({scenario, "--isbe", "fast"}), "expected lt, at");
    expect_wrong_input(run({scenario, "--seed", "x"}), "seed");
    expect_wrong_input(run({scenario, "--max-cycles", "0"}), "at least 1");
    expect_wrong_input(run({scenario, "--set", "isbe.lnies=8"}), "isbe.lines");
    expect_wrong_input(run({scenario, "--set", "isbe.lines=9"}), "8 to 8192");
    expect_wrong_input(run({scenario, "--config", "none.json"}), "none.json:1:1");
    expect_wrong_input(run_isbesim({"help", "rnu"}), "run");
}

TEST_F(command_line, a_wrong_key_is_named_by_its_argument_in_every_command)
{
    const std::string header = samples + "gs_pass/gs.sph.bin";
    const std::vector<std::vector<std::string>> begins = {
        {"run", scenario}, {"crosscheck", "--quiet"}, {"layout", "--sph", header}, {"help", "config", "--json"}};
    for (auto words : begins) {
        words.insert(words.end(), {"--set", "isbe.skew=true"});
        auto joined = words;
        joined.emplace_back("--set=isbe.lines=9");
        expect_wrong_input(run_isbesim(joined), "command-line:1:" + std::to_string(joined.size()) + ": isbe.lines");
        words.insert(words.end(), {"--set", "isbe.lines=9"});
        expect_wrong_input(run_isbesim(words), "command-line:1:" + std::to_string(words.size()) + ": isbe.lines");
    }
}

TEST_F(command_line, output_that_nobody_could_read_is_3)
{
    const std::string command = ISBESIM_BINARY_DIR "/isbesim help > /dev/full 2> ";
    const int status = std::system((command + folder_.path("errors")).c_str());
    ASSERT_TRUE(WIFEXITED(status));
    EXPECT_EQ(WEXITSTATUS(status), 3);
    std::ifstream errors(folder_.path("errors"));
    std::string line;
    std::getline(errors, line);
    EXPECT_EQ(line, "isbesim: error: the output could not be written completely");
}

TEST_F(command_line, a_waveform_of_nothing_is_refused)
{
    expect_wrong_input(run({scenario, "--wave-cycles", "1:2"}), "expected --wave");
    expect_wrong_input(run({scenario, "--wave-cycles", "3:1"}), "FIRST <= LAST");
    expect_wrong_input(run({scenario, "--wave-cycles", "3"}), "FIRST:LAST");
    expect_wrong_input(run({scenario, "--wave-sm", "9"}), "sm_count");
}

TEST_F(command_line, a_missing_scenario_and_an_unwritable_folder_are_2)
{
    expect_wrong_input(run({folder_.path("none.json")}), "cannot be read");
    folder_.write("file", "");
    expect_wrong_input(run_isbesim({"run", scenario, "--out", folder_.path("file/out")}), "can't be written");
    expect_wrong_input(run_isbesim({"run", scenario, "--out", folder_.path("file")}), "is a file");
    expect_wrong_input(run_isbesim({"run", scenario, "--out", "/proc/out"}), "can't be written");
}

TEST_F(command_line, a_batch_that_never_fits_is_2)
{
    const auto result = run({samples + "vs_sixteen_vectors/scenario.json", "--set", "isbe.lines=8"});
    expect_wrong_input(result, "lines");
    EXPECT_FALSE(std::filesystem::exists(out()));
}

TEST_F(command_line, an_endless_program_is_1)
{
    std::filesystem::copy_file(samples + "vs_ids/vs.sph.bin", folder_.path("vs.sph.bin"));
    folder_.write("vs.sass", "/*0008*/ BRA 0x8 ;\n/*0010*/ EXIT ;\n");
    const auto file = folder_.write(
        "s.json", "{\"arch\": \"sm50\", \"stages\": {\"vertex\": {\"code\": \"vs.sass\", \"sph\": \"vs.sph.bin\"}},"
                  "\"draw\": {\"topology\": \"points\", \"vertex_count\": 1}}");
    const auto result = run({file});
    EXPECT_EQ(result.status, 1) << result.err;
    EXPECT_NE(result.err.find("watchdog"), std::string::npos) << result.err;
}

TEST_F(command_line, a_program_that_runs_off_its_end_is_1)
{
    std::filesystem::copy_file(samples + "vs_ids/vs.sph.bin", folder_.path("vs.sph.bin"));
    folder_.write("vs.sass", "@!PT EXIT ;\n");
    const auto file = folder_.write(
        "s.json", "{\"arch\": \"sm50\", \"stages\": {\"vertex\": {\"code\": \"vs.sass\", \"sph\": \"vs.sph.bin\"}},"
                  "\"draw\": {\"topology\": \"points\", \"vertex_count\": 1}}");
    const auto result = run({file});
    EXPECT_EQ(result.status, 1) << result.err;
    EXPECT_EQ(result.err.rfind("isbesim: ", 0), 0U) << result.err;
}

TEST_F(command_line, same_input_and_seed_give_the_same_bytes)
{
    const auto strip_host = [](std::string text) { return text.substr(0, text.find("\"host\"")); };
    ASSERT_EQ(run({scenario, "--seed", "7"}).status, 0);
    const auto vertices = temporary_folder::read(out() + "/vertices.csv");
    const auto report = strip_host(temporary_folder::read(out() + "/report.json"));
    ASSERT_EQ(run({scenario, "--seed", "7"}).status, 0);
    EXPECT_EQ(temporary_folder::read(out() + "/vertices.csv"), vertices);
    EXPECT_EQ(strip_host(temporary_folder::read(out() + "/report.json")), report);
    EXPECT_NE(report.find("\"seed\": 7"), std::string::npos);
}

TEST_F(command_line, help_config_as_json_shows_the_machine_that_is_asked_about)
{
    const auto table = run_isbesim({"help", "config", "--json", "--set", "isbe.lines=512"});
    EXPECT_EQ(table.status, 0) << table.err;
    const auto keys = boost::json::parse(table.out).as_array();
    bool found = false;
    for (const auto& key : keys) {
        if (key.at("key") != "isbe.lines") continue;
        found = true;
        EXPECT_EQ(key.at("default"), 1024);
        EXPECT_EQ(key.at("value"), 512);
        EXPECT_EQ(key.at("unit"), "128-byte lines");
    }
    EXPECT_TRUE(found);
    expect_wrong_input(run_isbesim({"help", "config", "--json", "--set", "isbe.lins=512"}), "isbe.lines");
    expect_wrong_input(run_isbesim({"help", "config", "--set", "isbe.lines=512"}), "--json");
}

TEST_F(command_line, help_covers_every_command)
{
    const auto help = run_isbesim({"help"});
    EXPECT_EQ(help.status, 0);
    for (const auto* command : {"run", "replay", "crosscheck", "disasm", "asm", "layout", "pack", "help"}) {
        EXPECT_NE(help.out.find(std::string("isbesim ") + command), std::string::npos) << command;
    }
    const auto run_help = run_isbesim({"help", "run"});
    EXPECT_EQ(run_help.status, 0);
    for (const auto* option :
         {"--config", "--set", "--isbe", "--out", "--seed", "--max-cycles", "--quiet", "--progress", "--strict"}) {
        EXPECT_NE(run_help.out.find(option), std::string::npos) << option;
    }
    EXPECT_EQ(run_isbesim({"help", "config"}).status, 0);
    EXPECT_EQ(run_isbesim({"run", "--help"}).out, run_help.out);
    EXPECT_EQ(run_isbesim({"--version"}).status, 0);
}

} // namespace
} // namespace isbesim::testbench
