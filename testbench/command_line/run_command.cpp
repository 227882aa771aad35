// SPDX-License-Identifier: Apache-2.0
// `isbesim run`: reads the scenario, builds the system, runs it, compares, reports.
#include <algorithm>
#include <filesystem>
#include <iterator>
#include <optional>
#include <sstream>
#include <stdexcept>

#include "models/pe/front_end/assembly.h"
#include "models/pe/front_end/validation.h"
#include "models/pe/linking/linking.h"
#include "testbench/analysis/run_analysis.h"
#include "testbench/arguments/command_arguments.h"
#include "testbench/chip/batch_rows.h"
#include "testbench/chip/chip_run.h"
#include "testbench/command_line/capture_commands.h"
#include "testbench/command_line/commands.h"
#include "testbench/command_line/commands_at_once.h"
#include "testbench/command_line/machine_options.h"
#include "testbench/command_line/progress_line.h"
#include "testbench/command_line/reruns.h"
#include "testbench/command_line/run_request.h"
#include "testbench/command_line/wave_options.h"
#include "testbench/crosscheck/traces/trace_recorder.h"
#include "testbench/files/json_text.h"
#include "testbench/processes/exit_status.h"
#include "testbench/report/assumptions.h"
#include "testbench/report/draw_identity.h"
#include "testbench/report/origin.h"
#include "testbench/report/promising_changes.h"
#include "testbench/report/report.h"
#include "testbench/report/report_figures.h"
#include "testbench/report/report_page.h"
#include "testbench/report/result_folder.h"
#include "testbench/report/run_clock.h"
#include "testbench/report/run_warnings.h"
#include "testbench/report/run_windows.h"
#include "testbench/report/what_if.h"
#include "testbench/scenario/expectation.h"
#include "testbench/scenario/scenario.h"
#include "testbench/scenario/vertex_csv.h"
#include "testbench/scenario/vertex_relay.h"
#include "testbench/system/config.h"
#include "testbench/system/system.h"
#include "tlm/count_text.h"
#include "tlm/enum_table.h"

namespace isbesim::testbench {

namespace po = boost::program_options;
namespace json = boost::json;

namespace {

void show_progress(progress_line& line, std::uint64_t primitives, const simulated_system& system,
                   const vertex_output& vertices)
{
    const auto done = system.pe().draw_counters().primitives_in;
    line.show(std::to_string(done) + " of " + count_text(primitives, "primitive") + " in, " +
                  count_text(vertices.rows(), "vertex", "vertices") + " out, cycle " +
                  std::to_string(system.clock().now()),
              done, primitives);
}

/// The windows of --every and --cycles; `file`: the CSV of --every.
run_windows::request windows_of(const run_request& request, std::string file)
{
    return {request.every, std::move(file), request.one,
            request.backend->style == warp_initiator::style::loosely_timed};
}

/// Observes a TPC of a chip, in the TPC's process.
class watched_tpc : public tpc_watch {
public:
    /// `windows`: the CSV of --every.
    watched_tpc(run_analysis& analysis, const run_request& request, std::string windows)
        : analysis_(analysis),
          by_cycle_(request.timing == sm_timing::by_cycle),
          wanted_(windows_of(request, std::move(windows)))
    {
    }

    run_stops* begins(simulated_system& system, unsigned tpc) override
    {
        if (by_cycle_) analysis_.watch(system);
        if (wanted_.every == 0 && !wanted_.one) return nullptr;
        wanted_.file = windows_of_tpc(wanted_.file, tpc);
        return &windows_.emplace(wanted_, system, analysis_.coefficients());
    }
    tpc_notes ended(std::uint64_t cycles) override
    {
        if (windows_) windows_->finish(cycles);
        analysis_.stop();
        if (!by_cycle_) return {};
        return {analysis_.series(cycles), analysis_.profile_bytes(), windows_ ? windows_->take_window() : std::nullopt};
    }

private:
    run_analysis& analysis_;
    bool by_cycle_;
    run_windows::request wanted_;
    std::optional<run_windows> windows_;
};

/// Vertices are only counted if they are neither wanted nor compared. `beside`: another thread may write them.
std::unique_ptr<vertex_output> make_vertex_output(const command_arguments& arguments, bool wanted, bool beside,
                                                  const scenario& scenario, const result_folder& folder)
{
    if (!wanted && scenario.expect.file.empty()) return std::make_unique<vertex_count>();
    auto written = std::make_unique<vertex_csv>(folder.file("vertices.csv"), scenario.draw.capture);
    if (!beside || !may_work_beside(arguments)) return written;
    return std::make_unique<vertex_relay>(std::move(written));
}

struct verdict {
    int status = exit_status::done;
    std::string word = "done";
    std::string text;
};

/// Exit status and verdict of a run that ended; the first check that fails decides.
verdict verdict_of(const run_request& request, const scenario& scenario, const std::string& vertices,
                   const run_account& account, const run_outcome& outcome, const std::vector<run_warning>& warnings)
{
    static constexpr auto end_words =
        enum_names<run_end::mismatch>("done", "deadlock", "watchdog", "failed", "mismatch");
    const auto failed = [](const std::string& word, const std::string& text) {
        return verdict{exit_status::check_failed, word, text};
    };
    if (outcome.end != run_end::done) {
        return failed(end_words[static_cast<std::size_t>(outcome.end)],
                      outcome.text + (outcome.state_dump.empty() ? "" : "\n" + outcome.state_dump));
    }
    if (account.violation_count > 0) {
        return failed("protocol", count_text(account.violation_count, "protocol violation") +
                                      ", the first: " + account.violations.front());
    }
    const auto traps = account.traps();
    const auto trapped = [&](const char* with) {
        const auto first = traps_of(account.sites).front().text;
        return count_text(traps, "trap") + with + (traps == 1 ? ": " : ", the first: ") + first;
    };
    if (request.strict_traps && traps > 0) return failed("trap", trapped(" with --strict"));
    const auto warned = count_text(warnings.size(), "warning");
    verdict good;
    good.text = outcome.text;
    if (request.backend->style == warp_initiator::style::loosely_timed) good.text += " (estimate)";
    if (traps > 0) good.text += ", " + trapped("");
    if (!warnings.empty()) good.text += ", " + warned;
    if (request.strict_warnings && !warnings.empty())
        good = failed("warning",
                      warned + " with --strict (--strict=traps lets them pass), the first: " + warnings.front().text);
    if (const auto difference = memory_difference(scenario.memory); !difference.empty())
        return failed("mismatch", difference);
    if (scenario.expect.file.empty()) {
        if (good.status == exit_status::done) good.text += " (no expected vertices given)";
        return good;
    }
    if (const auto difference = compare_vertices(vertices, scenario.expect)) {
        return failed("mismatch", "the vertices differ from " + scenario.expect.file + ": " + difference->text());
    }
    if (good.status == exit_status::done) good.text += "; the vertices are the expected ones";
    return good;
}

/// A hint how to see the first difference of a lockstep run; empty without a difference.
std::string hint_of_difference(const command_arguments& arguments, const std::vector<std::string>& words,
                               const simulated_system& system, unsigned wave_sm, run_copies* copies)
{
    for (unsigned i = 0; i < system.sm_count(); ++i) {
        const auto* comparison = system.comparison(i);
        if (comparison == nullptr || !comparison->failed()) continue;
        if (i == wave_sm) return wave_hint(arguments, "run", words, comparison->difference_cycle(), copies);
        return "  the difference is in the ISBE of SM " + std::to_string(i) + ", cycle " +
               std::to_string(comparison->difference_cycle()) + ": its waveform needs --wave-sm " + std::to_string(i) +
               "\n";
    }
    return "";
}

/// Loads a scenario, or a draw of a capture.
scenario load_draw(const std::string& file, const command_arguments& arguments)
{
    if (arguments.has("draw")) return load_captured_draw(file, arguments);
    return load_scenario(file, arguments.has("contained") ? file_access::contained : file_access::anywhere);
}

/// --strict alone means --strict=all, --what-if alone --what-if=steps; otherwise Boost would take the next word, which
/// may be the scenario.
std::vector<std::string> with_values(std::vector<std::string> words)
{
    std::replace(words.begin(), words.end(), std::string("--strict"), std::string("--strict=all"));
    std::replace(words.begin(), words.end(), std::string("--what-if"), std::string("--what-if=steps"));
    return words;
}

/// Runs the requested reruns. They come before the run because no process can run two simulations.
std::vector<rerun> measure(const run_request& request, const std::vector<machine_change>& changes,
                           const draw_call& draw, const command_arguments& arguments, std::ostream& err)
{
    progress_line progress(err, arguments);
    const auto show = [&](std::size_t done) {
        if (progress.due())
            progress.show(std::to_string(done) + " of " + count_text(changes.size(), "rerun"), done, changes.size());
    };
    return run_on_machines(changes, draw, request.limits, request.jobs, request.reruns_end, show);
}

std::vector<machine_change> changes_of(const run_request& request)
{
    if (!request.what_if) return {};
    auto changes = machine_changes(request.config);
    auto more = request.pairs ? better_pairs(changes) : more_room(request.config);
    std::move(more.begin(), more.end(), std::back_inserter(changes));
    return changes;
}

} // namespace

po::options_description run_options()
{
    po::options_description options("Options");
    add_machine_options(options);
    auto add = options.add_options();
    add("isbe", po::value<std::string>()->default_value("at")->value_name("lt|at|rtl|lockstep"),
        "what stands in the ISBE's place: loosely or approximately timed, the Verilated RTL, or AT and RTL compared");
    add("timing", po::value<std::string>()->default_value("at")->value_name("at|lt"),
        "how SMs keep time: cycle by cycle, or loosely: the same vertices several times as fast, cycles are an "
        "estimate (with --isbe lt)");
    add("record", po::value<std::string>()->value_name("FILE"),
        "record every request to the ISBE, for 'isbesim replay'; of several SMs, those of the first");
    add_capture_options(options);
    add("contained", "the scenario may name files in its own folder and below only; links are followed first");
    add_out_option(options, "vertices.csv and the reports");
    add("no-vertices", "no vertices.csv; what the scenario expects is compared all the same");
    add("seed", po::value<std::uint64_t>()->default_value(1)->value_name("N"),
        "every random choice derives from it; a draw makes none");
    add("max-cycles", po::value<std::uint64_t>()->value_name("N"), "give up after so many cycles");
    add("strict", po::value<std::string>()->value_name("[=traps]"),
        "a trap or a warning fails the run; --strict=traps: a trap alone");
    add("check-protocol", "watch every TLM connection; a violation fails the run");
    add("no-critical-path",
        "do not record what each event waited for: no critical_path and no measured step in the report, a faster run");
    add("what-if", po::value<std::string>()->value_name("[=pairs]"),
        "the draw on machines that differ in one key, a step better and a step worse, measured by reruns; "
        "--what-if=pairs: also on those that are better in two");
    add("what-if-seconds", po::value<unsigned>()->value_name("N"),
        "reruns that have not ended by then are not measured; default: no limit");
    add("jobs", po::value<unsigned>()->value_name("N"),
        "draws of a capture, reruns of --what-if, or TPCs of a chip, at a time; default: one per core");
    add("tpc", po::value<unsigned>()->value_name("N"),
        "of a chip: this TPC alone with the batches that it gets, from 0; it may be watched as any machine, and its "
        "vertices are not written");
    add_progress_option(options);
    add("quiet", "no summary, no warnings, no progress on the terminal: only errors");
    add("full", "all tables on the terminal, not only the main figures");
    add_analysis_options(options);
    add("kanata", po::value<std::string>()->value_name("FILE.kanata"),
        "pipeline of the warps' instructions, for Konata");
    add("every", po::value<std::uint64_t>()->value_name("N"),
        "windows.csv in the results: the figures of every N cycles, which add up to the run's");
    add("profile", "in the reports: issues, cycles lost by reason, latency and passes of every instruction");
    add_wave_options(options);
    add("wave-sm", po::value<unsigned>()->default_value(0)->value_name("N"), "the SM whose ISBE --wave shows");
    return options;
}

namespace {

/// Warns of keys that --set or --config changes but a loosely timed run ignores.
void warn_of_ignored_keys(const command_arguments& arguments, const run_request& request,
                          std::vector<input_warning>& warnings)
{
    struct ignored {
        std::string_view key;
        bool by_operation; ///< also ignored with --isbe lt
    };
    static constexpr ignored keys[] = {{"isbe.request_queue_depth", false},
                                       {"isbe.arbitration", true},
                                       {"sm.attribute_queue_depth", false},
                                       {"scheduler_policy", false}};
    if (request.backend->style != warp_initiator::style::loosely_timed) return;
    const bool by_warp = request.timing == sm_timing::by_warp;
    const auto set = set_assignments(arguments);
    const machine_config defaults;
    for (const auto& each : keys) {
        if (!by_warp && !each.by_operation) continue;
        const auto* key = find_config_key(each.key);
        const bool is_set = std::any_of(set.begin(), set.end(), [&](const auto& one) { return one.key == each.key; });
        if (is_set || key->get(request.config) != key->get(defaults))
            warnings.emplace_back("no_effect", place_of_keys(arguments, {each.key}),
                                  std::string(each.key) + " has no effect with " +
                                      (by_warp ? "--timing lt" : "--isbe lt"));
    }
}

/// Returns the result of `make`, and gives its errors about a draw or a machine their places.
template <typename Make>
auto made_for_draw(const run_request& request, const command_arguments& arguments, const scenario& scenario,
                   const Make& make)
{
    try {
        return make();
    } catch (const batch_too_large& error) {
        throw input_error(
            error.of_machine ? place_of_keys(arguments, {"isbe.lines", "pe.alpha_lines", "pe.beta_lines", "pe.buffers"})
                             : scenario.draw_place(),
            error.what());
    } catch (const draw_error& error) {
        throw input_error(scenario.draw_place(), error.what());
    } catch (const std::invalid_argument& error) {
        throw input_error(request.isbe_place, error.what());
    }
}

std::unique_ptr<simulated_system> make_system(const run_request& request, const command_arguments& arguments,
                                              const scenario& scenario, vertex_output& vertices, waveform* wave)
{
    return made_for_draw(request, arguments, scenario, [&] {
        return std::make_unique<simulated_system>(system_parts{request.config, *request.backend, scenario.draw,
                                                               vertices, request.check_protocol, wave, request.wave_sm,
                                                               request.path, request.timing, request.tpc.value_or(0)});
    });
}

/// Refuses a draw that TPCs cannot share, before any TPC or rerun runs.
void check_dealt(const run_request& request, const command_arguments& arguments, const scenario& scenario)
{
    if (request.config.chip.all_tpcs() == 1) return;
    if (const auto text = why_not_dealt(scenario.draw); !text.empty())
        throw input_error(place_of_keys(arguments, {"chip.gpcs", "chip.tpcs"}),
                          text + "; expected chip.gpcs=1 and chip.tpcs=1");
}

chip_result simulate_chip(const run_request& request, const scenario& scenario, vertex_output& vertices,
                          const result_folder& folder, run_analysis& analysis, const command_arguments& arguments,
                          std::ostream& err)
{
    progress_line progress(err, arguments);
    const auto windows = folder.file("windows.csv");
    watched_tpc watch(analysis, request, windows);
    const auto all = request.config.chip.all_tpcs();
    const auto show = [&](std::size_t done) {
        if (progress.due()) progress.show(std::to_string(done) + " of " + std::to_string(all) + " TPCs", done, all);
    };
    const bool keeps_rows = dynamic_cast<vertex_count*>(&vertices) == nullptr;
    auto result = made_for_draw(request, arguments, scenario, [&] {
        return run_on_chip({request.config, *request.backend, scenario.draw, scenario.warnings, vertices, keeps_rows,
                            request.limits, request.check_protocol, request.path, request.timing, request.jobs,
                            folder.file("rows"), watch, show});
    });
    for (const auto& each : result.profiles) analysis.add_profile(each);
    if (request.every != 0) join_windows(windows, all);
    return result;
}

/// The trace of --record, if the option is given.
class trace_output {
public:
    trace_output(const run_request& request, simulated_system& system) : request_(request)
    {
        if (request.record.empty()) return;
        waits_.emplace(request.config.sm);
        system.sm(0).attach(*waits_);
        system.pe().attach(*waits_);
        const recorded_machine machine{request.config.isbe, json_text(config_to_json(request.config)),
                                       std::string_view(request.backend->name) != "rtl",
                                       request.backend->style == warp_initiator::style::loosely_timed};
        recorder_.emplace(request.record, machine, &*waits_);
        system.isbe(0).attach(*recorder_);
    }
    void close()
    {
        if (recorder_) recorder_->close();
    }
    void print(std::ostream& out) const
    {
        if (!recorder_) return;
        out << "trace:    " << request_.record << ", " << count_text(recorder_->operations(), "operation");
        if (request_.config.sm_count > 1)
            out << " of the first SM's ISBE; those of the other " << request_.config.sm_count - 1
                << " SMs are not in it";
        out << "\n";
    }

private:
    const run_request& request_;
    std::optional<wait_tracker> waits_;
    std::optional<trace_recorder> recorder_;
};

/// `dealt`: of the draw's batches those that TPC --tpc gets, or null.
run_outcome simulate(const run_request& request, const command_arguments& arguments, const draw_call& draw,
                     const dealt_batches* dealt, simulated_system& system, const vertex_output& vertices,
                     run_stops* stops, std::ostream& err)
{
    progress_line progress(err, arguments);
    const auto primitives = dealt != nullptr ? dealt->primitives : progress.shown() ? count_primitives(draw) : 0;
    return system.run(
        request.limits,
        [&] {
            if (progress.due()) show_progress(progress, primitives, system, vertices);
        },
        stops);
}

report_facts facts_of(const run_request& request, const scenario& scenario, const verdict& result,
                      const vertex_output& vertices, run_analysis& analysis, std::uint64_t cycles, chip_result* chip)
{
    report_facts facts;
    facts.scenario = request.scenario_file;
    facts.backend = request.backend->name;
    facts.seed = request.seed;
    facts.status = result.word;
    facts.text = result.text;
    facts.rows = vertices.rows();
    facts.vertices_written = request.write_vertices;
    facts.coefficients = analysis.coefficients();
    facts.timing = request.timing;
    facts.profile = analysis.profile(scenario.draw);
    if (chip != nullptr) {
        facts.series = std::move(chip->series);
        facts.chip = std::move(chip->chip);
        return facts;
    }
    if (request.timing == sm_timing::by_cycle) facts.series = analysis.series(cycles);
    facts.lines_peak = analysis.recorder().lines_peak();
    facts.warps_peak = analysis.recorder().warps_peak();
    return facts;
}

/// A finished draw and its machine. Order of members: each is destroyed before its targets.
struct finished_draw {
    std::unique_ptr<waveform> wave;
    std::unique_ptr<simulated_system> system; ///< null for a chip
    std::optional<chip_result> chip;
    std::unique_ptr<run_copies> copies;
    std::unique_ptr<trace_output> trace;
    run_outcome outcome;
    run_account account;
};

/// Runs the draw on one machine.
void run_system(finished_draw& run, const run_request& request, const command_arguments& arguments,
                const scenario& scenario, const dealt_batches* dealt, const result_folder& folder,
                vertex_output& vertices, run_analysis& analysis, std::ostream& err)
{
    run.system = make_system(request, arguments, scenario, vertices, run.wave.get());
    auto& system = *run.system;
    run.copies = make_copies(arguments, request.backend->name, run.wave.get());
    if (run.copies) system.isbe(request.wave_sm).attach(*run.copies);
    const bool by_warp = request.timing == sm_timing::by_warp;
    if (!by_warp) analysis.watch(system); // loosely timed runs have no events in the order of time
    std::optional<run_windows> windows;
    if (request.every != 0 || request.one)
        windows.emplace(windows_of(request, folder.file("windows.csv")), system, analysis.coefficients());
    try {
        run.trace = std::make_unique<trace_output>(request, system);
        run.outcome =
            simulate(request, arguments, scenario.draw, dealt, system, vertices, windows ? &*windows : nullptr, err);
        run.trace->close();
    } catch (const trace_error& error) {
        throw input_error(request.record_place, error.what());
    }
    if (run.copies) run.copies->end_of_run();
    if (windows) windows->finish(run.outcome.cycles);
    run.account = account_of(system, scenario.warnings, by_warp);
    if (windows) run.account.window = windows->take_window();
}

/// The draw is on the heap: new pages of a stack cost more.
std::unique_ptr<finished_draw> run_to_end(const run_request& request, const command_arguments& arguments,
                                          scenario& scenario, const dealt_batches* dealt, const result_folder& folder,
                                          vertex_output& vertices, run_analysis& analysis, std::ostream& err)
{
    auto finished = std::make_unique<finished_draw>();
    auto& run = *finished;
    analysis.show_instructions(arguments, request.config, scenario.draw);
    analysis.name_sources(std::move(scenario.sources));
    run.wave = make_waveform(arguments, cycle_clock::from_ghz(request.config.clock_ghz), analysis);
    if (request.is_chip()) {
        run.chip = simulate_chip(request, scenario, vertices, folder, analysis, arguments, err);
        run.outcome = run.chip->outcome;
        run.account = std::move(run.chip->account);
    } else {
        run_system(run, request, arguments, scenario, dealt, folder, vertices, analysis, err);
        if (request.tpc) run.outcome.name_tpc(std::to_string(*request.tpc) + " alone");
    }
    analysis.stop();
    if (run.wave) run.wave->close();
    vertices.finish();
    return finished;
}

/// The steps worth a rerun after this run.
std::vector<std::size_t> likeliest(const std::vector<machine_change>& changes, const run_request& request,
                                   const finished_draw& run)
{
    auto cycles = run.outcome.cycles;
    const auto* stacks = &run.account.stacks;
    if (run.chip) {
        const auto& tpcs = run.chip->chip.tpcs;
        cycles = 0;
        for (const auto& tpc : tpcs) cycles += tpc.cycles;
        stacks = &tpcs[run.chip->chip.last].stacks; // as the critical path
    }
    return promising_changes(changes, *stacks, run.account.path,
                             reruns_beside(cycles * request.config.sm_count, request.config.chip.all_tpcs()));
}

void measure_chosen(later_reruns& later, const std::vector<std::size_t>& chosen, json::object& report)
{
    std::vector<machine_change> changes;
    changes.reserve(chosen.size());
    for (const auto i : chosen) changes.push_back(later.changes()[i]);
    add_measured(report, changes, later.measure(chosen), later.changes().size());
}

/// Writes the results to the folder, and prints a summary.
void write_results(const run_request& request, const scenario& scenario, const finished_draw& run,
                   const std::vector<run_warning>& warnings, const json::object& report, result_folder& folder,
                   std::ostream& out, std::ostream& err)
{
    const auto page = make_page(report);
    write_reports(folder, page, report);
    write_memory(scenario.memory, [&](const std::string& name, std::string_view bytes) { folder.write(name, bytes); });
    folder.commit();
    if (request.quiet) return;
    write_summary(out, page, request.full);
    out << (request.full ? "\n" : "") << "vertices: "
        << (request.write_vertices ? folder.final_file("vertices.csv")
                                   : std::string("not written (") + (request.tpc ? "--tpc" : "--no-vertices") + ")")
        << "\nreport:   " << folder.final_file("report.html") << "\n";
    if (run.trace) run.trace->print(out);
    if (run.account.comparison) out << lockstep_line(*run.account.comparison) << "\n";
    print_warnings(err, traps_of(run.account.sites), "trap", run.account.traps(),
                   "in " + folder.final_file("report.md"));
    print_warnings(err, warnings, "warning", warnings.size(), "at the top of " + folder.final_file("report.md"));
}

/// `answer`: receives the report instead of the folder; may be null.
int run_draw(const std::vector<std::string>& words, scenario* loaded, std::ostream& out, std::ostream& err,
             const std::function<void(json::object)>& answer)
{
    const command_arguments arguments(with_values(words), run_options(), "SCENARIO.json");
    const auto request = read_run_request(arguments);
    if (is_captured_sequence(request.scenario_file, arguments)) {
        if (answer) throw input_error(arguments.place_of_positional(), "a whole capture, expected one draw of it");
        return run_captured_sequence(request.scenario_file, arguments,
                                     {request.config, *request.backend, request.timing}, words, request.jobs, out, err);
    }
    auto scenario = loaded != nullptr ? std::move(*loaded) : load_draw(request.scenario_file, arguments);
    if (const auto text = foreign_architecture(request.machine, scenario.draw.arch); !text.empty())
        scenario.warnings.emplace_back("machine_architecture", arguments.place_of("--config"), text);
    warn_of_ignored_keys(arguments, request, scenario.warnings);
    check_dealt(request, arguments, scenario);
    auto identity = draw_identity(scenario.draw);
    std::optional<dealt_batches> dealt;
    if (request.tpc) {
        identity["tpc"] = *request.tpc;
        dealt = made_for_draw(request, arguments, scenario,
                              [&] { return dealt_to(scenario.draw, request.config, *request.tpc); });
        identity["batches"] = dealt->digest;
        scenario.expect = {}; // the expectation is about all TPCs
    }
    const auto changes = changes_of(request);
    const auto reruns = measure(request, changes, scenario.draw, arguments, err);
    std::optional<later_reruns> later;
    if (request.measures) later.emplace(machine_changes(request.config), scenario.draw, request.limits, request.jobs);
    const run_clock host_time;
    result_folder folder(request.out);
    run_analysis analysis(arguments, request.config, request.backend->style, false);
    const auto vertices =
        make_vertex_output(arguments, request.write_vertices && !answer, !request.is_chip(), scenario, folder);

    const auto finished =
        run_to_end(request, arguments, scenario, dealt ? &*dealt : nullptr, folder, *vertices, analysis, err);
    auto& run = *finished;
    const auto cycles = run.outcome.cycles;
    const auto warnings = merged(run.account.warnings);
    const auto result = verdict_of(request, scenario, folder.file("vertices.csv"), run.account, run.outcome, warnings);
    if (!request.write_vertices) std::filesystem::remove(folder.file("vertices.csv")); // was needed to compare

    std::vector<std::size_t> chosen;
    if (later && run.outcome.end == run_end::done) chosen = likeliest(later->changes(), request, run);
    auto facts = facts_of(request, scenario, result, *vertices, analysis, cycles, run.chip ? &*run.chip : nullptr);
    facts.draw = std::move(identity);
    facts.origin = origin_json({answer ? "serve" : "run", answer ? command_words() : result_words(words),
                                request.scenario_file, request.machine, request.config, request.backend->name,
                                request.timing == sm_timing::by_warp ? "lt" : "at"});
    facts.warnings = warnings;
    auto report = make_report(request.config, run.account, cycles, std::move(facts));
    if (request.what_if && run.outcome.end == run_end::done)
        add_what_if(report, changes, reruns, analysis.coefficients());
    if (!chosen.empty()) measure_chosen(*later, chosen, report);
    if (const auto text = assumptions_text(report, request.machine.sources); !text.empty()) report["rests_on"] = text;
    if (run.system)
        analysis.finish(report, *run.system, run.account.warnings);
    else
        analysis.finish(report, run.account.stacks);
    report["host"] = host_json(run.account.operations(), host_time.seconds());
    if (answer)
        answer(std::move(report));
    else
        write_results(request, scenario, run, warnings, report, folder, out, err);
    if (result.status != exit_status::done) {
        err << "isbesim: " << result.text;
        if (run.system) err << hint_of_difference(arguments, words, *run.system, request.wave_sm, run.copies.get());
        err << std::endl;
    }
    return result.status;
}

} // namespace

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
