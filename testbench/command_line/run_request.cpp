// SPDX-License-Identifier: Apache-2.0
#include "testbench/command_line/run_request.h"

#include <chrono>
#include <string_view>

#include "testbench/analysis/run_analysis.h"
#include "testbench/command_line/capture_commands.h"
#include "testbench/command_line/commands_at_once.h"
#include "testbench/files/nearest.h"
#include "testbench/scenario/scenario.h"

namespace isbesim::testbench {

namespace {

/// --timing lt implies --isbe lt, and refuses options that need the order of operations.
sm_timing read_timing(const command_arguments& arguments)
{
    const auto& timing = arguments.get<std::string>("timing");
    if (timing == "at") return sm_timing::by_cycle;
    if (timing != "lt") arguments.fail("timing", " is '" + timing + "', expected at or lt");
    if (arguments.is_given("isbe") && arguments.get<std::string>("isbe") != "lt")
        arguments.fail("isbe",
                       " " + arguments.get<std::string>("isbe") + " with --timing lt, expected --isbe lt or none");
    for (const auto* option :
         {"database", "timeline", "kanata", "profile", "record", "wave", "what-if", "every", "cycles"})
        if (arguments.has(option))
            arguments.fail(option, " with --timing lt, which keeps no order of operations; expected --timing at");
    return sm_timing::by_warp;
}

/// Reruns have an AT ISBE: refuses back ends whose cycles cannot be compared with theirs.
void read_what_if(const command_arguments& arguments, run_request& request)
{
    if (arguments.has("what-if-seconds")) {
        if (!arguments.has("what-if")) arguments.fail("what-if-seconds", " without --what-if, expected both");
        const auto seconds = arguments.get<unsigned>("what-if-seconds");
        if (seconds == 0) arguments.fail("what-if-seconds", " is 0, expected at least 1 second");
        request.reruns_end = std::chrono::steady_clock::now() + std::chrono::seconds(seconds);
    }
    if (!arguments.has("what-if")) return;
    const auto& how = arguments.get<std::string>("what-if");
    if (how != "steps" && how != "pairs")
        arguments.fail("what-if", "=" + how + " is unknown, expected --what-if or --what-if=pairs");
    const std::string_view backend = request.backend->name;
    if (backend != "at" && backend != "lockstep")
        arguments.fail("what-if", " with --isbe " + std::string(backend) + ", expected --isbe at or lockstep");
    request.what_if = true;
    request.pairs = how == "pairs";
}

void read_windows(const command_arguments& arguments, run_request& request)
{
    if (arguments.has("every")) {
        request.every = arguments.get<std::uint64_t>("every");
        if (request.every == 0) arguments.fail("every", " is 0, expected at least 1 cycle");
    }
    if (arguments.has("cycles") && !is_captured_sequence(request.scenario_file, arguments))
        request.one = read_window(arguments);
}

void read_jobs(const command_arguments& arguments, run_request& request)
{
    request.jobs = jobs_of(arguments);
    if (request.is_chip() && !arguments.is_given("jobs") && !may_work_beside(arguments)) request.jobs = 1;
    if (arguments.is_given("jobs") && !request.what_if && !request.is_chip() &&
        !is_captured_sequence(request.scenario_file, arguments))
        arguments.fail("jobs", " with one draw, no reruns and one TPC, expected a capture, --what-if or a chip");
}

/// --tpc; without it refuses the options about a single machine on a chip.
void read_tpc(const command_arguments& arguments, run_request& request)
{
    const auto tpcs = request.config.chip.all_tpcs();
    if (arguments.has("tpc")) {
        const auto tpc = arguments.get<unsigned>("tpc");
        if (tpcs == 1)
            arguments.fail("tpc", " on a machine of one TPC, expected a chip: chip.gpcs x chip.tpcs more than 1");
        if (tpc >= tpcs)
            arguments.fail("tpc", " is " + std::to_string(tpc) +
                                      ", expected less than chip.gpcs x chip.tpcs = " + std::to_string(tpcs));
        if (arguments.has("what-if"))
            arguments.fail("what-if", " with --tpc, expected the whole chip: its last TPC is another on another one");
        request.tpc = tpc;
    }
    if (request.is_chip())
        refuse_one_file(arguments, "a chip of " + std::to_string(tpcs) + " TPCs",
                        "also --tpc N: one of them alone, because each runs in a process of its own");
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

run_request read_run_request(const command_arguments& arguments)
{
    run_request request;
    request.scenario_file = read_scenario_file(arguments);
    auto captured = use_machine_of_capture(request.scenario_file, arguments, request.config);
    request.machine = read_machine(arguments, request.config);
    request.machine.sources.merge(captured.sources);
    if (request.machine.name.empty()) request.machine.name = captured.name;
    read_tpc(arguments, request);
    request.timing = read_timing(arguments);
    const auto backend = request.timing == sm_timing::by_warp ? std::string("lt") : arguments.get<std::string>("isbe");
    request.backend = find_isbe_backend(backend);
    if (request.backend == nullptr)
        throw input_error(arguments.place_of("--isbe"),
                          "unknown back end --isbe " + backend + ", expected lt, at, rtl or lockstep");
    request.isbe_place = arguments.place_of("--isbe");
    if (arguments.has("record")) {
        request.record = arguments.get<std::string>("record");
        request.record_place = arguments.place_of("--record");
    }
    request.out = place_of_results(arguments, "run");
    request.seed = arguments.get<std::uint64_t>("seed");
    if (arguments.has("max-cycles")) {
        request.limits.max_cycles = arguments.get<std::uint64_t>("max-cycles");
        if (request.limits.max_cycles == 0) arguments.fail("max-cycles", " is 0, expected at least 1 cycle");
    }
    request.wave_sm = arguments.get<unsigned>("wave-sm");
    if (request.wave_sm >= request.config.sm_count)
        arguments.fail("wave-sm", " is " + std::to_string(request.wave_sm) +
                                      ", expected less than sm_count = " + std::to_string(request.config.sm_count));
    request.write_vertices = !arguments.has("no-vertices") && !request.tpc;
    if (arguments.has("strict")) {
        const auto& strict = arguments.get<std::string>("strict");
        if (strict != "all" && strict != "traps")
            arguments.fail("strict",
                           "=" + strict + " is unknown, expected --strict (traps and warnings) or --strict=traps");
        request.strict_traps = true;
        request.strict_warnings = strict == "all";
    }
    request.check_protocol = arguments.has("check-protocol");
    request.quiet = arguments.has("quiet");
    request.full = arguments.has("full");
    read_windows(arguments, request);
    read_what_if(arguments, request);
    read_jobs(arguments, request);
    if (arguments.has("timeline")) request.path = path_recording::steps;
    if (arguments.has("no-critical-path")) request.path = path_recording::off;
    const std::string_view name = request.backend->name;
    request.measures = (name == "at" || name == "lockstep") && request.path != path_recording::off &&
                       !request.what_if && !request.tpc && !is_one_of_several();
    return request;
}

} // namespace isbesim::testbench
