// SPDX-License-Identifier: Apache-2.0
#include <chrono>
#include <cstdlib>
#include <limits>
#include <ostream>
#include <sstream>
#include <string_view>
#include <variant>
#include <vector>

#include <boost/json.hpp>

#include "testbench/command_line/crosscheck_job.h"
#include "testbench/command_line/traffic_play.h"
#include "testbench/files/json_text.h"
#include "testbench/processes/exit_status.h"
#include "testbench/report/origin.h"
#include "testbench/report/report_figures.h"
#include "testbench/report/report_tables.h"
#include "testbench/report/run_clock.h"
#include "testbench/report/traffic_report.h"
#include "testbench/rtl/rtl_store.h"
#include "testbench/version.h"
#include "tlm/count_text.h"

namespace isbesim::testbench {

namespace json = boost::json;

namespace {

constexpr std::uint64_t seeds_per_round = 1'000; ///< of the plan; more than any phase has histories

constexpr const char* covers =
    "Runs of random traffic that differ in their seed. transactions (by opcode) and cycles are sums over the runs, "
    "coverage has what all of them hit together. A run that left no report (result none) has no part in any of them.";
constexpr const char* phases_cover =
    "The runs of the plan (isbesim crosscheck --phase list): each phase with its seeds, on this machine or on a named "
    "configuration. crosscheck and coverage are theirs together, coverage without other machines. All other figures "
    "are those of the phase random alone.";

std::vector<planned_run> runs_of_seeds(const crosscheck_job& job)
{
    if (job.seed > std::numeric_limits<std::uint64_t>::max() - (*job.runs - 1))
        job.arguments.fail("seed",
                           " is " + std::to_string(job.seed) + ", expected that so many runs have seeds from there on");
    refuse_one_file(job.arguments, "many runs", "one of them: --seed S without --runs", {"cycles"});
    std::vector<planned_run> runs;
    for (std::uint64_t i = 0; i < *job.runs; ++i) runs.push_back({job.seed + i, {}, {}});
    return runs;
}

/// True if the plan also runs on other machines: the command names none, and no plug-in, which has one machine, is set.
bool has_other_machines(const command_arguments& arguments)
{
    const char* const block = std::getenv("ISBESIM_RTL_BLOCK");
    const std::string_view file = block == nullptr ? "" : block;
    const bool plugin = file.size() > 3 && file.substr(file.size() - 3) == ".so";
    return !plugin && !arguments.has("config") && !arguments.has("set") && !arguments.has("rtl");
}

/// The runs of the plan: on the command's machine, or with `others` on the named configurations.
std::vector<planned_run> runs_of_plan(std::uint64_t seed, bool others)
{
    std::vector<planned_run> runs;
    if (others) {
        for (const auto* const phase : phases_of_configurations())
            for (const auto* const name : crosschecked_configurations()) runs.push_back({seed, phase, name});
        return runs;
    }
    for (const auto& each : phases())
        for (unsigned i = 0; i < each.histories; ++i) runs.push_back({seed + i, each.name, {}});
    return runs;
}

lockstep_totals totals_of(const json::object& crosscheck)
{
    lockstep_totals totals;
    for (const auto& f : lockstep_statistics())
        if (const auto* const found = crosscheck.if_contains(f.path))
            *std::get<std::uint64_t*>(f.counter(totals, 0)) = found->to_number<std::uint64_t>();
    return totals;
}

} // namespace

json::object crosscheck_job::origin() const
{
    return origin_json({"crosscheck", result_words(words), "random traffic", programs, config, isbe});
}

int run_seeds(const crosscheck_job& job, coverage& bins, std::ostream& out, std::ostream& err)
{
    const auto seeds = runs_of_seeds(job);
    crosscheck_runs runs(job, bins, err);
    out.flush();
    const int worst = runs.run(seeds, err, true);
    std::string table = "seed,status,result,transactions,cycles\n";
    for (const auto& row : runs.rows) {
        const auto text = [&row](const char* key) { return cell_text(row.at(key)); };
        table += text("seed") + "," + text("status") + "," + text("result") + "," + text("transactions") + "," +
                 text("cycles") + "\n";
    }
    runs.folder.write("seeds.csv", table);
    runs.folder.write("report.json", json_text(json::object{{"tool", json::object{{"version", version_text}}},
                                                            {"of", job.origin()},
                                                            {"covers", covers},
                                                            {"transactions", runs.transactions},
                                                            {"cycles", runs.cycles},
                                                            {"failed_runs", runs.failed},
                                                            {"coverage", coverage_json(bins)},
                                                            {"runs", runs.rows}}));
    runs.folder.commit();
    if (!job.arguments.has("quiet")) {
        out << "crosscheck: " << count_text(seeds.size(), "run") << " with seeds " << seeds.front().seed << " to "
            << seeds.back().seed << ", " << count_text(runs.operations, "transaction") << ", "
            << count_text(runs.failed, "run") << " failed\n";
        if (runs.failed == 0) print_coverage(bins, out);
        out << "runs:     " << runs.folder.final_file("seeds.csv")
            << "\nreport:   " << runs.folder.final_file("report.json") << "\n";
    }
    return worst == exit_status::done && misses_required(job.arguments, bins, err) ? exit_status::check_failed : worst;
}

int run_plan(const crosscheck_job& job, coverage& bins, std::ostream& out, std::ostream& err)
{
    const run_clock host_time;
    const auto begin = std::chrono::steady_clock::now();
    if (job.isbe != "at") { // builds the plug-in once, before all runs need it
        try {
            rtl_plugin_of(job.config.isbe);
        } catch (const std::invalid_argument& error) {
            throw input_error({"command-line", 1, 1}, error.what());
        }
    }
    crosscheck_runs runs(job, bins, err);
    out.flush();
    int worst = exit_status::done;
    std::ostringstream notes;
    deadline until; // none in the first round
    for (std::uint64_t round = 0; worst == exit_status::done; ++round) {
        const auto seed = job.seed + round * seeds_per_round;
        worst = runs.run(runs_of_plan(seed, false), err, false, until);
        if (worst == exit_status::done && has_other_machines(job.arguments)) {
            std::ostringstream output;
            const int other = runs.run(runs_of_plan(seed, true), output, false, until);
            // Without a block for another machine its runs are refused, which is not a failure of this one.
            const bool failed = other != exit_status::done && other != exit_status::wrong_input;
            (failed ? err : notes) << output.str();
            if (failed) worst = other;
        }
        until = begin + std::chrono::seconds(job.seconds.value_or(0));
        if (std::chrono::steady_clock::now() >= *until) break;
    }
    const auto shown = worst == exit_status::done ? runs_of_plan(job.seed, false).front() : *runs.last_failed();
    if (worst == exit_status::done || worst == exit_status::check_failed) {
        auto report = runs.report_of(shown);
        report["of"] = job.origin();
        report["covers"].as_object()["phases"] = phases_cover;
        if (!runs.crosscheck.empty()) report["crosscheck"] = runs.crosscheck;
        report["coverage"] = coverage_json(bins);
        report["phases"] = runs.rows;
        report["host"] = host_json(runs.operations, host_time.seconds());
        runs.folder.write("report.json", json_text(report));
        runs.folder.commit();
    }
    if (!job.arguments.has("quiet") && worst <= exit_status::check_failed) {
        out << "crosscheck on " << job.isbe << ": " << count_text(runs.operations, "transaction") << ", "
            << count_text(runs.cycles, "cycle") << ", " << count_text(runs.rows.size(), "run") << "\n";
        if (!runs.crosscheck.empty()) print_totals(totals_of(runs.crosscheck), out);
        if (worst == exit_status::done) print_coverage(bins, out, true);
        if (!notes.str().empty()) out << "not run: " << notes.str();
        out << "report:   " << runs.folder.final_file("report.json") << "\n";
    }
    if (worst != exit_status::done) err << "again: " << runs.command_of(shown) << std::endl;
    return worst == exit_status::done && misses_required(job.arguments, bins, err) ? exit_status::check_failed : worst;
}

} // namespace isbesim::testbench
