// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <map>
#include <optional>
#include <ostream>
#include <sstream>
#include <stdexcept>
#include <string_view>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

#include <boost/json/parse.hpp>

#include "testbench/arguments/command_arguments.h"
#include "testbench/command_line/command_line.h"
#include "testbench/command_line/commands.h"
#include "testbench/command_line/commands_at_once.h"
#include "testbench/figures/figures.h"
#include "testbench/files/files.h"
#include "testbench/files/json_document.h"
#include "testbench/files/json_text.h"
#include "testbench/processes/exit_status.h"
#include "testbench/processes/interruption.h"
#include "testbench/processes/process_pool.h"
#include "testbench/report/report_figures.h"
#include "testbench/rtl/plugin_block.h"
#include "testbench/scenario/scenario.h"

namespace isbesim::testbench {

namespace po = boost::program_options;
namespace json = boost::json;

namespace {

/// One line of the input, as the command line of `isbesim run` or `replay`.
struct served_request {
    json::value id;
    std::string scenario; ///< scenario that may be kept for later requests; may be empty
    bool is_replay = false;
    bool whole_report = false;
    command_words words;
};

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

void read_id(const std::string& line, served_request& request)
{
    boost::system::error_code failure;
    const auto value = json::parse(line, failure);
    if (const auto* id = failure ? nullptr : json_document::find(value, "id")) request.id = *id;
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

/// Throws input_error.
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

/// Scenarios of successful runs, kept until their files change.
class kept_scenarios {
public:
    scenario* find(const std::string& file)
    {
        const auto found = kept_.find(file);
        if (found == kept_.end()) return nullptr;
        if (found->second.files.are_as_before()) return &*found->second.loaded;
        kept_.erase(found);
        return nullptr;
    }
    /// To be called only after another process has read the file, because a crash would end this program.
    void keep(const std::string& file)
    {
        if (file.empty() || kept_.count(file) != 0) return;
        if (kept_.size() == most) kept_.clear();
        auto& kept = kept_[file];
        try {
            kept.loaded = load_scenario(file);
        } catch (const std::exception&) { // the file has changed since; the next run reports the error
            kept_.erase(file);
        }
    }

private:
    static constexpr std::size_t most = 16;
    struct entry {
        files_read files; // constructed before the scenario is read
        std::optional<scenario> loaded;
    };
    std::map<std::string, entry> kept_;
};

/// A folder for files that runs need temporarily.
class scratch_folder {
public:
    scratch_folder() : path_(make()), removed_by_signals_(path_, unfinished::kind::folder) {}
    ~scratch_folder()
    {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    scratch_folder(const scratch_folder&) = delete;
    scratch_folder& operator=(const scratch_folder&) = delete;

    const std::string& path() const { return path_; }

private:
    static std::string make()
    {
        auto name = (std::filesystem::temp_directory_path() / "isbesim.serve.XXXXXX").string();
        if (mkdtemp(name.data()) == nullptr)
            throw std::runtime_error("no folder in " + name + " (" + std::strerror(errno) + ")");
        return name;
    }

    std::string path_;
    unfinished removed_by_signals_;
};

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

/// The answer's line. The report is last.
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

/// Runs in a separate process. Returns the exit status as a digit, and the answer.
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

/// Standard input by lines, read when poll() reports bytes.
class input_lines {
public:
    bool ended() const { return ended_ && text_.empty(); }
    bool has_line() const { return !text_.empty() && (ended_ || text_.find('\n') != std::string::npos); }
    std::string next()
    {
        const auto end = text_.find('\n');
        auto line = text_.substr(0, end);
        text_.erase(0, end == std::string::npos ? end : end + 1);
        return line;
    }
    void read_some()
    {
        char block[1U << 16];
        const auto got = read(STDIN_FILENO, block, sizeof block);
        if (got > 0) text_.append(block, static_cast<std::size_t>(got));
        if (got == 0 || (got < 0 && errno != EINTR)) ended_ = true;
    }

private:
    std::string text_;
    bool ended_ = false;
};

} // namespace

po::options_description serve_options()
{
    po::options_description options("Options");
    options.add_options()("jobs", po::value<unsigned>()->value_name("N"), "runs at a time; default: one per core");
    return options;
}

int run_serve(const std::vector<std::string>& words, std::ostream& out, std::ostream&)
{
    const command_arguments arguments(words, serve_options(), "ARGUMENT");
    if (arguments.has("ARGUMENT"))
        throw input_error({"command-line", 1, 2}, "serve takes no file, expected requests on standard input");
    const auto jobs = jobs_of(arguments);
    figures(); // makes the table here, not in the process of each run
    const scratch_folder scratch;
    kept_scenarios scenarios;
    std::map<std::size_t, served_request> running;
    input_lines lines;
    process_pool pool;
    std::size_t begun = 0;
    const auto begin = [&](const std::string& line) {
        served_request request;
        try {
            read_id(line, request);
            read_request(line, request);
        } catch (const input_error& error) {
            out << answer_line(request, std::string("wrong input: ") + error.what(), exit_status::wrong_input, {})
                << std::flush;
            return;
        }
        const auto folder = scratch.path() + "/" + std::to_string(begun);
        auto* loaded = scenarios.find(request.scenario);
        try {
            pool.begin(begun, [&] { return run_served(request, loaded, folder); });
            running.emplace(begun++, std::move(request));
        } catch (const std::runtime_error& error) { // no process available; later requests may get one
            out << answer_line(request, error.what(), exit_status::internal_error, {}) << std::flush;
        }
    };
    const auto ended = [&](std::size_t i, const work_end& end) {
        const auto request = running.extract(i).mapped();
        out << (end.whole ? end.bytes.substr(1) : answer_line(request, end.bytes, exit_status::internal_error, {}))
            << std::flush;
        if (end.whole && end.bytes.front() - '0' <= exit_status::check_failed) scenarios.keep(request.scenario);
    };
    while (!lines.ended() || pool.size() > 0) {
        while (pool.size() < jobs && lines.has_line())
            if (const auto line = lines.next(); line.find_first_not_of(" \t\r") != std::string::npos) begin(line);
        const bool hungry = pool.size() < jobs && !lines.ended();
        if (!hungry && pool.size() == 0) continue;
        if (pool.wait(ended, {}, hungry ? STDIN_FILENO : -1)) lines.read_some();
    }
    return exit_status::done;
}

} // namespace isbesim::testbench
