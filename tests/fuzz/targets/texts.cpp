// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <fstream>

#include <unistd.h>

#include <boost/json.hpp>

#include "models/varying/language/parser.h"
#include "testbench/arguments/command_arguments.h"
#include "testbench/command_line/command_line.h"
#include "testbench/files/input_error.h"
#include "testbench/files/json_text.h"
#include "testbench/pack/pack_input.h"
#include "testbench/pack/pack_output.h"
#include "testbench/report/proxies.h"
#include "testbench/scenario/expectation.h"
#include "testbench/scenario/scenario.h"
#include "testbench/system/config.h"
#include "tests/fuzz/targets/target.h"

namespace isbesim::fuzz {

namespace fs = std::filesystem;
using testbench::input_error;

namespace {

/// What a scenario names lies beside it: the files of one that is right, copied once.
class scenario_folder {
public:
    scenario_folder() : path_(fs::temp_directory_path() / ("isbesim_fuzz_" + std::to_string(getpid())))
    {
        fs::create_directory(path_);
    }
    ~scenario_folder()
    {
        std::error_code ignored;
        fs::remove_all(path_, ignored);
    }
    scenario_folder(const scenario_folder&) = delete;
    scenario_folder& operator=(const scenario_folder&) = delete;

    std::string write(std::string_view bytes) const
    {
        auto file = (path_ / "scenario.json").string();
        std::ofstream(file, std::ios::binary) << bytes;
        return file;
    }

private:
    fs::path path_;
};

/// Names in quotes, as JSON has them.
std::vector<std::string> quoted(const std::vector<std::string>& words)
{
    std::vector<std::string> all;
    all.reserve(words.size());
    for (const auto& word : words) all.push_back('"' + word + '"');
    return all;
}

} // namespace

void machine(std::string_view bytes)
{
    machine_config config;
    try {
        testbench::load_config_text(std::string(bytes), {"input"}, config);
    } catch (const input_error&) {
        return;
    }
    const auto text = testbench::json_text(testbench::config_to_json(config));
    machine_config again;
    testbench::load_config_text(text, {"again"}, again);
    require(testbench::json_text(testbench::config_to_json(again)) == text, "a machine that is written is read back");
}

void scenario(std::string_view bytes)
{
    static const scenario_folder folder;
    try {
        testbench::load_scenario(folder.write(bytes));
    } catch (const input_error&) {
    }
}

void coefficients(std::string_view bytes)
{
    const memory_file file(bytes);
    testbench::coefficient_table table;
    try {
        table.load(file.path());
    } catch (const input_error&) {
    }
}

void expectation(std::string_view bytes)
{
    const memory_file file(bytes);
    testbench::expectation same;
    same.file = file.path();
    try {
        testbench::check_expectation(same);
    } catch (const input_error&) {
        return;
    }
    const auto difference = testbench::compare_vertices(file.path(), same);
    require(!difference || difference->expected.rfind("rest,", 0) == 0, "a file of vertices is equal to itself");
}

namespace {

std::string printed(std::string_view text)
{
    std::string all;
    for (const auto& program : isbesim::varying::parse(text)) all += print(program);
    return all;
}

} // namespace

void varying(std::string_view bytes)
{
    const auto choice = take_byte(bytes);
    isbesim::varying::lowering_options options;
    options.arch = (choice & 1U) != 0 ? isa::architecture::sm75 : isa::architecture::sm50;
    options.how = static_cast<isbesim::varying::strategy>((choice >> 1 & 7U) % 5);
    options.defined = (choice & 16U) == 0;
    std::string text;
    try {
        text = printed(bytes);
    } catch (const isbesim::varying::shader_error& error) {
        require(*error.what() != '\0', "an error has a text");
        return;
    }
    require(printed(text) == text, "print(parse(x)) is read back as it was");
    const memory_file file(bytes);
    try {
        for (const auto& program : testbench::load_declarations(file.path(), "", varying::mask_reading::not_stated))
            testbench::lowered_text(program, options);
    } catch (const input_error&) {
    }
}

void command_line(std::string_view bytes)
{
    // Making them takes longer than reading a command line.
    static const auto options = [] {
        std::vector<boost::program_options::options_description> all;
        for (const auto& command : testbench::commands()) all.push_back(command.options());
        return all;
    }();
    const auto& allowed = options[take_byte(bytes) % options.size()];
    std::vector<std::string> words(1);
    for (const char c : bytes)
        if (c == '\n')
            words.emplace_back();
        else if (c != '\0') // no word of a command line has one
            words.back() += c;
    if (words.front().empty()) words.erase(words.begin());
    try {
        const testbench::command_arguments arguments(words, allowed, "ARGUMENT");
        (void)arguments;
    } catch (const input_error&) {
    }
}

std::vector<std::string> machine_seeds(const std::string& sources)
{
    auto all = contents(sources + "testbench/machines", ".json");
    all.emplace_back(R"({"architectures": ["sm75"], "sm_count": 2, "clock_ghz": {"value": 1.5, "source": "a"},
"isbe": {"lines": 64, "banks": 8, "skew": false, "bank_map": "xor"}, "isbe.access": "line", "pe.buffers": "unified"})");
    return all;
}
std::vector<std::string> scenario_seeds(const std::string& sources)
{
    return contents(sources + "testbench/scenarios", "scenario.json");
}
std::vector<std::string> coefficient_seeds(const std::string& sources)
{
    auto all = contents(sources + "testbench/report", "coefficients.json");
    all.emplace_back(R"({"description": "a", "energy.bank_read_pj": {"value": 5, "source": "b"},
"area.bits_per_word": 33, "area.cell_bits_passes.8": {"value": 189009, "source": "c"}})");
    return all;
}
std::vector<std::string> expectation_seeds(const std::string& sources)
{
    auto all = contents(sources + "testbench/scenarios", ".csv");
    add_beginnings(all, 400);
    return all;
}
std::vector<std::string> varying_seeds(const std::string& sources)
{
    auto all = contents(sources + "tests/data/varying", ".tgsi");
    add_beginnings(all, 499);
    std::vector<std::string> seeds;
    for (const auto& text : all)
        for (unsigned choice = 0; choice < 32; ++choice) seeds.push_back(static_cast<char>(choice) + text);
    return seeds;
}
std::vector<std::string> command_seeds(const std::string&)
{
    std::vector<std::string> all;
    for (std::size_t i = 0; i < testbench::commands().size(); ++i)
        all.push_back(std::string(1, static_cast<char>(i)) + "--set\nisbe.lines=64\n--config=default");
    return all;
}

std::vector<std::string> machine_words()
{
    std::vector<std::string> words;
    for (const auto& key : testbench::config_keys()) words.emplace_back(key.name);
    return quoted(words);
}
std::vector<std::string> scenario_words()
{
    std::vector<std::string> words;
    for (const auto* text : {"geometry", "vertex", "tess", "mesh", "task", "points", "triangles", "value", "file"})
        words.emplace_back(text);
    return quoted(words);
}
std::vector<std::string> varying_words()
{
    return {"VERT",     "GEOM",     "TESS_CTRL", "TESS_EVAL",       "FRAG",      "DCL",  "OUT[", "IN[", "GENERIC",
            "ARRAY(1)", "CLIPDIST", "POSITION",  "COMPONENT_INDEX", "ADDR[0].x", "MOV ", ".."};
}
std::vector<std::string> command_words()
{
    std::vector<std::string> words;
    for (const auto& command : testbench::commands()) {
        const auto options = command.options();
        for (const auto& option : options.options()) words.push_back("--" + option->long_name());
    }
    return words;
}

} // namespace isbesim::fuzz
