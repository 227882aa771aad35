// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "testbench/command_line/commands.h"
#include "testbench/command_line/commands_at_once.h"
#include "testbench/command_line/machine_options.h"
#include "testbench/command_line/traffic_play.h"
#include "testbench/crosscheck/traces/replay_limits.h"
#include "testbench/crosscheck/traces/trace_check.h"
#include "testbench/report/origin.h"
#include "testbench/system/config.h"

namespace isbesim::testbench {

namespace po = boost::program_options;

namespace {

/// Values of the command's own options.
struct replay_choices {
    std::string isbe = "at";
    bool open_loop = false;

    po::options_description options()
    {
        po::options_description options("Options");
        add_play_options(options, "report.json, report.md and report.html");
        auto add = options.add_options();
        add("isbe", bound(isbe, "lt|at|rtl|lockstep"), "what answers the trace");
        add("open-loop", bound(open_loop),
            "every request in its recorded cycle, or as soon after it as its port takes it. Then operations "
            "keep their order only where this machine is as fast as the recorded one; answers are compared "
            "all the same. Without it (closed loop) each operation waits for what it waited for when it "
            "was recorded, on any machine");
        return options;
    }
};

} // namespace

po::options_description replay_options()
{
    return lasting_options<replay_choices>();
}

int run_replay(const std::vector<std::string>& words, std::ostream& out, std::ostream& err)
{
    replay_choices choices;
    const command_arguments arguments(words, choices.options(), "TRACE");
    const auto path = arguments.positional("a trace (recorded with --record)");
    traffic_request request;
    request.backend = choices.isbe;
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
        auto machine = read_machine(arguments, config);
        if (machine.name.empty()) machine.name = "of the trace";
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
        facts.origin = origin_json({"replay", result_words(words), path, machine, config, request.backend});
        for (const auto& key : config_keys())
            if (key.get(recorded) != key.get(config) && std::string_view(key.name) != "clock_ghz")
                facts.changed.emplace_back(key.name);
        facts.open_loop = choices.open_loop;
        facts.loosely_recorded = trace.loosely_timed;
        request.warps = std::max(config.sm.warps, needs.contexts);
        const auto run = [&](const traffic_request& played) { return run_replay(played, trace, facts.open_loop); };
        return play_traffic({arguments, words, config, facts, run}, request, out, err);
    } catch (const trace_error& error) {
        throw input_error({path, 1, error.offset() + 1}, error.what());
    }
}

} // namespace isbesim::testbench
