// SPDX-License-Identifier: Apache-2.0
#include <optional>
#include <stdexcept>
#include <string>

#include "testbench/command_line/crosscheck_job.h"
#include "testbench/command_line/traffic_play.h"
#include "testbench/crosscheck/interface_run.h"
#include "testbench/crosscheck/traffic/prepared_traffic.h"
#include "testbench/crosscheck/traffic/random_traffic.h"
#include "testbench/files/json_text.h"
#include "testbench/files/temporary_file.h"
#include "testbench/processes/interruption.h"
#include "testbench/processes/process_pool.h"
#include "testbench/report/traffic_report.h"
#include "testbench/rtl/rtl_store.h"

namespace isbesim::testbench {

namespace {

/// The comparison of the models' interfaces, as that of a run in lockstep.
traffic_outcome interfaces_outcome(const machine_config& config, std::uint64_t seed, traffic_source& source)
{
    const auto found = run_interfaces(config.isbe, config.clock_ghz, seed, source);
    traffic_outcome outcome;
    outcome.transactions = found.operations + found.accesses;
    outcome.cycles = found.cycles;
    outcome.compared = true;
    outcome.totals.transactions = outcome.transactions;
    outcome.totals.data_mismatches = found.mismatch_report.empty() ? 0 : 1;
    outcome.mismatch_report = found.mismatch_report;
    return outcome;
}

/// The traffic as a trace, whose operations keep their answers in any cycles. In a process of its own, since it takes a
/// simulation of the timed model.
trace_file recorded_traffic(const machine_config& config, traffic_source& source, const std::string& path)
{
    const auto end = run_in_process([&] {
        trace_recorder recorder(path, {config.isbe, json_text(config_to_json(config)), true, false});
        traffic_request request;
        request.config = config.isbe;
        request.clock_ghz = config.clock_ghz;
        request.backend = "at";
        request.prepare = [&](isbe_module& isbe) { isbe.attach(recorder); };
        run_traffic(request, source);
        recorder.close();
        return std::string();
    });
    if (!end.whole) throw std::runtime_error("the traffic can't be made: " + end.bytes);
    return open_trace(path);
}

} // namespace

int run_phase(const crosscheck_job& job, coverage& bins, std::ostream& out, std::ostream& err)
{
    const auto& config = job.config;
    const auto& planned = *job.planned;
    const auto transactions = job.transactions.value_or(planned.transactions);
    traffic_facts facts{"crosscheck", "random traffic"};
    facts.seed = job.seed;
    facts.origin = job.origin();
    facts.data_only = job.data_only;
    facts.transactions = transactions + config.isbe.lines; // and one read of every line
    traffic_request request;
    request.backend = job.isbe;
    request.make_block = rtl_blocks_from(static_cast<std::uint32_t>(facts.seed) | 1U);
    if (request.backend == "lockstep") request.resets = {planned.reset_cycles, facts.seed, planned.traffic};
    random_traffic traffic(config.isbe, facts.seed, transactions, planned.traffic);
    with_memory_image source(traffic, config.isbe);
    std::optional<trace_recorder> recorder;
    std::optional<temporary_file> file;
    try {
        if (!job.record.empty()) {
            const recorded_machine machine{config.isbe, json_text(config_to_json(config)), request.backend != "rtl",
                                           false};
            recorder.emplace(job.record, machine);
            request.prepare = [&](isbe_module& isbe) { isbe.attach(*recorder); };
        }
        const auto run = [&](const traffic_request& given_request) {
            if (facts.data_only) {
                const auto trace = recorded_traffic(config, source, file.emplace().path());
                auto outcome = run_replay(given_request, trace, false);
                if (outcome.first_difference)
                    outcome.difference = describe_answer(trace, config.isbe, *outcome.first_difference);
                return outcome;
            }
            if (planned.interfaces) return interfaces_outcome(config, facts.seed, source);
            if (!may_work_beside(job.arguments)) return run_traffic(given_request, source);
            std::optional<uninterrupted> quiet(std::in_place); // signals end the program in its main thread
            prepared_traffic prepared(source, config.isbe.ports);
            quiet.reset();
            return run_traffic(given_request, prepared);
        };
        return play_traffic({job.arguments, job.words, config, facts, run, recorder ? &*recorder : nullptr,
                             planned.interfaces ? nullptr : &bins},
                            request, out, err);
    } catch (const trace_error& error) {
        throw input_error(job.arguments.place_of("--record"), error.what());
    }
}

} // namespace isbesim::testbench
