// SPDX-License-Identifier: Apache-2.0
#include "testbench/command_line/simulated_draw.h"

#include <filesystem>

#include "testbench/arguments/cycle_options.h"
#include "testbench/command_line/commands_at_once.h"
#include "testbench/command_line/progress_line.h"
#include "testbench/command_line/reruns.h"
#include "testbench/command_line/wave_options.h"
#include "testbench/crosscheck/traces/trace_recorder.h"
#include "testbench/files/json_text.h"
#include "testbench/report/promising_changes.h"
#include "testbench/report/report_figures.h"
#include "testbench/report/report_page.h"
#include "testbench/report/run_warnings.h"
#include "testbench/report/run_windows.h"
#include "testbench/scenario/expectation.h"
#include "testbench/scenario/vertex_csv.h"
#include "testbench/scenario/vertex_relay.h"
#include "tlm/count_text.h"
#include "tlm/enum_table.h"

namespace isbesim::testbench {

namespace json = boost::json;

namespace {

/// The windows of --every and --cycles; `file`: the CSV of --every.
run_windows::request windows_of(const run_request& request, std::string file)
{
    return {request.every.value_or(0), std::move(file), request.one, request.is_estimate()};
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

} // namespace

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
                                       request.isbe != "rtl", request.is_estimate()};
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

simulated_draw::simulated_draw(const run_request& request, scenario& scenario, bool keeps_vertices)
    : folder(request.out),
      analysis(request.arguments, request.config, request.backend->style, false),
      request_(request),
      scenario_(scenario),
      counts_only_(!keeps_vertices && scenario.expect.file.empty())
{
    if (counts_only_)
        vertices_ = std::make_unique<vertex_count>();
    else
        vertices_ = std::make_unique<vertex_csv>(folder.file("vertices.csv"), scenario.draw.capture);
    if (!counts_only_ && !request.is_chip() && may_work_beside(request.arguments)) // another thread writes them
        vertices_ = std::make_unique<vertex_relay>(std::move(vertices_));
}

simulated_draw::~simulated_draw() = default;

void simulated_draw::run(const dealt_batches* dealt, std::ostream& err)
{
    analysis.show_instructions(request_.arguments, request_.config, scenario_.draw);
    analysis.name_sources(std::move(scenario_.sources));
    wave_ = make_waveform(request_.arguments, cycle_clock::from_ghz(request_.config.clock_ghz), analysis);
    if (request_.is_chip()) {
        run_chip(err);
    } else {
        run_system(dealt, err);
        if (request_.tpc) outcome.name_tpc(std::to_string(*request_.tpc) + " alone");
    }
    analysis.stop();
    if (wave_) wave_->close();
    vertices_->finish();
    if (!request_.is_sequence)
        for (const auto& each : late_cycles(request_.arguments, outcome.cycles))
            account.warnings.push_back({each.kind, each.text, "", {}, 1, {}, {}});
    warnings = merged(account.warnings);
    result = judge();
    if (!request_.writes_vertices()) std::filesystem::remove(folder.file("vertices.csv")); // was needed to compare
}

report_facts simulated_draw::take_facts()
{
    report_facts facts;
    facts.scenario = request_.scenario_file;
    facts.backend = request_.backend->name;
    facts.seed = request_.seed;
    facts.status = result.word;
    facts.text = result.text;
    facts.rows = vertices_->rows();
    facts.vertices_written = request_.writes_vertices();
    facts.coefficients = analysis.coefficients();
    facts.timing = request_.timing;
    facts.profile = analysis.profile(scenario_.draw);
    facts.warnings = warnings;
    if (chip_) {
        facts.series = std::move(chip_->series);
        facts.chip = std::move(chip_->chip);
        return facts;
    }
    if (request_.timing == sm_timing::by_cycle) facts.series = analysis.series(outcome.cycles);
    facts.lines_peak = analysis.recorder().lines_peak();
    facts.warps_peak = analysis.recorder().warps_peak();
    return facts;
}

std::vector<std::size_t> simulated_draw::likeliest(const std::vector<machine_change>& changes) const
{
    auto cycles = outcome.cycles;
    const auto* stacks = &account.stacks;
    if (chip_) {
        const auto& tpcs = chip_->chip.tpcs;
        cycles = 0;
        for (const auto& tpc : tpcs) cycles += tpc.cycles;
        stacks = &tpcs[chip_->chip.last].stacks; // as the critical path
    }
    return promising_changes(changes, *stacks, account.path,
                             reruns_beside(cycles * request_.config.sm_count, request_.config.chip.all_tpcs()));
}

void simulated_draw::finish_files(const json::object& report)
{
    if (system_)
        analysis.finish(report, *system_, account.warnings);
    else
        analysis.finish(report, account.stacks);
}

void simulated_draw::write(const json::object& report, std::ostream& out, std::ostream& err)
{
    const auto page = make_page(report);
    write_reports(folder, page, report);
    write_memory(scenario_.memory, [&](const std::string& name, std::string_view bytes) { folder.write(name, bytes); });
    folder.commit();
    if (request_.quiet) return;
    write_summary(out, page, request_.full);
    out << (request_.full ? "\n" : "") << "vertices: "
        << (request_.writes_vertices()
                ? folder.final_file("vertices.csv")
                : std::string("not written (") + (request_.tpc ? "--tpc" : "--no-vertices") + ")")
        << "\nreport:   " << folder.final_file("report.html") << "\n";
    if (trace_) trace_->print(out);
    if (account.comparison) out << lockstep_line(*account.comparison) << "\n";
    print_warnings(err, traps_of(account.sites), "trap", account.traps(), "in " + folder.final_file("report.md"));
    print_warnings(err, warnings, "warning", warnings.size(), "at the top of " + folder.final_file("report.md"));
}

std::string simulated_draw::hint(const std::vector<std::string>& words) const
{
    for (unsigned i = 0; system_ && i < system_->sm_count(); ++i) {
        const auto* comparison = system_->comparison(i);
        if (comparison == nullptr || !comparison->failed()) continue;
        const auto cycle = comparison->difference_cycle();
        if (i == request_.wave_sm) return wave_hint(request_.arguments, "run", words, cycle, copies_.get());
        return "  the difference is in the ISBE of SM " + std::to_string(i) + ", cycle " + std::to_string(cycle) +
               ": its waveform needs --wave-sm " + std::to_string(i) + "\n";
    }
    return "";
}

void simulated_draw::run_chip(std::ostream& err)
{
    progress_line progress(err, request_.arguments);
    const auto windows = folder.file("windows.csv");
    watched_tpc watch(analysis, request_, windows);
    const auto all = request_.config.chip.all_tpcs();
    const auto show = [&](std::size_t done) { progress.count(done, all, "TPCs"); };
    chip_ = made_for_draw(request_, scenario_, [&] {
        return run_on_chip({request_.config, *request_.backend, scenario_.draw, scenario_.warnings, *vertices_,
                            !counts_only_, request_.limits, request_.check_protocol, request_.path, request_.timing,
                            request_.jobs, folder.file("rows"), watch, show});
    });
    for (const auto& each : chip_->profiles) analysis.add_profile(each);
    if (request_.every) join_windows(windows, all);
    outcome = chip_->outcome;
    account = std::move(chip_->account);
}

void simulated_draw::run_system(const dealt_batches* dealt, std::ostream& err)
{
    system_ = made_for_draw(request_, scenario_, [&] {
        return std::make_unique<simulated_system>(
            system_parts{request_.config, *request_.backend, scenario_.draw, *vertices_, request_.check_protocol,
                         wave_.get(), request_.wave_sm, request_.path, request_.timing, request_.tpc.value_or(0)});
    });
    copies_ = make_copies(request_.arguments, request_.backend->name, wave_.get());
    if (copies_) system_->isbe(request_.wave_sm).attach(*copies_);
    const bool by_warp = request_.timing == sm_timing::by_warp;
    if (!by_warp) analysis.watch(*system_); // loosely timed runs have no events in the order of time
    std::optional<run_windows> windows;
    if (request_.every || request_.one)
        windows.emplace(windows_of(request_, folder.file("windows.csv")), *system_, analysis.coefficients());
    try {
        trace_ = std::make_unique<trace_output>(request_, *system_);
        simulate(dealt, windows ? &*windows : nullptr, err);
        trace_->close();
    } catch (const trace_error& error) {
        throw input_error(request_.arguments.place_of("--record"), error.what());
    }
    if (copies_) copies_->end_of_run();
    if (windows) windows->finish(outcome.cycles);
    account = account_of(*system_, scenario_.warnings, by_warp);
    if (windows) account.window = windows->take_window();
}

void simulated_draw::simulate(const dealt_batches* dealt, run_stops* stops, std::ostream& err)
{
    progress_line progress(err, request_.arguments);
    const auto all = dealt != nullptr ? dealt->primitives : progress.shown() ? count_primitives(scenario_.draw) : 0;
    const auto show = [&] {
        if (!progress.due()) return;
        const auto done = system_->pe().draw_counters().primitives_in;
        progress.show(std::to_string(done) + " of " + count_text(all, "primitive") + " in, " +
                          count_text(vertices_->rows(), "vertex", "vertices") + " out, cycle " +
                          std::to_string(system_->clock().now()),
                      done, all);
    };
    outcome = system_->run(request_.limits, show, stops);
}

verdict simulated_draw::judge() const
{
    static constexpr auto end_words =
        enum_names<run_end::mismatch>("done", "deadlock", "watchdog", "failed", "mismatch");
    const auto failed = [](const std::string& word, const std::string& text) {
        return verdict{exit_status::check_failed, word, text};
    };
    if (outcome.end != run_end::done)
        return failed(end_words[static_cast<std::size_t>(outcome.end)],
                      outcome.text + (outcome.state_dump.empty() ? "" : "\n" + outcome.state_dump));
    if (account.violation_count > 0)
        return failed("protocol", count_text(account.violation_count, "protocol violation") +
                                      ", the first: " + account.violations.front());
    const auto traps = account.traps();
    const auto trapped = [&](const char* with) {
        return count_text(traps, "trap") + with + (traps == 1 ? ": " : ", the first: ") +
               traps_of(account.sites).front().text;
    };
    if (!request_.strict.empty() && traps > 0) return failed("trap", trapped(" with --strict"));
    const auto warned = count_text(warnings.size(), "warning");
    verdict good;
    good.text = outcome.text + (request_.is_estimate() ? " (estimate)" : "");
    if (traps > 0) good.text += ", " + trapped("");
    if (!warnings.empty()) good.text += ", " + warned;
    if (request_.strict == "all" && !warnings.empty())
        good = failed("warning",
                      warned + " with --strict (--strict=traps lets them pass), the first: " + warnings.front().text);
    if (const auto difference = memory_difference(scenario_.memory); !difference.empty())
        return failed("mismatch", difference);
    const auto& expected = scenario_.expect;
    const auto difference =
        expected.file.empty() ? std::nullopt : compare_vertices(folder.file("vertices.csv"), expected);
    if (difference) return failed("mismatch", "the vertices differ from " + expected.file + ": " + difference->text());
    if (good.status == exit_status::done)
        good.text += expected.file.empty() ? " (no expected vertices given)" : "; the vertices are the expected ones";
    return good;
}

} // namespace isbesim::testbench
