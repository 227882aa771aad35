// SPDX-License-Identifier: Apache-2.0
#include "testbench/analysis/run_analysis.h"

#include "models/isa/text/text.h"
#include "testbench/arguments/cycle_options.h"
#include "testbench/files/json_text.h"
#include "testbench/report/cycle_stacks.h"
#include "testbench/system/config.h"

namespace isbesim::testbench {

namespace json = boost::json;
namespace po = boost::program_options;

namespace {

void put_fact(run_database& database, const char* key, const json::value& value)
{
    if (value.is_double())
        database.fact(key, value.get_double());
    else if (value.is_number())
        database.fact(key, value.to_number<std::uint64_t>());
    else if (value.is_string())
        database.fact(key, std::string(value.get_string()));
    else
        database.fact(key, json_text(value));
}

} // namespace

cycle_window read_window(const command_arguments& arguments)
{
    cycle_window window;
    if (arguments.has("cycles")) read_cycles(arguments, "cycles", window.first, window.last);
    return window;
}

void add_analysis_options(po::options_description& options)
{
    auto add = options.add_options();
    add("database", po::value<std::string>()->value_name("FILE.sqlite"),
        "every transaction, warp, space, stall and trap, for SQL (scripts/queries)");
    add("timeline", po::value<std::string>()->value_name("FILE.json"),
        "the same over time, for Perfetto and chrome://tracing; 1 us = 1 cycle");
    add("cycles", po::value<std::string>()->value_name("FIRST:LAST"),
        "only these cycles of --timeline and --kanata; run: their figures in the reports (window)");
    add("coefficients", po::value<std::string>()->value_name("FILE.json"),
        "of the energy and area proxies, instead of testbench/report/coefficients.json");
}

run_analysis::run_analysis(const command_arguments& arguments, const machine_config& config,
                           warp_initiator::style style, bool trace)
    : style_(style)
{
    if (trace && arguments.has("cycles") && !arguments.has("timeline"))
        arguments.fail("cycles", " without anything to cut, expected --timeline");
    if (arguments.has("coefficients")) coefficients_.load(arguments.get<std::string>("coefficients"));
    if (arguments.has("database")) {
        const uninterrupted whole; // no signal until SQLite has the file and files_ knows all that it writes
        try {
            database_ =
                std::make_unique<run_database>(arguments.get<std::string>("database"), config_to_json(config), trace);
        } catch (const database_error& error) {
            throw input_error(arguments.place_of("--database"), error.what());
        }
        // SQLite's additional files exist while it is written.
        for (const auto* ending : database_endings) files_.add(arguments.get<std::string>("database") + ending);
        database_->fact("status", std::string("running"));
        for (const auto& each : coefficients_.all())
            database_->coefficient(each.name.c_str(), each.value, each.source.c_str());
        database_relay_ = std::make_unique<event_relay>(*database_);
        recorder_.add(*database_relay_);
    }
    if (arguments.has("profile")) {
        profile_ = std::make_unique<program_profile>();
        recorder_.add_for_instructions(*profile_);
    }
    if (arguments.has("timeline")) {
        const auto window = read_window(arguments);
        try {
            timeline_ = std::make_unique<run_timeline>(arguments.get<std::string>("timeline"), config, !trace,
                                                       style == warp_initiator::style::approximately_timed, window);
        } catch (const std::runtime_error& error) {
            throw input_error(arguments.place_of("--timeline"), error.what() + std::string(", expected a new file"));
        }
        timeline_relay_ = std::make_unique<event_relay>(*timeline_);
        recorder_.add(*timeline_relay_);
    }
}

void run_analysis::show_instructions(const command_arguments& arguments, const machine_config& config,
                                     const draw_call& draw)
{
    if (!arguments.has("kanata")) return;
    const auto& path = arguments.get<std::string>("kanata");
    // The draw outlives the run; texts are built when an instruction is written.
    const auto text = [&draw](stage which, std::uint32_t pc) -> std::string {
        const auto found = draw.stages.find(which);
        if (found == draw.stages.end()) return "";
        const auto& program = found->second.program;
        const auto index = program.index_of(pc);
        return index == isa::program::npos ? "" : isa::instruction_text(program.code[index]);
    };
    const auto window = read_window(arguments);
    try {
        kanata_ = std::make_unique<run_kanata>(path, config, window, text);
    } catch (const std::runtime_error& error) {
        throw input_error(arguments.place_of("--kanata"), error.what() + std::string(", expected a new file"));
    }
    recorder_.add_for_instructions(*kanata_);
}

void run_analysis::name_sources(std::map<stage, source_lines> sources)
{
    sources_ = std::move(sources);
    if (database_ == nullptr) return;
    for (const auto& [program_stage, lines] : sources_)
        for (const auto& [pc, line] : lines) database_->source(program_stage, pc, line);
}

void run_analysis::put_report(const json::object& report, const std::vector<cycle_stack>& stacks)
{
    database_relay_->finish();
    for (const auto* key :
         {"scenario", "draw", "backend", "cycles", "time_ns", "bottleneck", "rests_on", "crosscheck", "estimate"})
        if (const auto* value = report.if_contains(key)) put_fact(*database_, key, *value);
    for (const auto* key : {"version", "seed"}) put_fact(*database_, key, report.at("tool").at(key));
    for (const auto* key : {"status", "text"}) put_fact(*database_, key, report.at("result").at(key));
    for (const auto& each : stacks) database_->stack(each);
    if (const auto* all = report.if_contains("histograms")) database_->histograms(all->get_object());
}

void run_analysis::finish(const json::object& report, simulated_system& system,
                          const std::vector<run_warning>& warnings)
{
    if (kanata_ != nullptr) kanata_->finish();
    if (timeline_ != nullptr) {
        timeline_relay_->finish();
        timeline_->path(system.critical_path_steps());
        timeline_->finish(report.contains("estimate"));
    }
    if (database_ != nullptr) put_run(report, system, warnings);
    files_.complete();
}

void run_analysis::put_run(const json::object& report, simulated_system& system,
                           const std::vector<run_warning>& warnings)
{
    put_report(report, stacks_of(system));
    for (unsigned i = 0; system.config().isbe.ports == 1 && i < system.sm_count(); ++i) {
        database_->shared_port(i, "sm", system.port_wait(i, 0));
        database_->shared_port(i, "pe", system.port_wait(i, 1));
    }
    for (const auto& each : system.critical_path()) database_->path(each);
    for (const auto& each : warnings) database_->warning(each);
    database_->finish();
}

void run_analysis::finish(const json::object& report, const std::vector<cycle_stack>& stacks)
{
    if (timeline_ != nullptr) {
        timeline_relay_->finish();
        timeline_->finish(report.contains("estimate"));
    }
    if (database_ != nullptr) {
        put_report(report, stacks);
        database_->finish();
    }
    files_.complete();
}

} // namespace isbesim::testbench
