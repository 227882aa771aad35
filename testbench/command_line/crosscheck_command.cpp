// SPDX-License-Identifier: Apache-2.0
#include <iomanip>
#include <optional>

#include "testbench/command_line/commands.h"
#include "testbench/command_line/commands_at_once.h"
#include "testbench/command_line/crosscheck_runs.h"
#include "testbench/command_line/machine_options.h"
#include "testbench/command_line/traffic_play.h"
#include "testbench/crosscheck/traffic/coverage.h"
#include "testbench/crosscheck/traffic/interrupted_start.h"
#include "testbench/crosscheck/traffic/prepared_traffic.h"
#include "testbench/crosscheck/traffic/random_traffic.h"
#include "testbench/files/json_text.h"
#include "testbench/files/nearest.h"
#include "testbench/processes/exit_status.h"
#include "testbench/processes/interruption.h"
#include "testbench/rtl/rtl_parameters.h"
#include "testbench/system/config.h"

namespace isbesim::testbench {

namespace po = boost::program_options;

namespace {

constexpr std::uint64_t max_transactions = 1'000'000'000'000;

void list_rtl_configurations(std::ostream& out)
{
    for (const auto& row : rtl_configurations())
        out << std::left << std::setw(16) << row.name << row.parameters << "\n";
}

/// The ISBE of --rtl.
isbe_config read_rtl_configuration(const command_arguments& arguments)
{
    const auto& name = arguments.get<std::string>("rtl");
    std::vector<std::string> names{"list"};
    for (const auto& row : rtl_configurations()) {
        if (name == row.name) return config_of_rtl_parameters(row.parameters);
        names.emplace_back(row.name);
    }
    throw input_error(arguments.place_of("--rtl"),
                      "no RTL configuration '" + name + "', expected " + nearest_list(name, names, "--rtl list"));
}

std::uint64_t read_transactions(const command_arguments& arguments)
{
    const auto transactions = arguments.get<std::uint64_t>("transactions");
    if (transactions == 0 || transactions > max_transactions)
        throw input_error(arguments.place_of("--transactions"), "--transactions is " + std::to_string(transactions) +
                                                                    ", expected 1 to " +
                                                                    std::to_string(max_transactions));
    return transactions;
}

std::string read_backend(const command_arguments& arguments)
{
    auto name = arguments.get<std::string>("isbe");
    if (name != "at" && name != "rtl" && name != "lockstep")
        throw input_error(arguments.place_of("--isbe"),
                          "--isbe " + name + " can't be cross-checked, expected at, rtl or lockstep");
    return name;
}

void list_conditions(std::ostream& out, const coverage& bins)
{
    for (const auto& name : bins.missed(true)) out << name << "\n";
    for (const auto& [name, reason] : bins.page().excluded()) out << name << " excluded: " << reason << "\n";
}

} // namespace

po::options_description crosscheck_options()
{
    po::options_description options("Options");
    add_play_options(options, "folder for report.json, replaced as a whole");
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
        if (arguments.get<std::string>("rtl") == "list") {
            list_rtl_configurations(out);
            return exit_status::done;
        }
        config.isbe = read_rtl_configuration(arguments);
    }
    const auto transactions = read_transactions(arguments);
    traffic_request request;
    request.backend = read_backend(arguments);
    traffic_facts facts{"crosscheck", "random traffic"};
    facts.seed = arguments.get<std::uint64_t>("seed");
    request.make_block = interrupted_blocks(facts.seed);
    facts.transactions = transactions + config.isbe.lines; // and one read of every line
    coverage bins(config.isbe);
    if (arguments.has("list-conditions")) {
        list_conditions(out, bins);
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
            std::optional<uninterrupted> quiet(std::in_place); // signals end the program in its main thread
            prepared_traffic prepared(source, config.isbe.ports);
            quiet.reset();
            return run_traffic(asked, prepared);
        };
        return play_traffic({arguments, words, config, facts, run, recorder ? &*recorder : nullptr, &bins}, request,
                            out, err);
    } catch (const trace_error& error) {
        throw input_error(arguments.place_of("--record"), error.what());
    }
}

} // namespace isbesim::testbench
