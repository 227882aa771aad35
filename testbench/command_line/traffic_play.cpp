// SPDX-License-Identifier: Apache-2.0
#include "testbench/command_line/traffic_play.h"

#include <algorithm>
#include <iomanip>
#include <optional>

#include "testbench/analysis/run_analysis.h"
#include "testbench/arguments/cycle_options.h"
#include "testbench/command_line/machine_options.h"
#include "testbench/command_line/progress_line.h"
#include "testbench/command_line/wave_options.h"
#include "testbench/files/json_text.h"
#include "testbench/processes/exit_status.h"
#include "testbench/report/cycle_stacks.h"
#include "testbench/report/estimate.h"
#include "testbench/report/report_figures.h"
#include "testbench/report/report_page.h"
#include "testbench/report/result_folder.h"
#include "testbench/report/run_clock.h"
#include "testbench/rtl/isbe_backend.h"
#include "tlm/count_text.h"

namespace isbesim::testbench {

namespace po = boost::program_options;

void print_totals(const lockstep_totals& totals, std::ostream& out)
{
    out << lockstep_line(totals) << "\n";
    if (totals.resets != 0)
        out << "resets:   " << totals.resets << " in " << totals.reset_cycles << " cycles, all pins compared\n";
}

void print_coverage(const coverage& bins, std::ostream& out, bool corners)
{
    using part = coverage::part;
    struct kind {
        part which;
        const char* name;
        const char* unit;
        std::size_t shown; ///< of those missed: a short run misses many
        const char* more;
    };
    static const std::vector<kind> kinds{{part::listed, "coverage", "bins hit", ~std::size_t{0}, ""},
                                         {part::conditions, "conditions", "of the page met", 10, "conditions"},
                                         {part::corners, "corners", "values drawn", 10, "corners"}};
    for (const auto& each : kinds) {
        if (each.which == part::corners && !corners) continue;
        const auto share = bins.of(each.which);
        out << each.name << ": " << share.hit << " of " << share.size << " " << each.unit << "\n";
        const auto missed = bins.missed(each.which);
        for (std::size_t i = 0; i < std::min(each.shown, missed.size()); ++i) out << "  missed " << missed[i] << "\n";
        if (missed.size() > each.shown)
            out << "  and " << missed.size() - each.shown << " more: report.json, coverage." << each.more << "\n";
    }
    if (!corners) return;
    out << "section  bins         conditions   corners\n";
    for (const auto& [section, parts] : bins.by_section()) {
        out << std::left << std::setw(9) << section;
        for (const auto& each : parts) {
            const auto text = each.size == 0 ? "-" : std::to_string(each.hit) + "/" + std::to_string(each.size);
            out << std::setw(&each == &parts.back() ? 0 : 13) << text;
        }
        out << "\n";
    }
}

bool misses_required(const command_arguments& arguments, const coverage& bins, std::ostream& err)
{
    for (const auto& [option, part] : {std::pair("require-coverage", coverage::part::listed),
                                       std::pair("require-conditions", coverage::part::conditions)}) {
        if (!arguments.has(option)) continue;
        const auto missed = bins.missed(part);
        if (missed.empty()) continue;
        err << "isbesim: " << missed.size() << " coverage bins were not hit, the first is " << missed.front()
            << std::endl;
        return true;
    }
    return false;
}

namespace {

void print_summary(const traffic_play& play, const std::string& backend, const traffic_outcome& outcome, double wall,
                   bool failed, const result_folder& folder, std::ostream& out)
{
    const auto known = estimate_of_traffic(backend, play.facts);
    out << play.facts.command << " on " << backend << ": " << count_text(outcome.transactions, "transaction") << ", "
        << count_text(outcome.cycles, "cycle") << (known ? " (estimate)\n" : "\n");
    if (known) out << known->text() << "\n";
    if (play.facts.replayed)
        out << loop_name(play.facts) << ": " << outcome.differences << " of "
            << count_text(outcome.transactions, "operation") << " responded otherwise than recorded\n";
    if (outcome.compared) print_totals(outcome.totals, out);
    if (play.facts.data_only)
        out << "data only: " << outcome.transactions << " transactions compared, " << outcome.differences
            << " data mismatches\n";
    if (play.bins != nullptr && !failed) print_coverage(*play.bins, out);
    out << std::fixed << std::setprecision(0) << ratio(static_cast<double>(outcome.transactions), wall)
        << " transactions per second of host time\nreport:   "
        << folder.final_file(play.facts.replayed ? "report.html" : "report.json") << "\n";
}

} // namespace

void add_play_options(po::options_description& options, const char* out)
{
    add_machine_options(options);
    auto add = options.add_options();
    add_out_option(options, out);
    add("check-protocol", "watch every TLM connection; a violation fails the run");
    add_progress_option(options);
    add("quiet", "no summary, no progress");
    add_analysis_options(options);
    add_wave_options(options);
}

int play_traffic(const traffic_play& play, traffic_request& request, std::ostream& out, std::ostream& err)
{
    const run_clock host_time;
    request.config = play.config.isbe;
    request.clock_ghz = play.config.clock_ghz;
    request.check_protocol = play.arguments.has("check-protocol");
    request.bins = play.bins;
    result_folder folder(place_of_results(play.arguments, play.bins != nullptr ? "crosscheck" : "replay"));
    run_analysis analysis(play.arguments, play.config, find_isbe_backend(request.backend)->style, true);
    const auto wave = make_waveform(play.arguments, cycle_clock::from_ghz(play.config.clock_ghz), analysis);
    request.wave = wave.get();
    const auto copies = make_copies(play.arguments, request.backend, wave.get());
    request.copies = copies.get();
    request.prepare = [&, attach = std::move(request.prepare)](isbe_module& isbe) {
        analysis.watch(isbe, play.config, play.facts.replayed);
        if (attach) attach(isbe);
    };
    std::optional<progress_line> progress(std::in_place, err, play.arguments);
    if (progress->shown())
        request.progress = [&](std::uint64_t done) {
            if (!progress->due()) return;
            const auto total = play.facts.transactions == 0 ? "" : " of " + std::to_string(play.facts.transactions);
            progress->show(std::to_string(done) + total + " transactions", done, play.facts.transactions);
        };
    traffic_outcome outcome;
    try {
        outcome = play.run(request);
    } catch (const std::invalid_argument& error) {
        throw input_error({"command-line", 1, 1}, error.what());
    }
    progress.reset();
    analysis.stop();
    auto result = verdict_of(play.facts, outcome);
    const bool failed = result.status != "done";
    if (!outcome.mismatch_report.empty()) result.text += (result.text.empty() ? "" : "\n") + outcome.mismatch_report;
    if (play.recorder != nullptr) play.recorder->close();
    auto report = make_report(play.config, play.facts, request.backend, outcome, play.bins, result,
                              analysis.coefficients(), analysis.series(outcome.cycles));
    analysis.finish(report, stacks_of_isbe(outcome.stacks));
    const auto wall = host_time.seconds();
    report["host"] = host_json(outcome.transactions, wall);
    if (play.facts.replayed)
        write_reports(folder, make_traffic_page(report), report);
    else
        folder.write("report.json", json_text(report));
    folder.commit();
    if (!play.arguments.has("quiet")) {
        print_summary(play, request.backend, outcome, wall, failed, folder, out);
        for (const auto& late : late_cycles(play.arguments, outcome.cycles))
            err << "isbesim: warning: " << late.text << "\n";
    }
    if (!failed && play.bins != nullptr && misses_required(play.arguments, *play.bins, err))
        return exit_status::check_failed;
    if (!failed) return exit_status::done;
    err << "isbesim: " << result.text;
    if (outcome.differs)
        err << wave_hint(play.arguments, play.facts.command, play.words, outcome.difference_cycle, copies.get());
    err << std::endl;
    return exit_status::check_failed;
}

} // namespace isbesim::testbench
