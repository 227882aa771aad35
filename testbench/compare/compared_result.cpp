// SPDX-License-Identifier: Apache-2.0
#include "testbench/compare/compared_result.h"

#include <algorithm>
#include <filesystem>
#include <limits>

#include "testbench/files/json_document.h"
#include "testbench/report/report_figures.h"
#include "testbench/system/config.h"
#include "testbench/version.h"

namespace isbesim::testbench {

namespace json = boost::json;

namespace {

constexpr const char* again = ": run it again";
constexpr integer_range any_count{0, std::uint64_t{1} << 60}; // so that sums and differences fit 64 bits

/// Checks a report; each error has its place.
class report_check {
public:
    explicit report_check(const json_document& document) : document_(document) {}

    void all(const json::value& report) const
    {
        for (const auto& [key, text] : {std::pair{"draws", "the draws of a capture, expected one of them: the folder "
                                                           "draws/NNNN of this one"},
                                        std::pair{"curve", "a curve of many loads, expected the result of one run"},
                                        std::pair{"runs", "many runs of the cross-check, expected one of them: the "
                                                          "folder seeds/S of this one"}})
            if (const auto* many = json_document::find(report, key)) document_.fail(*many, text);
        version(member(report, "tool"));
        ended(member(report, "result"));
        document_.integer(member(report, "cycles"), "cycles", any_count);
        document_.text(member(report, "backend"), "backend");
        if (const auto* timing = json_document::find(report, "timing")) document_.text(*timing, "timing");
        if (const auto* known = json_document::find(report, "estimate")) {
            document_.object(*known, "estimate");
            if (const auto* error = json_document::find(*known, "error"))
                document_.real(*error, "the error", 0, std::numeric_limits<double>::max());
        }
        if (const auto* call = json_document::find(report, "of")) origin(*call);
        config(member(report, "config"));
        work(report);
        if (const auto* stacks = json_document::find(report, "stacks"))
            for (const auto& entry : document_.object(*stacks, "stacks")) {
                document_.integer(member(entry.value(), "cycles"), "cycles", any_count);
                counts(member(entry.value(), "parts"));
            }
        if (const auto* path = json_document::find(report, "critical_path")) {
            document_.integer(member(*path, "cycles"), "cycles", any_count);
            counts(member(*path, "parts"));
            counts(member(*path, "counts"));
        }
        if (const auto* lines = json_document::find(report, "profile")) profile(*lines);
    }

private:
    void profile(const json::value& profile) const
    {
        for (const auto& [stage, lines] : document_.object(profile, "profile"))
            for (const auto& line : document_.array(lines, "a stage")) {
                for (const auto* key : {"pc", "issues", "stall_count", "scoreboard", "issue_slot"})
                    document_.integer(member(line, key), key, any_count);
                // Results that lack it have these cycles in `issue_slot`.
                if (const auto* pipe = json_document::find(line, "pipe")) document_.integer(*pipe, "pipe", any_count);
            }
    }
    const json::value& member(const json::value& object, const char* key) const
    {
        if (const auto* found = json_document::find(object, key)) return *found;
        document_.fail(object,
                       std::string("no '") + key + "' here, expected what isbesim " + version_text + " writes" + again);
    }
    void origin(const json::value& call) const
    {
        for (const auto* key : {"machine", "isbe", "timing", "version", "date"}) document_.text(member(call, key), key);
        document_.object(member(call, "changed"), "changed");
        for (const auto& word : document_.array(member(call, "command"), "command")) document_.text(word, "a word");
    }
    void counts(const json::value& parts) const
    {
        for (const auto& entry : document_.object(parts, "the parts"))
            document_.integer(entry.value(), "a number of cycles", any_count);
    }
    void version(const json::value& tool) const
    {
        const auto& version = member(tool, "version");
        const auto text = document_.text(version, "the version");
        if (text != version_text)
            document_.fail(version, "a result of isbesim " + text + ", expected one of " + version_text + again);
        document_.integer(member(tool, "seed"), "the seed", 0, std::numeric_limits<std::uint64_t>::max());
    }
    /// Refuses a run that did not end, because its cycles mean nothing.
    void ended(const json::value& result) const
    {
        const auto& status = member(result, "status");
        const auto word = document_.text(status, "the status");
        static constexpr std::string_view ends[] = {"done", "mismatch", "trap", "warning"};
        if (std::find(std::begin(ends), std::end(ends), word) == std::end(ends))
            document_.fail(status, "the run ended with '" + word + "', expected one that came to its end");
    }
    void config(const json::value& config) const
    {
        std::size_t leaves = 0;
        count_leaves(config, leaves);
        for (const auto& key : config_keys()) {
            if (const auto* object = config.if_object(); object != nullptr && value_at(*object, key.name) != nullptr)
                continue;
            document_.fail(config, std::string("no key ") + key.name + ", expected every key that isbesim " +
                                       version_text + " has" + again);
        }
        if (leaves != config_keys().size())
            document_.fail(config, "keys that isbesim " + std::string(version_text) +
                                       " does not have, expected a result of this version" + again);
    }
    /// Checks the identity of the draw, or of the traffic.
    void work(const json::value& report) const
    {
        if (const auto* draw = json_document::find(report, "draw"))
            document_.object(*draw, "draw");
        else if (json_document::find(report, "transactions") == nullptr)
            document_.fail(report, std::string("no 'draw', which identifies the draw, expected what isbesim ") +
                                       version_text + " writes" + again);
    }
    static void count_leaves(const json::value& value, std::size_t& count)
    {
        if (!value.is_object()) ++count;
        if (value.is_object())
            for (const auto& entry : value.get_object()) count_leaves(entry.value(), count);
    }

    const json_document& document_;
};

} // namespace

compared_result read_result(const std::string& name, const std::string& path, const source_place& asked_at)
{
    namespace fs = std::filesystem;
    std::error_code ignored;
    const auto file = fs::is_directory(path, ignored) ? path + "/report.json" : path;
    if (!fs::exists(file, ignored))
        throw input_error(asked_at, "'" + path + "' " + (file == path ? "does not exist" : "holds no report.json") +
                                        ", expected a folder of results or a file of a sweep's points/");
    const auto document = json_document::load(file, "a report");
    document.object(document.root(), "a result");
    const auto* point_report = json_document::find(document.root(), "report");
    const auto& report = point_report == nullptr ? document.root() : *point_report;
    report_check(document).all(report);
    return {name, path, report.get_object()};
}

} // namespace isbesim::testbench
