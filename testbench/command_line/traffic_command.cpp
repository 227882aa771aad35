// SPDX-License-Identifier: Apache-2.0
#include <optional>
#include <sstream>

#include "testbench/analysis/run_analysis.h"
#include "testbench/arguments/command_arguments.h"
#include "testbench/command_line/commands.h"
#include "testbench/command_line/machine_options.h"
#include "testbench/command_line/progress_line.h"
#include "testbench/command_line/traffic_options.h"
#include "testbench/files/json_text.h"
#include "testbench/load/load_curve.h"
#include "testbench/load/load_page.h"
#include "testbench/processes/exit_status.h"
#include "testbench/report/cycle_stacks.h"
#include "testbench/report/report_figures.h"
#include "testbench/report/report_page.h"
#include "testbench/report/report_tables.h"
#include "testbench/report/result_folder.h"
#include "testbench/report/run_clock.h"
#include "testbench/report/traffic_report.h"
#include "testbench/rtl/rtl_engine.h"

namespace isbesim::testbench {

namespace po = boost::program_options;
namespace json = boost::json;

namespace {

constexpr unsigned most_points = 200;

using load_sites = std::vector<std::unique_ptr<load_site>>;

/// The request of the command line.
struct load_request {
    machine_config config;
    const isbe_backend* backend = nullptr;
    load_profile profile;
    load_level level;
    unsigned points = 0; ///< of a curve; 0: one level
};

load_request read_load_request(const command_arguments& arguments)
{
    if (arguments.has("ARGUMENT"))
        throw input_error({"command-line", 1, 2}, "traffic takes no file, expected options only");
    load_request request;
    read_machine(arguments, request.config);
    const auto& name = arguments.get<std::string>("isbe");
    request.backend = find_isbe_backend(name);
    if (request.backend == nullptr || request.backend->style == warp_initiator::style::loosely_timed)
        throw input_error(arguments.place_of("--isbe"), "--isbe " + name +
                                                            " has no queues to load, expected at, rtl "
                                                            "or lockstep");
    request.profile = read_load_profile(arguments, request.config.isbe.ports);
    request.level = read_load_level(arguments, request.config.isbe.ports);
    if (!arguments.has("curve")) return request;
    const auto points = arguments.get<std::uint64_t>("points");
    if (points < 2 || points > most_points)
        throw input_error(arguments.place_of("--points"),
                          "--points is " + std::to_string(points) + ", expected 2 to " + std::to_string(most_points));
    request.points = static_cast<unsigned>(points);
    for (const auto* option : {"database", "timeline"})
        if (arguments.has(option))
            throw input_error(arguments.place_of("--" + std::string(option)),
                              "--" + std::string(option) + " with --curve, expected it with one load");
    return request;
}

/// Describes the traffic by the options of the command line.
std::string source_of(const std::vector<std::string>& words)
{
    std::string text;
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (words[i] == "--out")
            ++i;
        else if (words[i].rfind("--out=", 0) != 0 && words[i] != "--quiet" && words[i] != "--progress")
            text += (text.empty() ? "" : " ") + words[i];
    }
    return "traffic " + text;
}

/// The data for the common part of the report.
traffic_outcome outcome_of(const load_sites& sites, std::uint64_t from)
{
    traffic_outcome outcome;
    for (const auto& site : sites) {
        site->finish();
        outcome.transactions += site->meter().all_operations();
        outcome.stuck = outcome.stuck || !site->finished();
        if (site->comparison() == nullptr) continue;
        outcome.compared = true;
        const auto& totals = site->comparison()->totals();
        outcome.totals.transactions += totals.transactions;
        outcome.totals.data_mismatches += totals.data_mismatches;
        outcome.totals.cycle_mismatches += totals.cycle_mismatches;
        if (outcome.mismatch_report.empty()) outcome.mismatch_report = site->comparison()->mismatch_report();
    }
    outcome.stuck = outcome.stuck && outcome.mismatch_report.empty();
    outcome.cycles = sites.back()->meter().end() - from;
    outcome.counters = sites.back()->counters();
    if (sites.size() == 1)
        outcome.stacks = sites.back()->isbe().stacks(); // stacks of a curve include the other points' cycles
    outcome.latency = sites.back()->meter().at_port();
    return outcome;
}

json::object load_json(const load_site& site, const load_figures& figures, const load_level& level)
{
    json::object load = {
        {"operations", site.meter().operations()},
        {"cycles", site.meter().cycles()},
        {"accepted", figures.accepted},
        {"bytes_per_cycle", figures.bytes_per_cycle},
        {"mean_passes", site.meter().mean_passes()},
        {"latency", {{"mean", figures.mean}, {"p50", figures.p50}, {"p99", figures.p99}, {"max", figures.max}}}};
    if (level.outstanding != 0)
        load["outstanding"] = level.outstanding;
    else
        load["offered"] = level.rate;
    if (level.outstanding == 0) load["saturated"] = figures.saturated;
    if (figures.expected_mean) load["expected_mean"] = *figures.expected_mean;
    return load;
}

void print(std::ostream& out, const load_figures& figures)
{
    out << "accepted " << figures.accepted << " operations per cycle, " << figures.bytes_per_cycle
        << " bytes per cycle\nlatency: mean " << figures.mean << ", p50 " << figures.p50 << ", p99 " << figures.p99
        << ", longest " << figures.max << " cycles";
    if (figures.expected_mean) out << "; closed form of the mean " << *figures.expected_mean;
    out << "\n";
    if (figures.saturated) out << "saturated: less is accepted than offered, latencies grow as long as it goes on\n";
}

template <typename Write>
std::string text_of(Write&& write)
{
    std::ostringstream text;
    write(text);
    return text.str();
}

load_sites make_sites(const load_request& request, std::size_t count)
{
    load_sites sites;
    try {
        for (std::size_t i = 0; i < count; ++i)
            sites.push_back(std::make_unique<load_site>("isbe" + std::to_string(i), *request.backend, request.config,
                                                        request.profile));
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

void write_curve(result_folder& folder, const load_curve& curve, const json::object& report,
                 const std::vector<std::pair<std::string, std::string>>& command)
{
    auto simulated = command;
    for (const auto& row : isbe_table(report.at("config").get_object()).rows) simulated.emplace_back(row[0], row[1]);
    folder.write("report.json", json_text(report));
    folder.write("curve.csv", text_of([&](std::ostream& text) { write_curve_csv(text, curve); }));
    folder.write("curve.svg", text_of([&](std::ostream& text) { write_curve_svg(text, curve); }));
    folder.write("report.html", text_of([&](std::ostream& text) { write_curve_page(text, curve, simulated); }));
}

} // namespace

po::options_description traffic_options()
{
    po::options_description options("Options");
    add_machine_options(options);
    add_traffic_options(options);
    auto add = options.add_options();
    add("isbe", po::value<std::string>()->default_value("at")->value_name("at|rtl|lockstep"), "the ISBE under traffic");
    add("out", po::value<std::string>()->default_value("out")->value_name("DIR"),
        "folder for report.json and report.html, with --curve also curve.csv and curve.svg; replaced as a whole");
    add_progress_option(options);
    add("quiet", "no summary, no progress");
    add_analysis_options(options);
    return options;
}

int run_traffic(const std::vector<std::string>& words, std::ostream& out, std::ostream& err)
{
    const command_arguments arguments(words, traffic_options(), "ARGUMENT");
    const auto request = read_load_request(arguments);
    const run_clock host_time;
    result_folder folder(arguments.get<std::string>("out"), arguments.place_of("--out"));
    run_analysis analysis(arguments, request.config, request.backend->style, true);
    const auto loads = request.points == 0 ? std::vector<double>{} : curve_loads(request.points);
    auto sites = make_sites(request, loads.size() + 1);
    std::optional<progress_line> progress(std::in_place, err, arguments);
    show_progress(*progress, sites, request.profile);

    std::optional<load_curve> curve;
    load_figures figures;
    std::string assertion;
    try {
        if (loads.empty()) {
            analysis.watch(sites.front()->isbe(), request.config, true);
            sites.front()->run(request.level);
            figures = figures_of(*sites.front(), request.config, request.profile, request.level);
        } else {
            curve = run_curve(sites, request.config, request.profile, loads);
        }
    } catch (const rtl_assertion_error& error) {
        assertion = error.what();
    }
    progress.reset();
    analysis.stop();
    const auto begin = sites.size() == 1 ? 0 : sites[sites.size() - 2]->meter().end();
    auto outcome = outcome_of(sites, begin);
    if (!assertion.empty()) outcome.mismatch_report = assertion;
    traffic_facts facts{"traffic", source_of(words)};
    facts.seed = request.profile.seed;
    auto result = verdict_of(facts, outcome);
    const bool failed = result.status != "done";
    if (failed) result.text += outcome.mismatch_report;
    auto report = make_report(request.config, facts, request.backend->name, outcome, nullptr, result,
                              analysis.coefficients(), analysis.series(outcome.cycles));
    report["traffic"] = traffic_json(arguments);
    if (curve)
        report["curve"] = curve_json(*curve);
    else if (!failed)
        report["load"] = load_json(*sites.front(), figures, request.level);
    analysis.finish(report, stacks_of_isbe(outcome.stacks));
    report["host"] = host_json(outcome.transactions, host_time.seconds());
    if (curve) {
        write_curve(folder, *curve, report,
                    {{"command", "isbesim " + source_of(words)}, {"back end", request.backend->name}});
    } else {
        write_reports(folder, make_traffic_page(report), report);
    }
    folder.commit();
    if (!arguments.has("quiet")) {
        if (curve)
            for (const auto& sentence : curve_sentences(*curve)) out << sentence << "\n";
        else if (!failed)
            print(out, figures);
        if (outcome.compared) out << lockstep_line(outcome.totals) << "\n";
        out << "report:   " << folder.final_file("report.html") << "\n";
    }
    if (!failed) return exit_status::done;
    err << "isbesim: " << result.text << std::endl;
    return exit_status::check_failed;
}

} // namespace isbesim::testbench
