// SPDX-License-Identifier: Apache-2.0
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <map>
#include <optional>
#include <ostream>
#include <stdexcept>

#include <unistd.h>

#include "testbench/arguments/command_arguments.h"
#include "testbench/command_line/commands.h"
#include "testbench/command_line/served_request.h"
#include "testbench/figures/figures.h"
#include "testbench/files/files.h"
#include "testbench/processes/exit_status.h"
#include "testbench/processes/interruption.h"
#include "testbench/processes/process_pool.h"
#include "testbench/scenario/scenario.h"

namespace isbesim::testbench {

namespace po = boost::program_options;

namespace {

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
        // The first byte is the exit status (run_served()).
        out << (end.whole ? end.bytes.substr(1) : answer_line(request, end.bytes, exit_status::internal_error, {}))
            << std::flush;
        if (end.whole && end.bytes.front() - '0' <= exit_status::check_failed) scenarios.keep(request.scenario);
    };
    while (!lines.ended() || pool.size() > 0) {
        while (pool.size() < jobs && lines.has_line())
            if (const auto line = lines.next(); line.find_first_not_of(" \t\r") != std::string::npos) begin(line);
        const bool reads = pool.size() < jobs && !lines.ended();
        if (!reads && pool.size() == 0) continue;
        if (pool.wait(ended, {}, reads ? STDIN_FILENO : -1)) lines.read_some();
    }
    return exit_status::done;
}

} // namespace isbesim::testbench
