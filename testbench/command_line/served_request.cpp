// SPDX-License-Identifier: Apache-2.0
#include "testbench/command_line/served_request.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <sstream>
#include <string_view>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

#include <boost/json/parse.hpp>

#include "testbench/command_line/command_line.h"
#include "testbench/command_line/commands.h"
#include "testbench/files/files.h"
#include "testbench/files/json_document.h"
#include "testbench/files/json_text.h"
#include "testbench/processes/exit_status.h"
#include "testbench/report/report_figures.h"
#include "testbench/rtl/plugin_block.h"
#include "testbench/scenario/scenario.h"

namespace isbesim::testbench {

namespace json = boost::json;

namespace {

std::string line_of(const json::value& value)
{
    auto text = json_text(value, std::string::npos);
    text.pop_back();
    return text;
}

std::string word_of(const json_document& document, const json::value& value, std::string_view key)
{
    if (value.is_object() || value.is_array() || value.is_null())
        document.fail(value, std::string(key) + " is neither a number, a text nor true or false, expected one of them");
    const auto* text = value.if_string();
    return text != nullptr ? std::string(text->data(), text->size()) : line_of(value);
}

/// A word of `options`. Throws input_error for an option that would have no effect.
std::string option_of(const json_document& document, const json::value& value)
{
    static constexpr const char* refused[] = {"--every", "--out", "--progress", "--quiet"};
    auto word = document.text(value, "a word of options");
    const auto name = word.substr(0, word.find('='));
    if (std::find(std::begin(refused), std::end(refused), name) != std::end(refused))
        document.fail(value, name + " in a request, which has neither a folder of results nor messages; expected "
                                    "'isbesim run', or other options");
    return word;
}

/// "done", or the verdict and its reason from the command's output. The verdict is not repeated.
std::string status_text(int status, const std::string& output, const json::object& report)
{
    if (status == exit_status::done) return "done";
    std::istringstream lines(output);
    std::string text, line;
    while (std::getline(lines, line))
        if (!line.empty() && (text.empty() || status != exit_status::check_failed)) text = line;
    const auto without = [&](const std::string& begin) {
        if (text.rfind(begin, 0) == 0) text.erase(0, begin.size());
    };
    without("isbesim: ");
    if (status == exit_status::internal_error) return text;
    without("error: ");
    std::string verdict = status == exit_status::wrong_input ? "wrong input" : "failed";
    if (const auto* result = report.if_contains("result"))
        if (const auto* word = json_document::find(*result, "status")) verdict = word->as_string();
    without(verdict + ": ");
    return verdict + ": " + text;
}

} // namespace

void read_id(const std::string& line, served_request& request)
{
    boost::system::error_code failure;
    const auto value = json::parse(line, failure);
    if (const auto* id = failure ? nullptr : json_document::find(value, "id")) request.id = *id;
}

void read_request(const std::string& line, served_request& request)
{
    const json_document document("request", line);
    const auto& root = document.root();
    document.only_keys(root, "the request",
                       {"id", "scenario", "trace", "config", "set", "isbe", "timing", "seed", "max_cycles", "draw",
                        "options", "report"});
    const auto* trace = json_document::find(root, "trace");
    request.is_replay = trace != nullptr;
    if (trace != nullptr && json_document::find(root, "scenario") != nullptr)
        document.fail_key(root, "trace", "a trace and a scenario, expected one of them");
    const auto& file = trace != nullptr ? *trace : document.member(root, "scenario", "the request");
    const auto name = document.text(file, trace != nullptr ? "trace" : "scenario");
    request.words = {name};
    if (const auto* whole = json_document::find(root, "report"))
        request.whole_report = document.boolean(*whole, "report");
    if (const auto* config = json_document::find(root, "config"))
        request.words.push_back("--config=" +
                                (config->is_object() ? line_of(*config) : document.text(*config, "config")));
    if (const auto* keys = json_document::find(root, "set"))
        for (const auto& each : document.object(*keys, "set"))
            request.words.push_back("--set=" + std::string(each.key()) + "=" +
                                    word_of(document, each.value(), each.key()));
    for (const std::string key : {"isbe", "timing", "seed", "max_cycles", "draw"})
        if (const auto* value = json_document::find(root, key))
            request.words.push_back((key == "max_cycles" ? "--max-cycles" : "--" + key) + "=" +
                                    word_of(document, *value, key));
    const auto* options = json_document::find(root, "options");
    if (options != nullptr)
        for (const auto& word : document.array(*options, "options")) request.words.push_back(option_of(document, word));
    if (!request.is_replay && options == nullptr && json_document::find(root, "draw") == nullptr)
        request.scenario = scenario_file_of(name);
}

std::string answer_line(const served_request& request, const std::string& status, int exit, json::object report)
{
    json::object answer{{"id", request.id}, {"status", status}, {"exit_status", exit}};
    if (const auto* cycles = report.if_contains("cycles")) answer["cycles"] = *cycles;
    if (request.whole_report) {
        answer["report"] = std::move(report);
    } else if (!report.empty()) {
        answer["figures"] = figures_of(report);
        for (const auto* key : {"window", "profile", "what_if"}) // asked for by options
            if (auto* part = report.if_contains(key)) answer[key] = std::move(*part);
    }
    return line_of(answer) + "\n";
}

std::string run_served(served_request request, scenario* loaded, const std::string& folder)
{
    be_one_of_several();
    const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    dup2(nothing, STDIN_FILENO);        // requests arrive there
    dup2(STDERR_FILENO, STDOUT_FILENO); // answers leave there, and an RTL may print
    request.words.insert(request.words.end(), {"--quiet", "--out=" + folder + "/out"});
    std::ostringstream output, ignored;
    json::object report;
    const auto keep = [&](json::object made) { report = std::move(made); };
    const int status = exit_status_of(
        [&] {
            return request.is_replay ? run_replay(request.words, ignored, output)
                                     : run_for_report(request.words, loaded, output, keep);
        },
        ignored, output);
    if (request.is_replay && status <= exit_status::check_failed) {
        const json_document written(folder, read_file(folder + "/out/report.json", "a report"));
        report = written.root().as_object();
    }
    std::filesystem::remove_all(folder);
    const auto& late = plugin_block::final_failure(); // the report was made before
    const auto text = status == exit_status::check_failed && output.str().empty() && !late.empty()
                          ? "failed: " + late
                          : status_text(status, output.str(), report);
    return std::to_string(status) + answer_line(request, text, status, std::move(report));
}

} // namespace isbesim::testbench
