// SPDX-License-Identifier: Apache-2.0
#include <optional>
#include <sstream>

#include "testbench/analysis/run_analysis.h"
#include "testbench/arguments/cycle_options.h"
#include "testbench/command_line/commands.h"
#include "testbench/command_line/commands_at_once.h"
#include "testbench/command_line/progress_line.h"
#include "testbench/command_line/traffic_job.h"
#include "testbench/load/load_curve.h"
#include "testbench/load/load_page.h"
#include "testbench/processes/exit_status.h"
#include "testbench/report/cycle_stacks.h"
#include "testbench/report/origin.h"
#include "testbench/report/report_figures.h"
#include "testbench/report/report_page.h"
#include "testbench/report/result_folder.h"
#include "testbench/report/run_clock.h"
#include "testbench/report/traffic_report.h"
#include "testbench/rtl/rtl_engine.h"

namespace isbesim::testbench {

namespace json = boost::json;

namespace {

using load_sites = std::vector<std::unique_ptr<load_site>>;

/// Describes the traffic by the options of the command line.
std::string source_of(const std::vector<std::string>& words)
{
    std::string text;
    for (const auto& word : result_words(words)) text += " " + word;
    return "traffic" + text;
}

/// The data for the common part of the report.
traffic_outcome outcome_of(const load_sites& sites, std::uint64_t first)
{
    traffic_outcome outcome;
    for (const auto& site : sites) {
        site->finish();
        outcome.transactions += site->meter().all_operations();
        outcome.stuck = outcome.stuck || !site->finished();
        if (site->comparison() == nullptr) continue;
        outcome.compared = true;
        outcome.totals += site->comparison()->totals();
        if (outcome.mismatch_report.empty()) outcome.mismatch_report = site->comparison()->mismatch_report();
    }
    outcome.stuck = outcome.stuck && outcome.mismatch_report.empty();
    outcome.cycles = sites.back()->meter().end() - first;
    outcome.counters = sites.back()->counters();
    if (sites.size() == 1)
        outcome.stacks = sites.back()->isbe().stacks(); // stacks of a curve include the other points' cycles
    outcome.latency = sites.back()->meter().at_port();
    return outcome;
}

load_sites make_sites(const traffic_job& job, std::size_t count)
{
    load_sites sites;
    try {
        for (std::size_t i = 0; i < count; ++i)
            sites.push_back(
                std::make_unique<load_site>("isbe" + std::to_string(i), *job.backend, job.config, job.profile));
    } catch (const std::invalid_argument& error) {
        throw input_error({"command-line", 1, 1}, error.what());
    }
    return sites;
}

/// `progress` must outlive the run.
void show_progress(progress_line& progress, const load_sites& sites, const load_profile& profile)
{
    if (!progress.shown()) return;
    const auto per_site = profile.warmup + profile.operations;
    for (std::size_t i = 0; i < sites.size(); ++i)
        sites[i]->meter().progress = [&progress, before = i * per_site, all = sites.size() * per_site](auto done) {
            if (progress.due()) progress.show(std::to_string(before + done) + " operations", before + done, all);
        };
}

void write_curve(result_folder& folder, const load_curve& curve, const json::object& report)
{
    std::ostringstream rows;
    write_curve_csv(rows, curve);
    folder.write("curve.csv", rows.str());
    write_reports(folder, make_curve_page(curve, report), report, {curve_chart(curve)});
}

} // namespace

int run_traffic(const std::vector<std::string>& words, std::ostream& out, std::ostream& err)
{
    const traffic_job job(words);
    const run_clock host_time;
    result_folder folder(place_of_results(job.arguments, "traffic"));
    run_analysis analysis(job.arguments, job.config, job.backend->style, true);
    const auto loads = job.curve ? curve_loads(static_cast<unsigned>(job.points)) : std::vector<double>{};
    auto sites = make_sites(job, loads.size() + 1);
    std::optional<progress_line> progress(std::in_place, err, job.arguments);
    show_progress(*progress, sites, job.profile);

    std::optional<load_curve> curve;
    load_figures figures;
    std::string failure;
    try {
        if (loads.empty()) {
            analysis.watch(sites.front()->isbe(), job.config, true);
            sites.front()->run(job.level);
            figures = figures_of(*sites.front(), job.config, job.profile, job.level);
        } else {
            curve = run_curve(sites, job.config, job.profile, loads);
        }
    } catch (const rtl_failure& error) {
        failure = error.what();
    }
    progress.reset();
    analysis.stop();
    const auto begin = sites.size() == 1 ? 0 : sites[sites.size() - 2]->meter().end();
    auto outcome = outcome_of(sites, begin);
    if (!failure.empty()) {
        outcome.mismatch_report = failure;
        outcome.stuck = false;
    }
    traffic_facts facts{"traffic", source_of(words)};
    facts.seed = job.profile.seed;
    facts.origin =
        origin_json({"traffic", result_words(words), facts.source, job.machine, job.config, job.backend->name});
    auto result = verdict_of(facts, outcome);
    const bool failed = result.status != "done";
    if (failed) result.text += outcome.mismatch_report;
    auto report = make_report(job.config, facts, job.backend->name, outcome, nullptr, result, analysis.coefficients(),
                              analysis.series(outcome.cycles));
    report["traffic"] = traffic_json(job.arguments);
    if (curve)
        report["curve"] = curve_json(*curve);
    else if (!failed)
        report["load"] = load_json(*sites.front(), figures, job.level);
    analysis.finish(report, stacks_of_isbe(outcome.stacks));
    report["host"] = host_json(outcome.transactions, host_time.seconds());
    if (curve) {
        write_curve(folder, *curve, report);
    } else {
        auto page = make_traffic_page(report);
        if (!failed) page.verdict = load_text(figures) + page.verdict;
        write_reports(folder, page, report);
    }
    folder.commit();
    if (!job.quiet) {
        if (curve) {
            for (const auto& sentence : curve_sentences(*curve)) out << sentence << "\n";
        } else {
            for (const auto& late : late_cycles(job.arguments, outcome.cycles))
                err << "isbesim: warning: " << late.text << "\n";
            if (!failed) out << load_text(figures);
        }
        if (outcome.compared) out << lockstep_line(outcome.totals) << "\n";
        out << "report:   " << folder.final_file("report.html") << "\n";
    }
    if (!failed) return exit_status::done;
    err << "isbesim: " << result.text << std::endl;
    return exit_status::check_failed;
}

} // namespace isbesim::testbench
