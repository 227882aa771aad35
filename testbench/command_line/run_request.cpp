// SPDX-License-Identifier: Apache-2.0
#include "testbench/command_line/run_request.h"

#include <algorithm>
#include <chrono>

#include "testbench/analysis/run_analysis.h"
#include "testbench/command_line/capture_commands.h"
#include "testbench/command_line/commands_at_once.h"
#include "testbench/command_line/progress_line.h"
#include "testbench/command_line/wave_options.h"
#include "testbench/files/nearest.h"
#include "testbench/scenario/scenario.h"

namespace isbesim::testbench {

namespace po = boost::program_options;

namespace {

/// --strict alone means --strict=all, --what-if alone --what-if=steps; otherwise Boost would take the next word, which
/// may be the scenario.
std::vector<std::string> with_values(std::vector<std::string> words)
{
    std::replace(words.begin(), words.end(), std::string("--strict"), std::string("--strict=all"));
    std::replace(words.begin(), words.end(), std::string("--what-if"), std::string("--what-if=steps"));
    return words;
}

std::string read_scenario_file(const command_arguments& arguments)
{
    const auto name = arguments.positional(
        "a scenario (SCENARIO.json, its folder or the name of a shipped one) or a capture (FILE.capture)");
    auto file = scenario_file_of(name);
    if (file != name || !is_scenario_name(name)) return file;
    if (const auto shipped = shipped_scenarios(); !shipped.empty())
        throw input_error(arguments.place_of_positional(), "'" + name +
                                                               "' is neither a file nor a shipped scenario, expected " +
                                                               nearest_list(name, shipped) + ", a file or a folder");
    return file;
}

} // namespace

po::options_description run_choices::options()
{
    po::options_description options("Options");
    add_machine_options(options);
    auto add = options.add_options();
    add("isbe", bound(isbe, "lt|at|rtl|lockstep"),
        "what stands in the ISBE's place: loosely or approximately timed, the Verilated RTL, or AT and RTL compared");
    add("timing", bound(sm_time, "at|lt"),
        "how SMs keep time: cycle by cycle, or loosely: the same vertices several times as fast, cycles are an "
        "estimate (with --isbe lt)");
    add("record", bound(record, "FILE"),
        "record every request to the ISBE, for 'isbesim replay'; of several SMs, those of the first");
    add("draw", bound(draw, "N"), "of a capture: this draw, from 0");
    add("frame", bound(frame, "N"), "of a capture: the draws of this frame, from 0");
    add("contained", bound(contained),
        "the scenario may name files in its own folder and below only; links are followed first");
    add_out_option(options, "vertices.csv and the reports");
    add("no-vertices", bound(no_vertices), "no vertices.csv; what the scenario expects is compared all the same");
    add("seed", bound(seed, "N"), "every random choice derives from it; a draw makes none");
    add("max-cycles", bound(max_cycles, "N", at_least_one("cycle")), "give up after so many cycles");
    add("strict", bound(strict, "[=traps]"), "a trap or a warning fails the run; --strict=traps: a trap alone");
    add("check-protocol", bound(check_protocol), "watch every TLM connection; a violation fails the run");
    add("no-critical-path", bound(no_critical_path),
        "do not record what each event waited for: no critical_path and no measured step in the report, a faster run");
    add("what-if", bound(what_if, "[=pairs]"),
        "the draw on machines that differ in one key, a step better and a step worse, measured by reruns; "
        "--what-if=pairs: also on those that are better in two");
    add("what-if-seconds", bound(what_if_seconds, "N"),
        "reruns that have not ended by then are not measured; default: no limit");
    add("jobs", po::value<unsigned>()->value_name("N"),
        "draws of a capture, reruns of --what-if, or TPCs of a chip, at a time; default: one per core");
    add("tpc", bound(tpc, "N"),
        "of a chip: this TPC alone with the batches that it gets, from 0; it may be watched as any machine, and its "
        "vertices are not written");
    add_progress_option(options);
    add("quiet", bound(quiet), "no summary, no warnings, no progress on the terminal: only errors");
    add("full", bound(full), "all tables on the terminal, not only the main figures");
    add_analysis_options(options);
    add("kanata", po::value<std::string>()->value_name("FILE.kanata"),
        "pipeline of the warps' instructions, for Konata");
    add("every", bound(every, "N", at_least_one("cycle")),
        "windows.csv in the results: the figures of every N cycles, which add up to the run's");
    add("profile", "in the reports: issues, cycles lost by reason, latency and passes of every instruction");
    add_wave_options(options);
    add("wave-sm", bound(wave_sm, "N"), "the SM whose ISBE --wave shows");
    return options;
}

run_request::run_request(std::vector<std::string> words)
    : arguments(with_values(std::move(words)), options(), "SCENARIO.json"),
      scenario_file(read_scenario_file(arguments)),
      out(place_of_results(arguments, "run"))
{
    auto captured = use_machine_of_capture(scenario_file, arguments, config);
    machine = read_machine(arguments, config);
    machine.sources.merge(captured.sources);
    if (machine.name.empty()) machine.name = captured.name;
    read_tpc();
    read_timing();
    limits.max_cycles = max_cycles.value_or(limits.max_cycles);
    if (wave_sm >= config.sm_count)
        arguments.fail("wave-sm", " is " + std::to_string(wave_sm) +
                                      ", expected less than sm_count = " + std::to_string(config.sm_count));
    if (!strict.empty() && strict != "all" && strict != "traps")
        arguments.fail("strict",
                       "=" + strict + " is unknown, expected --strict (traps and warnings) or --strict=traps");
    is_sequence = is_captured_sequence(*this);
    if (arguments.has("cycles") && !is_sequence) one = read_window(arguments);
    read_what_if();
    read_jobs();
    if (arguments.has("timeline")) path = path_recording::steps;
    if (no_critical_path) path = path_recording::off;
    measures = (isbe == "at" || isbe == "lockstep") && path != path_recording::off && what_if.empty() && !tpc &&
               !is_one_of_several();
}

/// --tpc; without it refuses the options about a single machine on a chip.
void run_request::read_tpc()
{
    const auto tpcs = config.chip.all_tpcs();
    if (tpc) {
        if (tpcs == 1)
            arguments.fail("tpc", " on a machine of one TPC, expected a chip: chip.gpcs x chip.tpcs more than 1");
        if (*tpc >= tpcs)
            arguments.fail("tpc", " is " + std::to_string(*tpc) +
                                      ", expected less than chip.gpcs x chip.tpcs = " + std::to_string(tpcs));
        if (!what_if.empty())
            arguments.fail("what-if", " with --tpc, expected the whole chip: its last TPC is another on another one");
    }
    if (is_chip())
        refuse_one_file(arguments, "a chip of " + std::to_string(tpcs) + " TPCs",
                        "also --tpc N: one of them alone, because each runs in a process of its own");
}

/// --timing lt implies --isbe lt, and refuses options that need the order of operations.
void run_request::read_timing()
{
    if (sm_time == "lt") {
        if (arguments.is_given("isbe") && isbe != "lt")
            arguments.fail("isbe", " " + isbe + " with --timing lt, expected --isbe lt or none");
        for (const auto* option :
             {"database", "timeline", "kanata", "profile", "record", "wave", "what-if", "every", "cycles"})
            if (arguments.has(option))
                arguments.fail(option, " with --timing lt, which keeps no order of operations; expected --timing at");
        timing = sm_timing::by_warp;
        isbe = "lt";
    } else if (sm_time != "at") {
        arguments.fail("timing", " is '" + sm_time + "', expected at or lt");
    }
    backend = find_isbe_backend(isbe);
    if (backend == nullptr)
        throw input_error(isbe_place(), "unknown back end --isbe " + isbe + ", expected lt, at, rtl or lockstep");
}

/// Reruns have an AT ISBE: refuses back ends whose cycles cannot be compared with theirs.
void run_request::read_what_if()
{
    if (what_if_seconds) {
        if (what_if.empty()) arguments.fail("what-if-seconds", " without --what-if, expected both");
        if (*what_if_seconds == 0) arguments.fail("what-if-seconds", " is 0, expected at least 1 second");
        reruns_end = std::chrono::steady_clock::now() + std::chrono::seconds(*what_if_seconds);
    }
    if (what_if.empty()) return;
    if (what_if != "steps" && what_if != "pairs")
        arguments.fail("what-if", "=" + what_if + " is unknown, expected --what-if or --what-if=pairs");
    if (isbe != "at" && isbe != "lockstep")
        arguments.fail("what-if", " with --isbe " + isbe + ", expected --isbe at or lockstep");
}

void run_request::read_jobs()
{
    jobs = jobs_of(arguments);
    if (is_chip() && !arguments.is_given("jobs") && !may_work_beside(arguments)) jobs = 1;
    if (arguments.is_given("jobs") && what_if.empty() && !is_chip() && !is_sequence)
        arguments.fail("jobs", " with one draw, no reruns and one TPC, expected a capture, --what-if or a chip");
}

} // namespace isbesim::testbench
