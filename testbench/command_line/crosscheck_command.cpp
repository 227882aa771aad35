// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iomanip>
#include <ostream>
#include <string>
#include <vector>

#include <boost/program_options.hpp>

#include "testbench/command_line/commands.h"
#include "testbench/command_line/crosscheck_job.h"
#include "testbench/command_line/machine_options.h"
#include "testbench/command_line/traffic_play.h"
#include "testbench/files/nearest.h"
#include "testbench/processes/exit_status.h"
#include "testbench/rtl/rtl_parameters.h"

namespace isbesim::testbench {

namespace po = boost::program_options;

namespace {

void list_rtl_configurations(std::ostream& out)
{
    for (const auto& row : rtl_configurations())
        out << std::left << std::setw(16) << row.name << row.parameters << "\n";
}

/// The row of `all` that an option names.
template <typename list>
const auto& named(const command_arguments& arguments, const char* option, const std::string& name, const char* what,
                  const list& all)
{
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

void list_conditions(std::ostream& out, const coverage& bins)
{
    for (const auto& name : bins.missed(coverage::part::conditions)) out << name << "\n";
    for (const auto& [name, reason] : bins.page().excluded()) out << name << " excluded: " << reason << "\n";
}

} // namespace

po::options_description crosscheck_choices::options()
{
    po::options_description options("Options");
    add_play_options(options, "report.json");
    auto add = options.add_options();
    add("transactions", bound(transactions, "N", {1, 1'000'000'000'000}),
        "a single run of so many random transactions, shared by the ports, and of one read of every line, instead of "
        "the plan of phases");
    add("phase", bound(phase_name, "NAME"), "a single run of this phase of the plan; 'list' prints them");
    add("seed", bound(seed, "S"), "same seed, same traffic");
    add("rtl", bound(rtl, "NAME"), "a named RTL configuration instead of --config's ISBE; 'list' prints them");
    add("isbe", bound(isbe, "at|rtl|lockstep"), "lockstep compares AT and RTL; at and rtl just run");
    add("data-only", bound(data_only),
        "compares data and status with the model's, in the order of each port, in any cycles: for a block "
        "with other latencies");
    add("record", bound(record, "FILE"), "writes the traffic as a trace for replay");
    add("require-coverage", "a coverage bin that was not hit fails the run");
    add("list-conditions", bound(list_conditions),
        "prints the bins of the page's conditions, and why others can't be met, and ends");
    add("require-conditions",
        "the same of the page's conditions by opcode, form and stage: takes a million transactions");
    add("runs", bound(runs, "N", {1, 1'000'000}),
        "N runs with the seeds S, S + 1, ...: results of each in DIR/seeds, coverage of all together");
    add("seconds", bound(seconds, "N", {1, 10'000'000}),
        "goes on with the plan of phases, with other seeds, for so long");
    add("jobs", po::value<unsigned>()->value_name("N"), "of --runs and of the plan at a time; default: one per core");
    return options;
}

crosscheck_job::crosscheck_job(const command_words& own_words)
    : words(own_words), arguments(own_words, options(), "ARGUMENT")
{
    if (arguments.has("ARGUMENT"))
        throw input_error({"command-line", 1, 2}, "crosscheck takes no file, expected options only");
    programs = read_machine(arguments, config);
    if (rtl == "list" || phase_name == "list") return;
    if (!rtl.empty()) {
        config.isbe = config_of_rtl_parameters(
            named(arguments, "rtl", rtl, "RTL configuration", rtl_configurations()).parameters);
        for (const auto& each : set_assignments(arguments)) set_config(each.text, each.place, config);
    }
    planned = &named(arguments, "phase", phase_name, "phase", phases());
    if (data_only) {
        if (arguments.is_given("isbe") && isbe != "rtl")
            arguments.fail("data-only", " with --isbe, expected it without, or with --isbe rtl");
        isbe = "rtl";
    }
    if (isbe != "at" && isbe != "rtl" && isbe != "lockstep")
        arguments.fail("isbe", " " + isbe + " can't be cross-checked, expected at, rtl or lockstep");
}

po::options_description crosscheck_options()
{
    return lasting_options<crosscheck_choices>();
}

int run_crosscheck(const std::vector<std::string>& words, std::ostream& out, std::ostream& err)
{
    const crosscheck_job job(words);
    coverage bins(job.config.isbe);
    if (job.rtl == "list") {
        list_rtl_configurations(out);
    } else if (job.phase_name == "list") {
        list_phases(out);
    } else if (job.list_conditions) {
        list_conditions(out, bins);
    } else if (job.runs) {
        return run_seeds(job, bins, out, err);
    } else if (!is_single(job.arguments)) {
        return run_plan(job, bins, out, err);
    } else {
        if (job.seconds) job.arguments.fail("seconds", " with one run, expected the plan of phases");
        if (job.arguments.is_given("jobs")) job.arguments.fail("jobs", " with one run, expected --runs");
        return run_phase(job, bins, out, err);
    }
    return exit_status::done;
}

} // namespace isbesim::testbench
