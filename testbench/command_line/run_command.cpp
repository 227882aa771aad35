// SPDX-License-Identifier: Apache-2.0
// `isbesim run`: reads the scenario, builds the system, runs it, compares, reports.
#include <iterator>
#include <optional>
#include <sstream>

#include "testbench/chip/batch_rows.h"
#include "testbench/command_line/capture_commands.h"
#include "testbench/command_line/commands.h"
#include "testbench/command_line/commands_at_once.h"
#include "testbench/command_line/ignored_keys.h"
#include "testbench/command_line/progress_line.h"
#include "testbench/command_line/reruns.h"
#include "testbench/command_line/simulated_draw.h"
#include "testbench/report/assumptions.h"
#include "testbench/report/draw_identity.h"
#include "testbench/report/origin.h"
#include "testbench/report/report_figures.h"
#include "testbench/report/run_clock.h"
#include "testbench/report/what_if.h"

namespace isbesim::testbench {

namespace po = boost::program_options;
namespace json = boost::json;

namespace {

/// Loads a scenario, or a draw of a capture.
scenario load_draw(const run_request& request)
{
    if (request.draw) return load_captured_draw(request);
    return load_scenario(request.scenario_file, request.contained ? file_access::contained : file_access::anywhere);
}

/// Refuses to replace a file that the scenario names.
void keep_named_files(run_request& request, const scenario& scenario)
{
    const auto written = request.arguments.written_files();
    const auto place = request.arguments.place_of_positional();
    for (const auto& name : scenario.files) {
        auto path = whole_path(name);
        for (const auto& file : written)
            if (file.path == path) file.refuse("which SCENARIO.json names; expected another file");
        request.out.files.push_back({"a file of SCENARIO.json", name, place, std::move(path)});
    }
}

/// Refuses a draw that TPCs cannot share, before anything runs.
void refuse_unshareable(const run_request& request, const scenario& scenario)
{
    if (request.config.chip.all_tpcs() == 1) return;
    if (const auto text = why_not_dealt(scenario.draw); !text.empty())
        throw input_error(place_of_keys(request.arguments, {"chip.gpcs", "chip.tpcs"}),
                          text + "; expected chip.gpcs=1 and chip.tpcs=1");
}

std::vector<machine_change> changes_of(const run_request& request)
{
    if (request.what_if.empty()) return {};
    auto changes = machine_changes(request.config);
    auto more = request.what_if == "pairs" ? better_pairs(changes) : more_room(request.config);
    std::move(more.begin(), more.end(), std::back_inserter(changes));
    return changes;
}

/// Runs the requested reruns, in processes forked before this one simulates: a process can simulate only once.
std::vector<rerun> measure(const run_request& request, const std::vector<machine_change>& changes,
                           const draw_call& draw, std::ostream& err)
{
    progress_line progress(err, request.arguments);
    return run_on_machines(changes, draw, request.limits, request.jobs, request.reruns_end,
                           [&](std::size_t done) { progress.count(done, changes.size(), "reruns"); });
}

void measure_chosen(later_reruns& later, const std::vector<std::size_t>& chosen, json::object& report)
{
    std::vector<machine_change> changes;
    changes.reserve(chosen.size());
    for (const auto i : chosen) changes.push_back(later.changes()[i]);
    add_measured(report, changes, later.measure(chosen), later.changes().size());
}

/// `answer`: receives the report instead of the folder; may be null.
int run_draw(const std::vector<std::string>& words, scenario* loaded, std::ostream& out, std::ostream& err,
             const std::function<void(json::object)>& answer)
{
    run_request request(words);
    const auto& arguments = request.arguments;
    if (request.is_sequence) {
        if (answer) throw input_error(arguments.place_of_positional(), "a whole capture, expected one draw of it");
        return run_captured_sequence(request, words, out, err);
    }
    auto scenario = loaded != nullptr ? std::move(*loaded) : load_draw(request);
    keep_named_files(request, scenario);
    if (const auto text = foreign_architecture(request.machine, scenario.draw.arch); !text.empty())
        scenario.warnings.emplace_back("machine_architecture", arguments.place_of("--config"), text);
    warn_of_ignored_keys(request, scenario.warnings);
    refuse_unshareable(request, scenario);
    auto identity = draw_identity(scenario.draw);
    std::optional<dealt_batches> dealt;
    if (request.tpc) {
        identity["tpc"] = *request.tpc;
        dealt = made_for_draw(request, scenario, [&] { return dealt_to(scenario.draw, request.config, *request.tpc); });
        identity["batches"] = dealt->digest;
        scenario.expect = {}; // the expectation is about all TPCs
    }
    const auto changes = changes_of(request);
    const auto reruns = measure(request, changes, scenario.draw, err);
    std::optional<later_reruns> later;
    if (request.measures) later.emplace(machine_changes(request.config), scenario.draw, request.limits, request.jobs);
    const run_clock host_time;
    // On the heap: the first use of as many pages of the stack costs more.
    const auto owner = std::make_unique<simulated_draw>(request, scenario, request.writes_vertices() && !answer);
    auto& run = *owner;
    run.run(dealt ? &*dealt : nullptr, err);

    const bool is_done = run.outcome.end == run_end::done;
    const auto chosen = later && is_done ? run.likeliest(later->changes()) : std::vector<std::size_t>();
    auto facts = run.take_facts();
    facts.draw = std::move(identity);
    facts.origin = origin_json({answer ? "serve" : "run", answer ? command_words() : result_words(words),
                                request.scenario_file, request.machine, request.config, request.backend->name,
                                request.timing == sm_timing::by_warp ? "lt" : "at"});
    auto report = make_report(request.config, run.account, run.outcome.cycles, std::move(facts));
    if (!request.what_if.empty() && is_done) add_what_if(report, changes, reruns, run.analysis.coefficients());
    if (!chosen.empty()) measure_chosen(*later, chosen, report);
    if (const auto text = assumptions_text(report, request.machine.sources); !text.empty()) report["rests_on"] = text;
    run.finish_files(report);
    report["host"] = host_json(run.account.operations(), host_time.seconds());
    if (answer)
        answer(std::move(report));
    else
        run.write(report, out, err);
    if (run.result.status != exit_status::done) err << "isbesim: " << run.result.text << run.hint(words) << std::endl;
    return run.result.status;
}

} // namespace

po::options_description run_options()
{
    return lasting_options<run_choices>();
}

int run_run(const std::vector<std::string>& words, std::ostream& out, std::ostream& err)
{
    return run_draw(words, nullptr, out, err, nullptr);
}

int run_for_report(const std::vector<std::string>& words, scenario* loaded, std::ostream& err,
                   const std::function<void(json::object)>& report)
{
    std::ostringstream ignored;
    return run_draw(words, loaded, ignored, err, report);
}

} // namespace isbesim::testbench
