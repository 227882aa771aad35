// SPDX-License-Identifier: Apache-2.0
#include "testbench/command_line/crosscheck_runs.h"

#include <algorithm>
#include <limits>
#include <ostream>
#include <sstream>

#include <boost/json.hpp>

#include "testbench/arguments/command_arguments.h"
#include "testbench/command_line/commands_at_once.h"
#include "testbench/command_line/coverage_summary.h"
#include "testbench/command_line/progress_line.h"
#include "testbench/files/files.h"
#include "testbench/files/json_text.h"
#include "testbench/processes/exit_status.h"
#include "testbench/report/result_folder.h"
#include "testbench/report/traffic_report.h"
#include "testbench/version.h"

namespace isbesim::testbench {

namespace json = boost::json;
namespace po = boost::program_options;

namespace {

constexpr std::uint64_t most_runs = 1'000'000;

constexpr const char* covers =
    "Runs of random traffic that differ in their seed. transactions (by opcode) and cycles are sums over the runs, "
    "coverage has what all of them hit together. A run that left no report (result none) has no part in any of them.";

struct seed_range {
    std::uint64_t first = 0, count = 0;
};

seed_range seeds_of(const command_arguments& arguments)
{
    const seed_range seeds{arguments.get<std::uint64_t>("seed"), arguments.get<std::uint64_t>("runs")};
    if (seeds.count == 0 || seeds.count > most_runs)
        throw input_error(arguments.place_of("--runs"),
                          "--runs is " + std::to_string(seeds.count) + ", expected 1 to " + std::to_string(most_runs));
    if (seeds.first > std::numeric_limits<std::uint64_t>::max() - seeds.count)
        throw input_error(arguments.place_of("--seed"), "--seed is " + std::to_string(seeds.first) +
                                                            ", expected that so many runs have seeds from there on");
    refuse_one_file(arguments, "many runs", "one of them: --seed S without --runs", {"cycles"});
    return seeds;
}

std::string folder_of(std::uint64_t seed)
{
    return "seeds/" + std::to_string(seed);
}

std::vector<command_words> commands_of(const seed_range& seeds, const command_words& words, const result_folder& folder)
{
    const auto kept = without_options(words, {"--runs", "--jobs", "--seed", "--out"},
                                      {"--quiet", "--progress", "--require-coverage", "--require-conditions"});
    std::vector<command_words> commands;
    commands.reserve(seeds.count);
    for (std::uint64_t i = 0; i < seeds.count; ++i) {
        const auto seed = seeds.first + i;
        commands.push_back(
            quiet_command("crosscheck", kept, {"--seed", std::to_string(seed)}, folder.file(folder_of(seed))));
    }
    return commands;
}

/// Sums over all runs.
struct sums {
    json::object transactions; // by opcode
    std::uint64_t operations = 0, cycles = 0;
    json::array runs;
    std::ostringstream table;
};

/// `report` is empty if the run has left none.
void add(sums& all, coverage& bins, std::uint64_t seed, int status, const json::object& report)
{
    std::uint64_t operations = 0, cycles = 0;
    std::string result = "none";
    if (!report.empty()) {
        for (const auto& [opcode, count] : report.at("transactions").as_object()) {
            const auto own = count.to_number<std::uint64_t>();
            operations += own;
            auto& sum = all.transactions[opcode];
            sum = own + (sum.is_null() ? 0 : sum.to_number<std::uint64_t>());
        }
        cycles = report.at("cycles").to_number<std::uint64_t>();
        result = report.at("result").at("status").as_string().c_str();
        const auto& own = report.at("coverage");
        for (const auto* hits : {&own.at("hits"), &own.at("conditions").at("hits")})
            for (const auto& [name, count] : hits->as_object()) bins.add_hits(name, count.to_number<std::uint64_t>());
    }
    all.operations += operations;
    all.cycles += cycles;
    all.runs.push_back(json::object{{"seed", seed},
                                    {"status", status},
                                    {"result", result},
                                    {"transactions", operations},
                                    {"cycles", cycles},
                                    {"folder", folder_of(seed)}});
    all.table << seed << "," << status << "," << result << "," << operations << "," << cycles << "\n";
}

} // namespace

void add_run_options(po::options_description& options)
{
    auto add = options.add_options();
    add("runs", po::value<std::uint64_t>()->value_name("N"),
        "N runs with the seeds S, S + 1, ...: results of each in DIR/seeds, coverage of all together");
    add("jobs", po::value<unsigned>()->value_name("N"), "of --runs at a time; default: one per core");
}

int run_seeds(const command_arguments& arguments, const std::vector<std::string>& words, coverage& bins,
              std::ostream& out, std::ostream& err)
{
    const auto seeds = seeds_of(arguments);
    const auto jobs = jobs_of(arguments);
    result_folder folder(arguments.get<std::string>("out"), arguments.place_of("--out"));
    out.flush();
    std::vector<int> statuses;
    {
        progress_line progress(err, arguments);
        statuses = run_commands(commands_of(seeds, words, folder), jobs, err, [&](std::size_t done) {
            if (progress.due())
                progress.show(std::to_string(done) + " of " + std::to_string(seeds.count) + " runs", done, seeds.count);
        });
    }
    sums all;
    all.table << "seed,status,result,transactions,cycles\n";
    for (std::uint64_t i = 0; i < seeds.count; ++i) {
        const auto seed = seeds.first + i;
        // Wrong input and internal errors leave no report.
        const bool whole = statuses[i] == exit_status::done || statuses[i] == exit_status::check_failed;
        const auto report =
            whole ? json::parse(read_file(folder.file(folder_of(seed) + "/report.json"), "a report")).as_object()
                  : json::object();
        add(all, bins, seed, statuses[i], report);
    }
    folder.write("seeds.csv", all.table.str());
    const auto failed = std::count_if(statuses.begin(), statuses.end(), [](int status) { return status != 0; });
    folder.write("report.json", json_text(json::object{{"tool", json::object{{"version", version_text}}},
                                                       {"covers", covers},
                                                       {"transactions", std::move(all.transactions)},
                                                       {"cycles", all.cycles},
                                                       {"failed_runs", failed},
                                                       {"coverage", coverage_json(bins)},
                                                       {"runs", std::move(all.runs)}}));
    folder.commit();
    if (!arguments.has("quiet")) {
        out << "crosscheck: " << seeds.count << " runs with seeds " << seeds.first << " to "
            << seeds.first + seeds.count - 1 << ", " << all.operations << " transactions, " << failed
            << " runs failed\n";
        print_coverage(bins, out);
        out << "runs:     " << folder.final_file("seeds.csv") << "\nreport:   " << folder.final_file("report.json")
            << "\n";
    }
    const int worst = *std::max_element(statuses.begin(), statuses.end());
    return worst == exit_status::done && misses_required(arguments, bins, err) ? exit_status::check_failed : worst;
}

} // namespace isbesim::testbench
