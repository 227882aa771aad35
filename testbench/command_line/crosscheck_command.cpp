// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iomanip>
#include <ostream>
#include <string>
#include <vector>

#include <boost/program_options.hpp>

#include "testbench/command_line/commands.h"
#include "testbench/command_line/crosscheck_plan.h"
#include "testbench/command_line/machine_options.h"
#include "testbench/command_line/traffic_play.h"
#include "testbench/files/nearest.h"
#include "testbench/processes/exit_status.h"
#include "testbench/rtl/rtl_parameters.h"

namespace isbesim::testbench {

namespace po = boost::program_options;

namespace {

constexpr std::uint64_t max_transactions = 1'000'000'000'000;

void list_rtl_configurations(std::ostream& out)
{
    for (const auto& row : rtl_configurations())
        out << std::left << std::setw(16) << row.name << row.parameters << "\n";
}

/// The row of `all` that an option names.
template <typename list>
const auto& named(const command_arguments& arguments, const char* option, const char* what, const list& all)
{
    const auto& name = arguments.get<std::string>(option);
    std::vector<std::string> names{"list"};
    for (const auto& row : all) {
        if (name == row.name) return row;
        names.emplace_back(row.name);
    }
    const auto word = std::string("--") + option;
    throw input_error(arguments.place_of(word), std::string("no ") + what + " '" + name + "', expected " +
                                                    nearest_list(name, names, word + " list"));
}

void list_phases(std::ostream& out)
{
    for (const auto& each : phases()) out << std::left << std::setw(12) << each.name << each.description << "\n";
}

/// True if an option asks for a single run or for a file that a single run writes.
bool is_single(const command_arguments& arguments)
{
    const auto asks = [&](const char* option) { return arguments.is_given(option); };
    const auto options = {"transactions",       "phase", "record", "database", "timeline", "kanata", "wave",
                          "wave-on-difference", "cycles"};
    return std::any_of(options.begin(), options.end(), asks);
}

std::string read_backend(const command_arguments& arguments)
{
    if (arguments.has("data-only")) {
        if (arguments.is_given("isbe") && arguments.get<std::string>("isbe") != "rtl")
            arguments.fail("data-only", " with --isbe, expected it without, or with --isbe rtl");
        return "rtl";
    }
    auto name = arguments.get<std::string>("isbe");
    if (name != "at" && name != "rtl" && name != "lockstep")
        arguments.fail("isbe", " " + name + " can't be cross-checked, expected at, rtl or lockstep");
    return name;
}

void list_conditions(std::ostream& out, const coverage& bins)
{
    for (const auto& name : bins.missed(coverage::part::conditions)) out << name << "\n";
    for (const auto& [name, reason] : bins.page().excluded()) out << name << " excluded: " << reason << "\n";
}

} // namespace

po::options_description crosscheck_options()
{
    po::options_description options("Options");
    add_play_options(options, "report.json");
    auto add = options.add_options();
    add("transactions", po::value<std::uint64_t>()->value_name("N"),
        "a single run of so many random transactions, shared by the ports, and of one read of every line, instead of "
        "the plan of phases");
    add("phase", po::value<std::string>()->default_value(usual_phase)->value_name("NAME"),
        "a single run of this phase of the plan; 'list' prints them");
    add("seed", po::value<std::uint64_t>()->default_value(1)->value_name("S"), "same seed, same traffic");
    add("rtl", po::value<std::string>()->value_name("NAME"),
        "a named RTL configuration instead of --config's ISBE; 'list' prints them");
    add("isbe", po::value<std::string>()->default_value("lockstep")->value_name("at|rtl|lockstep"),
        "lockstep compares AT and RTL; at and rtl just run");
    add("data-only", "compares data and status with the model's, in the order of each port, in any cycles: for a block "
                     "with other latencies");
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
    const auto programs = read_machine(arguments, config);
    if (arguments.has("rtl")) {
        if (arguments.get<std::string>("rtl") == "list") {
            list_rtl_configurations(out);
            return exit_status::done;
        }
        config.isbe =
            config_of_rtl_parameters(named(arguments, "rtl", "RTL configuration", rtl_configurations()).parameters);
    }
    if (arguments.get<std::string>("phase") == "list") {
        list_phases(out);
        return exit_status::done;
    }
    const auto& planned = named(arguments, "phase", "phase", phases());
    const auto transactions =
        arguments.has("transactions") ? arguments.number("transactions", 1, max_transactions) : planned.transactions;
    const auto backend = read_backend(arguments);
    coverage bins(config.isbe);
    if (arguments.has("list-conditions")) {
        list_conditions(out, bins);
        return exit_status::done;
    }
    const crosscheck_job job{arguments, words, config, programs, backend, bins};
    if (arguments.has("runs")) return run_seeds(job, out, err);
    if (!is_single(arguments)) return run_plan(job, out, err);
    if (arguments.has("seconds")) arguments.fail("seconds", " with one run, expected the plan of phases");
    if (arguments.is_given("jobs")) arguments.fail("jobs", " with one run, expected --runs");
    return run_phase(job, planned, transactions, out, err);
}

} // namespace isbesim::testbench
