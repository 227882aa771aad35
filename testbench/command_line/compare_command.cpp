// SPDX-License-Identifier: Apache-2.0
// isbesim compare: results of the same draw side by side.
#include <algorithm>
#include <filesystem>
#include <optional>
#include <ostream>
#include <sstream>

#include "testbench/arguments/command_arguments.h"
#include "testbench/command_line/commands.h"
#include "testbench/command_line/commands_at_once.h"
#include "testbench/command_line/machine_options.h"
#include "testbench/compare/comparison.h"
#include "testbench/compare/comparison_page.h"
#include "testbench/files/json_text.h"
#include "testbench/processes/exit_status.h"
#include "testbench/report/origin.h"
#include "testbench/report/result_folder.h"

namespace isbesim::testbench {

namespace po = boost::program_options;
namespace json = boost::json;
namespace fs = std::filesystem;

namespace {

constexpr std::size_t most_results = 26; ///< A to Z

std::vector<compared_result> read_results(const command_arguments& arguments)
{
    const auto paths =
        arguments.has("RESULT") ? arguments.get<std::vector<std::string>>("RESULT") : std::vector<std::string>();
    if (paths.size() < 2)
        throw input_error(arguments.place_of_positional(),
                          (paths.empty() ? "no results" : "one result") +
                              std::string(" to compare, expected two folders of results or more"));
    std::vector<compared_result> results;
    for (const auto& path : paths) {
        const std::string name(1, static_cast<char>('A' + results.size()));
        const auto place = arguments.place_of_positional(results.size());
        results.push_back(read_result(name, path, place));
        const auto& first = results.front();
        if (const auto text = different_work(first.report, results.back().report); !text.empty())
            throw input_error(place, "'" + path + "' is of another draw than '" + first.path + "': they differ in " +
                                         text + ", expected results of the same draw");
    }
    return results;
}

/// Refuses a folder around one of the compared results for the page.
void refuse_inputs_folder(const command_arguments& arguments, const fs::path& folder,
                          const std::vector<compared_result>& results)
{
    for (const auto& each : results) {
        const auto path = fs::weakly_canonical(fs::absolute(each.path));
        const auto [rest, unused] = std::mismatch(folder.begin(), folder.end(), path.begin(), path.end());
        if (rest == folder.end())
            throw input_error(arguments.place_of("--out"), "the folder for the page, '" + folder.filename().string() +
                                                               "', holds the result '" + each.path +
                                                               "', expected another: --out DIR");
    }
}

/// Puts `limit` into the comparison. Returns whether one of the results exceeds it.
bool apply(const cycle_limit& limit, const std::vector<compared_result>& results, json::object& comparison)
{
    json::array exceeded;
    std::string names;
    const auto& first = results.front();
    for (const auto& each : results) {
        if (!limit.is_exceeded(first.cycles(), each.cycles())) continue;
        exceeded.emplace_back(each.name);
        names += (names.empty() ? "" : ", ") + each.label();
    }
    const auto above = " more than " + number_text(limit.value()) + " % above " + first.label() + " (--fail-above).";
    const bool failed = !exceeded.empty();
    comparison["limit"] = {
        {"percent", limit.value()},
        {"exceeded", std::move(exceeded)},
        {"text", failed
                     ? "Failed: " + names + (names.size() > 1 && names.find(',') != names.npos ? " are" : " is") + above
                     : "No result is" + above}};
    return failed;
}

/// Values of the command's own options.
struct compare_choices {
    std::string fail_above;
    bool quiet = false;

    po::options_description options()
    {
        po::options_description options("Options");
        auto add = options.add_options();
        add("fail-above", bound(fail_above, "PERCENT"),
            "exit status 1 where a result takes more cycles than the first one, by more than so many percent: 2%, "
            "0.5%");
        add_out_option(options, "compare.html and compare.json");
        add("quiet", bound(quiet), "no summary on the terminal");
        return options;
    }
};

} // namespace

po::options_description compare_options()
{
    return lasting_options<compare_choices>();
}

int run_compare(const std::vector<std::string>& words, std::ostream& out, std::ostream& err)
{
    compare_choices choices;
    const command_arguments arguments(words, choices.options(), "RESULT", most_results);
    std::optional<cycle_limit> limit;
    if (!choices.fail_above.empty()) limit = read_cycle_limit(choices.fail_above, arguments.place_of("--fail-above"));
    const auto results = read_results(arguments);
    result_folder folder(place_of_results(arguments, "compare"));
    refuse_inputs_folder(arguments, fs::path(folder.final_file("compare.json")).parent_path(), results);
    auto comparison = compare_results(results);
    comparison["of"] = call_json("compare", result_words(words));
    const bool failed = limit && apply(*limit, results, comparison);
    std::ostringstream html;
    write_comparison_html(html, comparison, results);
    folder.write("compare.json", json_text(comparison));
    folder.write("compare.html", html.str());
    folder.commit();
    if (!choices.quiet) {
        constexpr std::size_t most_rows = 8;
        write_summary(out, make_comparison_page(comparison, most_rows), true);
        out << "\npage:     " << folder.final_file("compare.html") << "\n";
    }
    if (!failed) return exit_status::done;
    err << "isbesim: " << comparison.at("limit").at("text").as_string().c_str() << std::endl;
    return exit_status::check_failed;
}

} // namespace isbesim::testbench
