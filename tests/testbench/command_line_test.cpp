// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>
#include <regex>
#include <sstream>

#include <sys/wait.h>

#include <boost/json.hpp>
#include <gtest/gtest.h>

#include "test_paths.h"
#include "testbench/files/shell_text.h"
#include "tests/testbench/process.h"
#include "tests/testbench/report_of.h"
#include "tests/testbench/samples.h"
#include "tests/testbench/temporary_folder.h"

namespace isbesim::testbench {
namespace {

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
    process_result run(const words& arguments) { return run_isbesim(words{"run"} + arguments + words{"--out", out()}); }
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

TEST_F(command_line, vertices_are_compared_even_if_not_written)
{
    const auto good = run({scenario, "--no-vertices"});
    EXPECT_EQ(good.status, 0) << good.err;
    EXPECT_NE(good.out.find("the vertices are the expected ones"), std::string::npos);
    EXPECT_NE(good.out.find("vertices: not written (--no-vertices)"), std::string::npos);
    EXPECT_FALSE(std::filesystem::exists(out() + "/vertices.csv"));
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(out()), {}), 4) << "the reports, and the mark";
    const auto without = report_in(out());
    EXPECT_EQ(without.at("output").at("vertices_written"), false);
    EXPECT_EQ(run({scenario}).status, 0);
    auto with = report_in(out());
    EXPECT_EQ(with.at("output").at("vertices_written"), true);
    EXPECT_GT(with.at("output").at("vertices_captured").to_number<int>(), 0);
    with.at("output").as_object()["vertices_written"] = false;
    EXPECT_EQ(with.at("output"), without.at("output"));
    EXPECT_EQ(with.at("cycles"), without.at("cycles"));

    for (const auto* name : {"scenario.json", "vs.code.bin", "vs.sph.bin"})
        std::filesystem::copy_file(samples + "vs_ids/" + name, folder_.path(name));
    auto expected = temporary_folder::read(samples + "vs_ids/expected.csv");
    expected.replace(expected.rfind("0x"), 10, "0x12345678");
    folder_.write("expected.csv", expected);
    for (const bool wanted : {true, false}) {
        const auto bad = run({folder_.path("scenario.json"), wanted ? "--quiet" : "--no-vertices"});
        EXPECT_EQ(bad.status, 1);
        EXPECT_NE(bad.err.find("row 36, column 0x8c: expected 0x12345678, got 0x"), std::string::npos) << bad.err;
        EXPECT_EQ(std::filesystem::exists(out() + "/vertices.csv"), wanted);
        EXPECT_TRUE(std::filesystem::exists(out() + "/report.json"));
    }
    // Several streams with nothing to compare: they are counted only.
    std::filesystem::copy(samples + "gs_streams", folder_.path("streams"));
    auto text = boost::json::parse(temporary_folder::read(samples + "gs_streams/scenario.json")).as_object();
    text.erase("expect");
    const auto streams = run({folder_.write("streams/scenario.json", boost::json::serialize(text)), "--no-vertices"});
    EXPECT_EQ(streams.status, 0) << streams.err;
    const auto report = report_in(out());
    EXPECT_EQ(report.at("output").at("vertices_captured").to_number<int>(), 160);
}

TEST_F(command_line, the_watchdog_is_1_and_shows_the_state)
{
    const auto result = run({scenario, "--max-cycles", "50"});
    EXPECT_EQ(result.status, 1);
    EXPECT_NE(result.err.find("not over after 50 cycles"), std::string::npos) << result.err;
    EXPECT_NE(result.err.find("vertex"), std::string::npos) << result.err;
}

TEST_F(command_line, alone_it_prints_help)
{
    const auto alone = run_isbesim({});
    EXPECT_EQ(alone.status, 0);
    EXPECT_EQ(alone.out, run_isbesim({"help"}).out);
    EXPECT_EQ(alone.err, "");
    std::istringstream lines(alone.out);
    std::size_t column = 0; // of what a command does
    for (std::string line; std::getline(lines, line);) {
        if (line.rfind("  isbesim ", 0) != 0) continue;
        if (column == 0) column = line.find("a draw;");
        EXPECT_EQ(line.at(column - 1), ' ') << line;
        EXPECT_NE(line.at(column), ' ') << line;
    }
    EXPECT_NE(column, 0U);
}

TEST_F(command_line, help_option_of_gl_precedes_the_programs_arguments)
{
    const auto help = run_isbesim({"help", "gl"}).out;
    EXPECT_NE(help.find("--chip"), std::string::npos);
    for (const auto* option : {"--help", "-h"}) {
        EXPECT_EQ(run_isbesim({"gl", option}).out, help);
        EXPECT_EQ(run_isbesim({"gl", "--chip", "tu102", option, "--", "program"}).out, help);
    }
}

TEST_F(command_line, a_folder_stands_for_its_scenario)
{
    ASSERT_EQ(run({scenario}).status, 0);
    const auto vertices = temporary_folder::read(out() + "/vertices.csv");
    for (const std::string end : {"", "/"}) {
        const auto result = run({samples + "vs_ids" + end});
        EXPECT_EQ(result.status, 0) << result.err;
        EXPECT_EQ(temporary_folder::read(out() + "/vertices.csv"), vertices);
    }
}

TEST_F(command_line, a_shipped_scenario_has_a_name)
{
    ASSERT_EQ(run({scenario}).status, 0);
    const auto vertices = temporary_folder::read(out() + "/vertices.csv");
    const auto in = [&](const std::string& folder, const std::string& name) {
        return run_isbesim({"run", name, "--out", out(), "--quiet"}, {folder});
    };
    const auto named = in(folder_.path("."), "vs_ids");
    EXPECT_EQ(named.status, 0) << named.err;
    EXPECT_EQ(temporary_folder::read(out() + "/vertices.csv"), vertices);
    // The user's own file of that name comes first.
    std::filesystem::create_directories(folder_.path("own/vs_ids"));
    std::filesystem::create_directory(folder_.path("file"));
    expect_wrong_input(in(folder_.path("own"), "vs_ids"), "vs_ids/scenario.json:1:1: cannot be read");
    folder_.write("file/vs_ids", "{}");
    expect_wrong_input(in(folder_.path("file"), "vs_ids"), "vs_ids:1:1: the scenario has no 'arch'");
}

TEST_F(command_line, help_on_a_word_lists_its_mentions)
{
    const auto keys_of = [](const process_result& result) {
        std::vector<std::string> keys;
        const auto table = boost::json::parse(result.out);
        for (const auto& each : table.as_array()) keys.emplace_back(each.at("key").as_string());
        return keys;
    };
    for (const std::string topic : {"config", "figures"}) {
        const auto all = boost::json::parse(run_isbesim({"help", topic, "--json"}).out).as_array();
        for (const std::string word : {"latency", "LATENCY", "queue"}) {
            std::vector<std::string> expected;
            for (const auto& each : all) {
                auto text = boost::json::value_to<std::string>(each.at("key")) + "\n" +
                            boost::json::value_to<std::string>(each.at("description"));
                for (auto& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
                const auto lower = word == "queue" ? "queue" : "latency";
                if (text.find(lower) != std::string::npos) expected.emplace_back(each.at("key").as_string());
            }
            EXPECT_LT(expected.size(), all.size());
            EXPECT_EQ(keys_of(run_isbesim({"help", topic, word, "--json"})), expected) << topic << " " << word;
            const auto text = run_isbesim({"help", topic, word}).out;
            for (const auto& each : all) {
                const std::string key(each.at("key").as_string());
                const bool shown = text.find("\n  " + key + " ") != std::string::npos;
                EXPECT_EQ(shown, std::count(expected.begin(), expected.end(), key) != 0) << key;
            }
        }
    }
    EXPECT_NE(run_isbesim({"help", "config", "tu102"}).out.find("\n  tu102 "), std::string::npos);
    EXPECT_EQ(keys_of(run_isbesim({"help", "figures", "latency.ald.p99", "--json"})),
              std::vector<std::string>{"latency.<opcode>.p99"});
    EXPECT_EQ(keys_of(run_isbesim({"help", "figures", "latency.ald", "--json"})),
              (std::vector<std::string>{"latency.<opcode>.count", "latency.<opcode>.min", "latency.<opcode>.mean",
                                        "latency.<opcode>.p50", "latency.<opcode>.p90", "latency.<opcode>.p99",
                                        "latency.<opcode>.max"}));
}

/// Options of `isbesim help COMMAND`.
std::vector<std::string> options_of(const std::string& command)
{
    const auto text = run_isbesim({"help", command}).out;
    EXPECT_EQ(text.find("folder for folder"), std::string::npos) << command;
    const std::regex option("\n  (--[a-z-]+)");
    std::vector<std::string> found;
    for (std::sregex_iterator each(text.begin(), text.end(), option), end; each != end; ++each)
        found.push_back((*each)[1]);
    return found;
}

/// The completions that bash proposes for the last of these words.
std::vector<std::string> completed(const std::string& script, const std::vector<std::string>& words)
{
    const temporary_folder folder;
    auto command = "source " + script + "; COMP_WORDS=(isbesim";
    for (const auto& word : words) command += " '" + word + "'";
    command += "); COMP_CWORD=" + std::to_string(words.size()) + "; _isbesim; printf '%s\n' \"${COMPREPLY[@]}\"";
    const auto file = folder.write("ask", command), answer = folder.path("answer");
    EXPECT_EQ(std::system(("bash " + file + " > " + answer).c_str()), 0);
    std::vector<std::string> found;
    std::istringstream lines(temporary_folder::read(answer));
    for (std::string line; std::getline(lines, line);)
        if (!line.empty()) found.push_back(line);
    return found;
}

TEST_F(command_line, manual_page_and_completion_have_every_command_and_option)
{
    const auto page = run_isbesim({"help", "--man"}).out;
    const auto script = folder_.write("isbesim.bash", run_isbesim({"help", "--bash-completion"}).out);
    const auto commands = completed(script, {""});
    const auto overview = run_isbesim({"help"}).out;
    EXPECT_EQ(commands.size(), static_cast<std::size_t>(std::count(overview.begin(), overview.end(), '\n')) - 4);
    for (const auto& command : commands) {
        EXPECT_NE(overview.find("\n  isbesim " + command + " "), std::string::npos) << command;
        const auto name = std::regex_replace(command, std::regex("-"), "\\-");
        const auto begin = page.find(".SS isbesim " + name + " ");
        ASSERT_NE(begin, std::string::npos) << command;
        const auto section = page.substr(begin, page.find("\n.S", begin) - begin);
        const auto options = options_of(command);
        EXPECT_EQ(completed(script, {command, "-"}), options) << command;
        for (const auto& option : options) {
            const auto written = "\n\\fB" + std::regex_replace(option, std::regex("-"), "\\-") + "\\fR";
            EXPECT_NE(section.find(written), std::string::npos) << command << " " << written;
        }
    }
    EXPECT_EQ(completed(script, {"cr"}), words{"crosscheck"});
    EXPECT_EQ(completed(script, {"run", "--isbe", "l"}), (words{"lt", "lockstep"}));
    EXPECT_EQ(completed(script, {"run", "--isbe", "=", "r"}), words{"rtl"});
    EXPECT_EQ(completed(script, {"crosscheck", "--config", "tu106"}), (words{"tu106", "tu106_chip"}));
    EXPECT_EQ(completed(script, {"run", "--set", "isbe.bank_"}), words{"isbe.bank_map="});
    EXPECT_EQ(completed(script, {"help", "fi"}), words{"figures"});
    EXPECT_EQ(completed(script, {"help", "schema", "sw"}), words{"sweep"});
    EXPECT_EQ(completed(script, {"gl", "--", "prog", "--"}), words{}) << "those of a program are not ours";
}

TEST_F(command_line, a_page_names_its_command_as_a_shell_reads_it)
{
    for (const auto& [word, text] : {std::pair{"a=1,b-c/d.e", "a=1,b-c/d.e"},
                                     {"", "''"},
                                     {"my draw", "'my draw'"},
                                     {"it's", "'it'\\''s'"},
                                     {"$HOME", "'$HOME'"},
                                     {"~", "'~'"},
                                     {"a;b|c&d", "'a;b|c&d'"},
                                     {"größe", "'größe'"},
                                     {"(x)*?", "'(x)*?'"}})
        EXPECT_EQ(shell_text({"run", word}), " run " + std::string(text));
    const auto machine = folder_.write("my machine.json", R"({"isbe.lines": 512})");
    EXPECT_EQ(run({scenario, "--quiet", "--config", machine}).status, 0);
    EXPECT_NE(
        temporary_folder::read(out() + "/report.md").find("isbesim run " + scenario + " --config '" + machine + "'\n"),
        std::string::npos);
}

TEST_F(command_line, numbers_of_options_are_decimal_and_in_range)
{
    // Boost reads -1 as 2^64 - 1.
    for (const auto* number : {"-1", "+5", " 5", "5 ", "1e3", "0x10", "1.0", "18446744073709551616", "five"}) {
        const std::string value = number;
        expect_wrong_input(run({scenario, "--seed", value}),
                           "1:4: --seed is '" + value + "', expected a decimal integer");
        expect_wrong_input(run({scenario, "--max-cycles=" + value}), "1:3: --max-cycles is '" + value + "', expected");
        expect_wrong_input(run({scenario, "--wave-sm", value}), "from 0 to 4294967295");
        expect_wrong_input(run_isbesim({"crosscheck", "--transactions", value}), "--transactions is '" + value + "'");
        expect_wrong_input(run_isbesim({"crosscheck", "--seed", value}), "--seed is '" + value + "'");
        for (const auto* option : {"--vertices", "--primitives", "--shared-lines"})
            expect_wrong_input(run_isbesim({"layout", "--sph", samples + "gs_pass/gs.sph.bin", option, value}),
                               std::string(option) + " is '" + value + "'");
    }
    expect_wrong_input(run({scenario, "--wave-sm", "4294967296"}), "from 0 to 4294967295");
}

TEST_F(command_line, unwritable_output_is_3)
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

TEST_F(command_line, a_program_that_does_not_end_well_is_1)
{
    std::filesystem::copy_file(samples + "vs_ids/vs.sph.bin", folder_.path("vs.sph.bin"));
    const auto file = folder_.write("s.json", R"({"arch": "sm50", "stages": {"vertex": {"code": "vs.sass",
        "sph": "vs.sph.bin"}}, "draw": {"topology": "points", "vertex_count": 1}})");
    folder_.write("vs.sass", "/*0008*/ BRA 0x8 ;\n/*0010*/ EXIT ;\n");
    const auto endless = run({file});
    EXPECT_EQ(endless.status, 1) << endless.err;
    EXPECT_NE(endless.err.find("watchdog"), std::string::npos) << endless.err;
    folder_.write("vs.sass", "@!PT EXIT ;\n"); // it runs off its end
    const auto lost = run({file});
    EXPECT_EQ(lost.status, 1) << lost.err;
    EXPECT_EQ(lost.err.rfind("isbesim: ", 0), 0U) << lost.err;
}

/// A draw whose program stores one attribute that its header lacks, and has a misaligned register.
std::string suspicious_scenario(const temporary_folder& folder, const std::string& more_code = "")
{
    folder.write("vs.sass", "AST.64 a[0x70], R3 &rd=0 ;\nAST a[0x80], R0 &rd=0 ;\n" + more_code + "EXIT &req=1 ;\n");
    return folder.write("s.json", R"({"arch": "sm50", "stages": {"vertex": {"code": "vs.sass",
        "sph": {"omap": ["0x70..0x74"]}}}, "draw": {"topology": "points", "vertex_count": 40}})");
}

TEST_F(command_line, ISA_02_ignored_bits_are_warned_of_once)
{
    // FADD with bit 41, twice, as numbers in a text.
    const auto text = folder_.write("p.sass", "FADD R0, R1, R2 ?word=0x5c58020000270100 ;\n"
                                              "FADD R0, R1, R2 ?word=0x5c58020000270100 ;\nEXIT ;\n");
    const auto binary = folder_.path("p.bin"), again = folder_.path("q.bin");
    const std::string what = "2 instructions have bits set that are ignored, first FADD at address 0x0008 bit 41; they "
                             "are kept\n";
    const auto assembled = run_isbesim({"asm", text, "--arch", "sm50", "--out", binary});
    EXPECT_EQ(assembled.status, 0);
    EXPECT_EQ(assembled.err, "isbesim: warning: " + text + ":1:9: " + what);
    const auto shown = run_isbesim({"disasm", binary, "--arch", "sm50"});
    EXPECT_EQ(shown.status, 0);
    EXPECT_EQ(shown.err, "isbesim: warning: " + binary + ":1:9: " + what);
    folder_.write("q.sass", shown.out);
    EXPECT_EQ(run_isbesim({"asm", folder_.path("q.sass"), "--arch", "sm50", "--out", again}).status, 0);
    EXPECT_EQ(temporary_folder::read(again), temporary_folder::read(binary));
}

// A vertex handle in a vertex program (HARDWARE.md E.5), by the two warps of 40 points and by one warp.
TEST_F(command_line, traps_are_named_on_the_first_line_and_on_stderr)
{
    for (const unsigned warps : {1U, 2U}) {
        folder_.write("vs.sass", "ALD R0, a[0x80], R3 &wr=0 ;\nEXIT &req=1 ;\n");
        const auto file = folder_.write("s.json", R"({"arch": "sm50", "stages": {"vertex": {"code": "vs.sass",
            "sph": {"imap": ["0x80"]}}}, "attributes": {"0x80": {"words": [1, 2, 3, 4], "repeat": true}},
            "draw": {"topology": "points", "vertex_count": )" +
                                                      std::to_string(warps == 1 ? 8 : 40) + "}}");
        const auto result = run({file});
        EXPECT_EQ(result.status, 0) << result.err;
        const std::string what = "0x09 ILLEGAL_INSTR_ENCODING (an encoding that the hardware does not execute): vertex "
                                 "0x0008";
        const auto first_line = result.out.substr(0, result.out.find('\n'));
        EXPECT_NE(first_line.find(warps == 1 ? ", 1 trap: " + what : ", 2 traps, the first: " + what),
                  std::string::npos)
            << first_line;
        EXPECT_EQ(result.err.rfind("isbesim: trap: " + what + (warps == 1 ? " (1 time, " : " (2 times, "), 0), 0U)
            << result.err;
        EXPECT_NE(result.err.find(warps == 1 ? "isbesim: 1 trap; all are in " : "isbesim: 2 traps; all are in "),
                  std::string::npos);
    }
}

TEST_F(command_line, warnings_reach_the_terminal_and_the_top_of_the_reports)
{
    const auto file = suspicious_scenario(folder_);
    const auto result = run({file});
    EXPECT_EQ(result.status, 0) << result.err;
    const auto first = folder_.path("vs.sass") +
                       ":1:17: AST of 2 words with R3: the hardware drops the low bits of the "
                       "register, it takes R2 to R3";
    const auto second = file + ":1:29: the program of stage 'vertex' stores attributes 0x80, which the omap of its "
                               "header lacks: they are dropped";
    EXPECT_EQ(result.err, "isbesim: warning: " + first + "\nisbesim: warning: " + second +
                              "\nisbesim: 2 warnings; all are at the top of " + out() + "/report.md\n");
    const auto report = report_in(out());
    const auto& warnings = report.at("warnings").as_array();
    ASSERT_EQ(warnings.size(), 2U);
    EXPECT_EQ(warnings[0], (boost::json::value{{"kind", "misaligned_register"},
                                               {"text", first},
                                               {"stage", "vertex"},
                                               {"pc", 8},
                                               {"count", 1},
                                               {"first_cycle", nullptr}}));
    EXPECT_EQ(warnings[1].at("kind"), "beside_omap");
    EXPECT_EQ(report.find("lints"), report.end());
    for (const auto* name : {"report.md", "report.html"}) {
        const auto text = temporary_folder::read(out() + "/" + name);
        const auto position = text.find("the hardware drops the low bits");
        ASSERT_NE(position, std::string::npos) << name;
        EXPECT_LT(position, text.find("Invocations")) << name;
    }
    EXPECT_EQ(run({file, "--quiet"}).err, "");
    EXPECT_EQ(run({scenario}).err, "") << "no line without a warning";
}

TEST_F(command_line, many_warnings_are_counted_and_the_first_few_shown)
{
    std::string code; // each reads a register that the store before has not released
    for (unsigned i = 0; i < 8; ++i) code += "AST.64 a[0x70], R" + std::to_string(2 * i + 1) + " &rd=0 ;\n";
    const auto result = run({suspicious_scenario(folder_, code)});
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 6) << result.err;
    EXPECT_NE(result.err.find("isbesim: 10 warnings, the first 5 are above; all"), std::string::npos) << result.err;
}

TEST_F(command_line, strict_fails_on_warnings_and_traps_or_on_traps_alone)
{
    const auto status = [&](const std::string& file, const std::vector<std::string>& options) {
        const auto result = run(words{file, "--quiet"} + options);
        const auto report = report_in(out());
        return std::to_string(result.status) + " " + std::string(report.at("result").at("status").as_string()) + " " +
               result.last_error().substr(0, 40);
    };
    const auto warned = suspicious_scenario(folder_);
    EXPECT_EQ(status(warned, {}), "0 done ");
    EXPECT_EQ(status(warned, {"--strict=traps"}), "0 done ");
    EXPECT_EQ(status(warned, {"--strict"}), "1 warning isbesim: 2 warnings with --strict (--str");
    EXPECT_EQ(status(warned, {"--strict=all"}), "1 warning isbesim: 2 warnings with --strict (--str");
    EXPECT_EQ(status(scenario, {"--strict"}), "0 done ");
    // A vertex program has no geometry output (HARDWARE.md E.5).
    const auto trapping = suspicious_scenario(folder_, "ALD R0, a[0x80], R1 &wr=1 ;\n");
    EXPECT_EQ(status(trapping, {"--strict=traps"}).substr(0, 7), "1 trap ");
    EXPECT_EQ(status(trapping, {"--strict"}).substr(0, 7), "1 trap ") << "the trap is worse";
    EXPECT_EQ(run({"--strict", scenario, "--quiet"}).status, 0) << "it does not take the scenario for its value";
}

TEST_F(command_line, a_mismatch_is_worse_than_a_warning)
{
    const auto file = suspicious_scenario(folder_);
    auto text = temporary_folder::read(file);
    folder_.write("e.csv", "stream,primitive,vertex,0x70,0x74\n0,0,0,0x00000001,0x00000000\n");
    text.insert(1, "\"expect\": \"e.csv\", ");
    folder_.write("s.json", text);
    const auto result = run({file, "--strict"});
    EXPECT_EQ(result.status, 1);
    EXPECT_NE(result.last_error().find("the vertices differ"), std::string::npos) << result.err;
}

TEST_F(command_line, a_machine_that_does_not_run_the_programs_is_a_warning)
{
    EXPECT_EQ(run({scenario, "--config", "gm107"}).err, "");
    const auto result = run({scenario, "--config", "tu102"});
    EXPECT_EQ(result.status, 0);
    EXPECT_EQ(
        result.err.rfind("isbesim: warning: command-line:1:3: the machine tu102 runs sm75, the draw's programs are of "
                         "sm50",
                         0),
        0U)
        << result.err;
}

// No correct program does these: the shipped scenarios have these warnings and no others.
TEST_F(command_line, the_shipped_scenarios_have_no_warning_that_is_not_meant)
{
    const std::map<std::string, std::vector<std::string>> meant = {
        // Strips with fewer than three vertices, as GLSL programs may leave.
        {"gs_conditional", {"short_strip_vertices"}},
        {"sm75_gs_conditional", {"short_strip_vertices"}},
        {"mesh_limits", {"mesh_primitives_above_maximum", "mesh_primitives_without_vertex"}},
        {"mesh_shared_hazard", {"overwritten"}},
        // The compiler loads another thread's output before it knows whether that thread exists.
        {"tess_outputs_of_others", {"handle_range"}},
        // 28 words: the driver counts used words (SPH-04).
        {"tess_patch_readback", {"draw_setting"}},
    };
    unsigned seen = 0;
    for (const auto& entry : std::filesystem::directory_iterator(samples)) {
        const auto name = entry.path().filename().string();
        if (!entry.is_directory() || name == "gs_amplify") continue; // 30,000 points of gs_amplify_once
        ASSERT_EQ(run({entry.path().string() + "/scenario.json", "--isbe", "lt", "--quiet"}).status, 0) << name;
        const auto report = report_in(out());
        std::vector<std::string> kinds;
        for (const auto& each : report.at("warnings").as_array()) kinds.emplace_back(each.at("kind").as_string());
        const auto found = meant.find(name);
        EXPECT_EQ(kinds, found == meant.end() ? std::vector<std::string>{} : found->second) << name;
        ++seen;
    }
    EXPECT_GT(seen, 30U);
}

TEST_F(command_line, same_input_and_seed_give_the_same_bytes)
{
    const auto strip_host = [](const std::string& text) { return text.substr(0, text.find("\"host\"")); };
    setenv("SOURCE_DATE_EPOCH", "86400", 1);
    ASSERT_EQ(run({scenario, "--seed", "7"}).status, 0);
    const auto vertices = temporary_folder::read(out() + "/vertices.csv");
    const auto report = strip_host(temporary_folder::read(out() + "/report.json"));
    ASSERT_EQ(run({scenario, "--seed", "7"}).status, 0);
    EXPECT_EQ(temporary_folder::read(out() + "/vertices.csv"), vertices);
    EXPECT_EQ(strip_host(temporary_folder::read(out() + "/report.json")), report);
    unsetenv("SOURCE_DATE_EPOCH");
    EXPECT_NE(report.find("\"seed\": 7"), std::string::npos);
    EXPECT_NE(report.find("\"date\": \"1970-01-02T00:00:00Z\""), std::string::npos);
}

TEST_F(command_line, help_config_as_json_shows_the_given_machine)
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
}

TEST_F(command_line, help_ends_with_0)
{
    const auto help = run_isbesim({"help"});
    EXPECT_EQ(help.status, 0);
    EXPECT_EQ(run_isbesim({"help", "config"}).status, 0);
    EXPECT_EQ(run_isbesim({"run", "--help"}).out, run_isbesim({"help", "run"}).out);
    EXPECT_EQ(run_isbesim({"--version"}).status, 0);
}

} // namespace
} // namespace isbesim::testbench
