// SPDX-License-Identifier: Apache-2.0
#include "testbench/command_line/traffic_command.h"

#include <algorithm>
#include <functional>
#include <iomanip>
#include <iostream>
#include <memory>
#include <optional>

#include "testbench/analysis/run_analysis.h"
#include "testbench/arguments/command_arguments.h"
#include "testbench/command_line/commands_at_once.h"
#include "testbench/command_line/coverage_summary.h"
#include "testbench/command_line/crosscheck_runs.h"
#include "testbench/command_line/machine_options.h"
#include "testbench/command_line/progress_line.h"
#include "testbench/command_line/wave_options.h"
#include "testbench/crosscheck/traces/replay_limits.h"
#include "testbench/crosscheck/traces/trace_check.h"
#include "testbench/crosscheck/traces/trace_recorder.h"
#include "testbench/crosscheck/traffic/coverage.h"
#include "testbench/crosscheck/traffic/interrupted_start.h"
#include "testbench/crosscheck/traffic/prepared_traffic.h"
#include "testbench/crosscheck/traffic/random_traffic.h"
#include "testbench/crosscheck/traffic_run.h"
#include "testbench/files/json_text.h"
#include "testbench/files/nearest.h"
#include "testbench/processes/exit_status.h"
#include "testbench/processes/interruption.h"
#include "testbench/report/cycle_stacks.h"
#include "testbench/report/estimate.h"
#include "testbench/report/report_figures.h"
#include "testbench/report/report_page.h"
#include "testbench/report/result_folder.h"
#include "testbench/report/run_clock.h"
#include "testbench/report/traffic_report.h"
#include "testbench/rtl/store/rtl_parameters.h"
#include "testbench/system/config.h"

namespace isbesim::testbench {

namespace po = boost::program_options;

namespace {

constexpr std::uint64_t max_transactions = 1'000'000'000'000;

/// `out`: what --out gets.
void add_common(po::options_description& options, const char* out)
{
    add_machine_options(options);
    auto add = options.add_options();
    add("out", po::value<std::string>()->default_value("out")->value_name("DIR"), out);
    add("check-protocol", "watch every TLM connection; a violation fails the run");
    add_progress_option(options);
    add("quiet", "no summary, no progress");
    add_analysis_options(options);
    add_wave_options(options);
}

using traffic_runner = std::function<traffic_outcome(const traffic_request&)>;

/// Runs, writes the report, prints the summary; the exit status. `recorder` is what the traffic is recorded by, or
/// null.
int finish(const command_arguments& arguments, const std::vector<std::string>& words, const machine_config& config,
           const traffic_facts& facts, traffic_request& request, const traffic_runner& run, trace_recorder* recorder,
           coverage* bins, std::ostream& out, std::ostream& err)
{
    const run_clock host_time;
    request.config = config.isbe;
    request.clock_ghz = config.clock_ghz;
    request.check_protocol = arguments.has("check-protocol");
    request.bins = bins;
    result_folder folder(arguments.get<std::string>("out"), arguments.place_of("--out"));
    run_analysis analysis(arguments, config, find_isbe_backend(request.backend)->style, true);
    const auto wave = make_waveform(arguments, cycle_clock::from_ghz(config.clock_ghz), analysis);
    request.wave = wave.get();
    const auto copies = make_copies(arguments, request.backend, wave.get());
    request.copies = copies.get();
    request.prepare = [&, attach = std::move(request.prepare)](isbe_module& isbe) {
        analysis.watch(isbe, config, facts.replayed);
        if (attach) attach(isbe);
    };
    std::optional<progress_line> progress(std::in_place, err, arguments);
    if (progress->shown())
        request.progress = [&](std::uint64_t done) {
            if (!progress->due()) return;
            const auto of = facts.transactions == 0 ? "" : " of " + std::to_string(facts.transactions);
            progress->show(std::to_string(done) + of + " transactions", done, facts.transactions);
        };
    traffic_outcome outcome;
    try {
        outcome = run(request);
    } catch (const std::invalid_argument& error) {
        throw input_error({"command-line", 1, 1}, error.what());
    }
    progress.reset();
    analysis.stop();
    auto result = verdict_of(facts, outcome);
    const bool failed = result.status != "done";
    if (!outcome.mismatch_report.empty()) result.text += (result.text.empty() ? "" : "\n") + outcome.mismatch_report;
    if (recorder != nullptr) recorder->close();
    auto report = make_report(config, facts, request.backend, outcome, bins, result, analysis.coefficients(),
                              analysis.series(outcome.cycles));
    analysis.finish(report, stacks_of_isbe(outcome.stacks));
    const auto wall = host_time.seconds();
    report["host"] = host_json(outcome.transactions, wall);
    if (facts.replayed)
        write_reports(folder, make_traffic_page(report), report);
    else
        folder.write("report.json", json_text(report));
    folder.commit();
    if (!arguments.has("quiet")) {
        const auto known = estimate_of_traffic(request.backend, facts.changed, facts.open_loop);
        out << facts.command << " on " << request.backend << ": " << outcome.transactions << " transactions, "
            << outcome.cycles << (known ? " cycles (estimate)\n" : " cycles\n");
        if (known) out << known->text() << "\n";
        if (facts.replayed)
            out << loop_name(facts) << ": " << outcome.differences << " of " << outcome.transactions
                << " operations responded otherwise than recorded\n";
        if (outcome.compared) out << lockstep_line(outcome.totals) << "\n";
        if (bins != nullptr) print_coverage(*bins, out);
        out << std::fixed << std::setprecision(0) << ratio(static_cast<double>(outcome.transactions), wall)
            << " transactions per second of host time\nreport:   "
            << folder.final_file(facts.replayed ? "report.html" : "report.json") << "\n";
    }
    if (!failed && bins != nullptr && misses_required(arguments, *bins, err)) return exit_status::check_failed;
    if (!failed) return exit_status::done;
    err << "isbesim: " << result.text;
    if (outcome.differs) err << wave_hint(arguments, facts.command, words, outcome.difference_cycle, copies.get());
    err << std::endl;
    return exit_status::check_failed;
}

} // namespace

po::options_description crosscheck_options()
{
    po::options_description options("Options");
    add_common(options, "folder for report.json, replaced as a whole");
    auto add = options.add_options();
    add("transactions", po::value<std::uint64_t>()->default_value(100'000)->value_name("N"),
        "random transactions, shared by the ports; one read of every line follows");
    add("seed", po::value<std::uint64_t>()->default_value(1)->value_name("S"), "same seed, same traffic");
    add("rtl", po::value<std::string>()->value_name("NAME"),
        "a named RTL configuration instead of --config's ISBE; 'list' prints them");
    add("isbe", po::value<std::string>()->default_value("lockstep")->value_name("at|rtl|lockstep"),
        "lockstep compares AT and RTL; at and rtl just run");
    add("record", po::value<std::string>()->value_name("FILE"), "writes the traffic as a trace for replay");
    add("require-coverage", "a coverage bin that was not hit fails the run");
    add("list-conditions", "prints the bins of the page's conditions, and why others can't be met, and ends");
    add("require-conditions",
        "the same of the page's conditions by opcode, form and stage: takes a million transactions");
    add_run_options(options);
    return options;
}

int run_crosscheck(const std::vector<std::string>& words, std::ostream& out, std::ostream& err)
{
    const command_arguments arguments(words, crosscheck_options(), "ARGUMENT");
    if (arguments.has("ARGUMENT"))
        throw input_error({"command-line", 1, 2}, "crosscheck takes no file, expected options only");
    machine_config config;
    read_machine(arguments, config);
    if (arguments.has("rtl")) {
        const auto& name = arguments.get<std::string>("rtl");
        std::vector<std::string> names{"list"};
        const rtl_configuration* found = nullptr;
        for (const auto& row : rtl_configurations()) {
            names.emplace_back(row.name);
            if (name == row.name) found = &row;
            if (name == "list") out << std::left << std::setw(16) << row.name << row.parameters << "\n";
        }
        if (name == "list") return exit_status::done;
        if (found == nullptr)
            throw input_error(arguments.place_of("--rtl"), "no RTL configuration '" + name + "', expected " +
                                                               nearest_list(name, names, "--rtl list"));
        config.isbe = config_of_rtl_parameters(found->parameters);
    }
    const auto transactions = arguments.get<std::uint64_t>("transactions");
    if (transactions == 0 || transactions > max_transactions)
        throw input_error(arguments.place_of("--transactions"), "--transactions is " + std::to_string(transactions) +
                                                                    ", expected 1 to " +
                                                                    std::to_string(max_transactions));
    traffic_request request;
    request.backend = arguments.get<std::string>("isbe");
    if (request.backend != "at" && request.backend != "rtl" && request.backend != "lockstep")
        throw input_error(arguments.place_of("--isbe"),
                          "--isbe " + request.backend + " can't be cross-checked, expected at, rtl or lockstep");
    traffic_facts facts{"crosscheck", "random traffic"};
    facts.seed = arguments.get<std::uint64_t>("seed");
    request.make_block = interrupted_blocks(facts.seed);
    facts.transactions = transactions + config.isbe.lines; // and one read of every line
    coverage bins(config.isbe);
    if (arguments.has("list-conditions")) {
        for (const auto& name : bins.missed(true)) out << name << "\n";
        for (const auto& [name, reason] : bins.page().excluded()) out << name << " excluded: " << reason << "\n";
        return exit_status::done;
    }
    if (arguments.has("runs")) return run_seeds(arguments, words, bins, out, err);
    if (arguments.is_given("jobs"))
        throw input_error(arguments.place_of("--jobs"), "--jobs with one run, expected --runs");
    random_traffic traffic(config.isbe, facts.seed, transactions);
    with_memory_image source(traffic, config.isbe);
    std::optional<trace_recorder> recorder;
    try {
        if (arguments.has("record")) {
            const recorded_machine machine{config.isbe, json_text(config_to_json(config)), request.backend != "rtl",
                                           false};
            recorder.emplace(arguments.get<std::string>("record"), machine);
            request.prepare = [&](isbe_module& isbe) { isbe.attach(*recorder); };
        }
        const auto run = [&](const traffic_request& asked) {
            if (!may_work_beside(arguments)) return run_traffic(asked, source);
            std::optional<uninterrupted> quiet(std::in_place); // a signal ends the program by its main thread
            prepared_traffic prepared(source, config.isbe.ports);
            quiet.reset();
            return run_traffic(asked, prepared);
        };
        return finish(arguments, words, config, facts, request, run, recorder ? &*recorder : nullptr, &bins, out, err);
    } catch (const trace_error& error) {
        throw input_error(arguments.place_of("--record"), error.what());
    }
}

po::options_description replay_options()
{
    po::options_description options("Options");
    add_common(options, "folder for report.json, report.md and report.html, replaced as a whole");
    options.add_options()("isbe", po::value<std::string>()->default_value("at")->value_name("lt|at|rtl|lockstep"),
                          "what answers the trace");
    options.add_options()(
        "open-loop", "every request in its recorded cycle, or as soon after it as its port takes it. Then operations "
                     "keep their order only where this machine is as fast as the recorded one; answers are compared "
                     "all the same. Without it (closed loop) each operation waits for what it waited for when it "
                     "was recorded, on any machine");
    return options;
}

int run_replay(const std::vector<std::string>& words, std::ostream& out, std::ostream& err)
{
    const command_arguments arguments(words, replay_options(), "TRACE");
    const auto path = arguments.positional("a trace (recorded with --record)");
    traffic_request request;
    request.backend = arguments.get<std::string>("isbe");
    if (request.backend != "lt" && request.backend != "at" && request.backend != "rtl" && request.backend != "lockstep")
        throw input_error(arguments.place_of("--isbe"),
                          "unknown back end --isbe " + request.backend + ", expected lt, at, rtl or lockstep");
    try {
        const auto trace = open_trace(path);
        machine_config recorded;
        try {
            load_config_text(trace.config_json, {path, 1, 1}, recorded);
        } catch (const input_error& error) {
            throw trace_error(std::string("holds a wrong machine: ") + error.what(), sizeof trace_magic + 4);
        }
        machine_config config = recorded;
        read_machine(arguments, config);
        if (trace.ports != recorded.isbe.ports)
            throw trace_error("has " + std::to_string(trace.ports) + " ports, expected " +
                                  std::to_string(recorded.isbe.ports) + " as its machine has",
                              trace.begin - 2);
        const auto needs = check_trace(trace, recorded.isbe);
        if (const auto reason = why_not_played(needs, recorded, config); !reason.empty())
            throw trace_error("can't be played on this machine: " + reason);
        traffic_facts facts{"replay", path};
        facts.transactions = trace.operations;
        facts.replayed = true;
        for (const auto& key : config_keys())
            if (key.get(recorded) != key.get(config) && std::string_view(key.name) != "clock_ghz")
                facts.changed.emplace_back(key.name);
        facts.open_loop = arguments.has("open-loop");
        request.warps = std::max(config.sm.warps, needs.contexts);
        return finish(
            arguments, words, config, facts, request,
            [&](const traffic_request& asked) { return run_replay(asked, trace, facts.open_loop); }, nullptr, nullptr,
            out, err);
    } catch (const trace_error& error) {
        throw input_error({path, 1, error.offset() + 1}, error.what());
    }
}

} // namespace isbesim::testbench
