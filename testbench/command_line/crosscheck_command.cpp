// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <iomanip>
#include <iosfwd>
#include <limits>
#include <optional>
#include <ostream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json.hpp>
#include <boost/program_options.hpp>

#include "testbench/arguments/command_arguments.h"
#include "testbench/command_line/commands.h"
#include "testbench/command_line/commands_at_once.h"
#include "testbench/command_line/machine_options.h"
#include "testbench/command_line/progress_line.h"
#include "testbench/command_line/traffic_play.h"
#include "testbench/crosscheck/interface_run.h"
#include "testbench/crosscheck/phases.h"
#include "testbench/crosscheck/traffic/coverage.h"
#include "testbench/crosscheck/traffic/prepared_traffic.h"
#include "testbench/crosscheck/traffic/random_traffic.h"
#include "testbench/files/files.h"
#include "testbench/files/json_text.h"
#include "testbench/files/nearest.h"
#include "testbench/files/write_error.h"
#include "testbench/processes/exit_status.h"
#include "testbench/processes/interruption.h"
#include "testbench/processes/process_pool.h"
#include "testbench/report/origin.h"
#include "testbench/report/report_figures.h"
#include "testbench/report/result_folder.h"
#include "testbench/report/run_clock.h"
#include "testbench/report/traffic_report.h"
#include "testbench/rtl/rtl_parameters.h"
#include "testbench/rtl/rtl_store.h"
#include "testbench/system/config.h"
#include "testbench/version.h"
#include "tlm/count_text.h"

namespace isbesim::testbench {

namespace json = boost::json;
namespace po = boost::program_options;

namespace {

constexpr std::uint64_t most_runs = 1'000'000;
constexpr std::uint64_t most_seconds = 10'000'000;
constexpr std::uint64_t seeds_of_a_round = 1'000; ///< of the plan: more than histories of a phase

constexpr const char* covers =
    "Runs of random traffic that differ in their seed. transactions (by opcode) and cycles are sums over the runs, "
    "coverage has what all of them hit together. A run that left no report (result none) has no part in any of them.";
constexpr const char* phases_cover =
    "The runs of the plan (isbesim crosscheck --phase list): each phase with its seeds, on this machine or on a named "
    "configuration. crosscheck and coverage are theirs together, coverage without other machines. All other figures "
    "are those of the phase random alone.";

/// One of several runs of the command.
struct planned_run {
    std::uint64_t seed = 0;
    std::string phase;         ///< of the plan; empty: the command's own
    std::string configuration; ///< named; empty: the command's machine
    std::string folder() const
    {
        if (phase.empty()) return "seeds/" + std::to_string(seed);
        return "phases/" + phase + (configuration.empty() ? "" : "_" + configuration) + "/" + std::to_string(seed);
    }
    command_words words() const
    {
        command_words own{"--seed", std::to_string(seed)};
        if (!phase.empty()) own.insert(own.end(), {"--phase", phase});
        if (!configuration.empty()) own.insert(own.end(), {"--rtl", configuration});
        return own;
    }
};

std::vector<planned_run> runs_of_seeds(const command_arguments& arguments)
{
    const auto first = arguments.get<std::uint64_t>("seed");
    const auto count = arguments.number("runs", 1, most_runs);
    if (first > std::numeric_limits<std::uint64_t>::max() - count)
        arguments.fail("seed",
                       " is " + std::to_string(first) + ", expected that so many runs have seeds from there on");
    refuse_one_file(arguments, "many runs", "one of them: --seed S without --runs", {"cycles"});
    std::vector<planned_run> runs;
    for (std::uint64_t i = 0; i < count; ++i) runs.push_back({first + i, {}, {}});
    return runs;
}

/// True if the command names no machine, so that the plan chooses others, too. A plug-in has one machine.
bool has_other_machines(const command_arguments& arguments)
{
    const char* const block = std::getenv("ISBESIM_RTL_BLOCK");
    const std::string_view file = block == nullptr ? "" : block;
    const bool plugin = file.size() > 3 && file.substr(file.size() - 3) == ".so";
    return !plugin && !arguments.has("config") && !arguments.has("set") && !arguments.has("rtl");
}

/// The runs of the plan on the machine of the command or, `others`, on named configurations.
std::vector<planned_run> runs_of_plan(std::uint64_t seed, bool others)
{
    std::vector<planned_run> runs;
    if (others) {
        for (const auto* const phase : phases_of_configurations())
            for (const auto* const name : crosschecked_configurations()) runs.push_back({seed, phase, name});
        return runs;
    }
    for (const auto& each : phases())
        for (unsigned i = 0; i < each.histories; ++i) runs.push_back({seed + i, each.name, {}});
    return runs;
}

/// Sums over all runs.
struct sums {
    json::object transactions; // by opcode
    std::uint64_t operations = 0, cycles = 0, failed = 0, ended = 0;
    json::object crosscheck; // the report's
    json::array runs;
    std::ostringstream table;
};

void add_counts(json::object& sum, const json::object& counts)
{
    for (const auto& [name, count] : counts) {
        auto& of = sum[name];
        const auto before = of.is_null() ? 0 : of.to_number<std::uint64_t>();
        const auto own = count.to_number<std::uint64_t>();
        of = name == "max_cycle_error" ? std::max(before, own) : before + own;
    }
}

/// `report` is empty if the run has left none.
void add(sums& all, coverage& bins, const planned_run& run, int status, const json::object& report)
{
    std::uint64_t operations = 0, cycles = 0;
    std::string result = "none";
    if (!report.empty()) {
        const auto& counts = report.at("transactions").as_object();
        for (const auto& [opcode, count] : counts) operations += count.to_number<std::uint64_t>();
        add_counts(all.transactions, counts);
        if (const auto* const own = report.if_contains("crosscheck")) add_counts(all.crosscheck, own->as_object());
        cycles = report.at("cycles").to_number<std::uint64_t>();
        result = report.at("result").at("status").as_string().c_str();
        const auto* const own = run.configuration.empty() ? report.if_contains("coverage") : nullptr;
        for (const auto* part :
             {own, own == nullptr ? own : &own->at("conditions"), own == nullptr ? own : &own->at("corners")})
            if (part != nullptr)
                for (const auto& [name, hits] : part->at("hits").as_object())
                    bins.add_hits(name, hits.to_number<std::uint64_t>());
    }
    all.operations += operations;
    all.cycles += cycles;
    ++all.ended;
    all.failed += status == exit_status::done ? 0 : 1;
    json::object row{{"seed", run.seed}};
    if (!run.phase.empty()) row["phase"] = run.phase;
    if (!run.configuration.empty()) row["configuration"] = run.configuration;
    row["status"] = status;
    row["result"] = result;
    row["transactions"] = operations;
    row["cycles"] = cycles;
    row["folder"] = run.folder();
    all.runs.push_back(std::move(row));
    all.table << run.seed << "," << status << "," << result << "," << operations << "," << cycles << "\n";
}

/// Adds --runs and --jobs.
void add_run_options(po::options_description& options)
{
    auto add = options.add_options();
    add("runs", po::value<std::uint64_t>()->value_name("N"),
        "N runs with the seeds S, S + 1, ...: results of each in DIR/seeds, coverage of all together");
    add("seconds", po::value<std::uint64_t>()->value_name("N"),
        "goes on with the plan of phases, with other seeds, for so long");
    add("jobs", po::value<unsigned>()->value_name("N"), "of --runs and of the plan at a time; default: one per core");
}

/// Runs the cross-check of `words` several times, each in a separate process, and collects results.
class several_runs {
public:
    several_runs(const command_arguments& arguments, const std::vector<std::string>& words, coverage& bins,
                 std::ostream& err)
        : arguments_(arguments),
          kept_(without_options(words, {"--runs", "--seconds", "--jobs", "--seed", "--out"},
                                {"--quiet", "--progress", "--require-coverage", "--require-conditions"})),
          bins_(bins),
          err_(err),
          jobs_(jobs_of(arguments)),
          folder_(place_of_results(arguments, "crosscheck"))
    {
        all_.table << "seed,status,result,transactions,cycles\n";
    }

    /// Returns the worst exit status. `go_on`: of runs that have failed, too.
    int run(const std::vector<planned_run>& runs, std::ostream& said, bool go_on, const deadline& until = {})
    {
        std::vector<command_words> commands;
        commands.reserve(runs.size());
        for (const auto& each : runs)
            commands.push_back(quiet_command("crosscheck", kept_, each.words(), folder_.file(each.folder())));
        std::vector<int> statuses;
        {
            progress_line progress(err_, arguments_);
            statuses = run_commands(
                commands, jobs_, said,
                [&](std::size_t done, int status) {
                    if (progress.due())
                        progress.show(std::to_string(done) + " of " + std::to_string(runs.size()) + " runs", done,
                                      runs.size());
                    return go_on || status == exit_status::done;
                },
                until);
        }
        for (std::size_t i = 0; i < runs.size(); ++i) {
            if (statuses[i] == not_ended) continue;
            // Wrong input and internal errors leave no report.
            const bool whole = statuses[i] == exit_status::done || statuses[i] == exit_status::check_failed;
            add(all_, bins_, runs[i], statuses[i], whole ? report_of(runs[i]) : json::object());
            if (statuses[i] != exit_status::done) last_failed_ = runs[i];
        }
        return *std::max_element(statuses.begin(), statuses.end());
    }

    json::object report_of(const planned_run& run) const
    {
        return json::parse(read_file(folder_.file(run.folder() + "/report.json"), "a report")).as_object();
    }
    const std::optional<planned_run>& last_failed() const { return last_failed_; }
    sums& all() { return all_; }
    result_folder& folder() { return folder_; }
    /// The command line of one of the runs.
    std::string command_of(const planned_run& run) const
    {
        std::string text = "isbesim crosscheck";
        for (const auto& words : {kept_, run.words()})
            for (const auto& word : words) text += " " + word;
        return text;
    }

private:
    const command_arguments& arguments_;
    command_words kept_;
    coverage& bins_;
    std::ostream& err_;
    unsigned jobs_;
    result_folder folder_;
    sums all_;
    std::optional<planned_run> last_failed_;
};

/// For --runs: the seeds S, S + 1, ... Results of a seed are in seeds/S of the folder, report.json has the hits of all
/// runs, seeds.csv a line per run. `bins` must have no hits yet. Returns the worst exit status. Throws input_error.
int run_seeds(const command_arguments& arguments, const std::vector<std::string>& words, coverage& bins,
              std::ostream& out, std::ostream& err)
{
    const auto seeds = runs_of_seeds(arguments);
    several_runs runs(arguments, words, bins, err);
    out.flush();
    const int worst = runs.run(seeds, err, true);
    auto& all = runs.all();
    auto& folder = runs.folder();
    folder.write("seeds.csv", all.table.str());
    folder.write("report.json", json_text(json::object{{"tool", json::object{{"version", version_text}}},
                                                       {"covers", covers},
                                                       {"transactions", std::move(all.transactions)},
                                                       {"cycles", all.cycles},
                                                       {"failed_runs", all.failed},
                                                       {"coverage", coverage_json(bins)},
                                                       {"runs", std::move(all.runs)}}));
    folder.commit();
    if (!arguments.has("quiet")) {
        out << "crosscheck: " << count_text(seeds.size(), "run") << " with seeds " << seeds.front().seed << " to "
            << seeds.back().seed << ", " << count_text(all.operations, "transaction") << ", "
            << count_text(all.failed, "run") << " failed\n";
        if (all.failed == 0) print_coverage(bins, out);
        out << "runs:     " << folder.final_file("seeds.csv") << "\nreport:   " << folder.final_file("report.json")
            << "\n";
    }
    return worst == exit_status::done && misses_required(arguments, bins, err) ? exit_status::check_failed : worst;
}

lockstep_totals totals_of(const json::object& crosscheck)
{
    const auto count = [&](const char* name) {
        const auto* const found = crosscheck.if_contains(name);
        return found == nullptr ? 0 : found->to_number<std::uint64_t>();
    };
    lockstep_totals totals;
    totals.transactions = count("transactions");
    totals.data_mismatches = count("data_mismatches");
    totals.cycle_mismatches = count("cycle_mismatches");
    totals.max_cycle_error = count("max_cycle_error");
    totals.resets = count("resets");
    totals.reset_cycles = count("reset_cycles");
    return totals;
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

/// Without --transactions and other options of one run: all phases, then the configurations, until one of them fails.
/// The report is that of the first random phase or of the failed run, with the comparison and coverage of all.
int run_plan(const command_arguments& arguments, const std::vector<std::string>& words, const isbe_config& config,
             coverage& bins, std::ostream& out, std::ostream& err)
{
    const run_clock host_time;
    const auto begin = std::chrono::steady_clock::now();
    const auto first = arguments.get<std::uint64_t>("seed");
    const auto seconds = arguments.has("seconds") ? arguments.number("seconds", 1, most_seconds) : 0;
    if (read_backend(arguments) != "at") { // once, instead of by every run
        try {
            rtl_plugin_of(config);
        } catch (const std::invalid_argument& error) {
            throw input_error({"command-line", 1, 1}, error.what());
        }
    }
    several_runs runs(arguments, words, bins, err);
    out.flush();
    int worst = exit_status::done;
    std::ostringstream notes;
    deadline until; // of the first round, none
    for (std::uint64_t round = 0; worst == exit_status::done; ++round) {
        const auto seed = first + round * seeds_of_a_round;
        worst = runs.run(runs_of_plan(seed, false), err, false, until);
        if (worst == exit_status::done && has_other_machines(arguments)) {
            std::ostringstream said;
            const int other = runs.run(runs_of_plan(seed, true), said, false, until);
            // A block that can't be had for another machine is no mistake of this one.
            (other == exit_status::check_failed ? err : notes) << said.str();
            if (other == exit_status::check_failed) worst = other;
        }
        until = begin + std::chrono::seconds(seconds);
        if (std::chrono::steady_clock::now() >= *until) break;
    }
    auto& all = runs.all();
    auto& folder = runs.folder();
    const auto shown = worst == exit_status::done ? runs_of_plan(first, false).front() : *runs.last_failed();
    if (worst == exit_status::done || worst == exit_status::check_failed) {
        auto report = runs.report_of(shown);
        report["of"].as_object()["command"] = command_json("crosscheck", result_words(words));
        report["covers"].as_object()["phases"] = phases_cover;
        if (!all.crosscheck.empty()) report["crosscheck"] = all.crosscheck;
        report["coverage"] = coverage_json(bins);
        report["phases"] = std::move(all.runs);
        report["host"] = host_json(all.operations, host_time.seconds());
        folder.write("report.json", json_text(report));
        folder.commit();
    }
    if (!arguments.has("quiet") && worst <= exit_status::check_failed) {
        out << "crosscheck on " << arguments.get<std::string>("isbe") << ": "
            << count_text(all.operations, "transaction") << ", " << count_text(all.cycles, "cycle") << ", "
            << count_text(all.ended, "run") << "\n";
        if (!all.crosscheck.empty()) print_totals(totals_of(all.crosscheck), out);
        if (worst == exit_status::done) print_coverage(bins, out, true);
        if (!notes.str().empty()) out << "not run: " << notes.str();
        out << "report:   " << folder.final_file("report.json") << "\n";
    }
    if (worst != exit_status::done) err << "again: " << runs.command_of(shown) << std::endl;
    return worst == exit_status::done && misses_required(arguments, bins, err) ? exit_status::check_failed : worst;
}

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

/// The phase of --phase.
const phase& read_phase(const command_arguments& arguments)
{
    const auto& name = arguments.get<std::string>("phase");
    if (const auto* const found = find_phase(name)) return *found;
    std::vector<std::string> names{"list"};
    for (const auto& each : phases()) names.emplace_back(each.name);
    throw input_error(arguments.place_of("--phase"),
                      "no phase '" + name + "', expected " + nearest_list(name, names, "--phase list"));
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

/// An unnamed file, by a path that this process and its copies can open.
class temporary_file {
public:
    temporary_file() : file_(std::tmpfile())
    {
        if (file_ == nullptr) throw write_error::incomplete("a temporary file", errno);
        path_ = "/proc/self/fd/" + std::to_string(fileno(file_));
    }
    ~temporary_file() { std::fclose(file_); }
    temporary_file(const temporary_file&) = delete;
    temporary_file& operator=(const temporary_file&) = delete;

    const std::string& path() const { return path_; }

private:
    std::FILE* file_;
    std::string path_;
};

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

void list_conditions(std::ostream& out, const coverage& bins)
{
    for (const auto& name : bins.missed(coverage::part::conditions)) out << name << "\n";
    for (const auto& [name, reason] : bins.page().excluded()) out << name << " excluded: " << reason << "\n";
}

} // namespace

po::options_description crosscheck_options()
{
    po::options_description options("Options");
    add_play_options(options, "folder for report.json, replaced as a whole");
    auto add = options.add_options();
    add("transactions", po::value<std::uint64_t>()->value_name("N"),
        "a single run of so many random transactions, shared by the ports, and of one read of every line, instead of "
        "the "
        "plan of phases");
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
        config.isbe = read_rtl_configuration(arguments);
    }
    if (arguments.get<std::string>("phase") == "list") {
        list_phases(out);
        return exit_status::done;
    }
    const auto& planned = read_phase(arguments);
    const auto transactions =
        arguments.has("transactions") ? arguments.number("transactions", 1, max_transactions) : planned.transactions;
    traffic_request request;
    request.backend = read_backend(arguments);
    traffic_facts facts{"crosscheck", "random traffic"};
    facts.seed = arguments.get<std::uint64_t>("seed");
    facts.origin = origin_json({"crosscheck", result_words(words), facts.source, programs, config, request.backend});
    facts.data_only = arguments.has("data-only");
    request.make_block = rtl_blocks_from(static_cast<std::uint32_t>(facts.seed) | 1U);
    if (request.backend == "lockstep") request.resets = {planned.reset_cycles, facts.seed, planned.traffic};
    facts.transactions = transactions + config.isbe.lines; // and one read of every line
    coverage bins(config.isbe);
    if (arguments.has("list-conditions")) {
        list_conditions(out, bins);
        return exit_status::done;
    }
    if (arguments.has("runs")) return run_seeds(arguments, words, bins, out, err);
    if (!is_single(arguments)) return run_plan(arguments, words, config.isbe, bins, out, err);
    if (arguments.has("seconds")) arguments.fail("seconds", " with one run, expected the plan of phases");
    if (arguments.is_given("jobs")) arguments.fail("jobs", " with one run, expected --runs");
    random_traffic traffic(config.isbe, facts.seed, transactions, planned.traffic);
    with_memory_image source(traffic, config.isbe);
    std::optional<trace_recorder> recorder;
    std::optional<temporary_file> file;
    try {
        if (arguments.has("record")) {
            const recorded_machine machine{config.isbe, json_text(config_to_json(config)), request.backend != "rtl",
                                           false};
            recorder.emplace(arguments.get<std::string>("record"), machine);
            request.prepare = [&](isbe_module& isbe) { isbe.attach(*recorder); };
        }
        const auto run = [&](const traffic_request& asked) {
            if (facts.data_only) {
                const auto trace = recorded_traffic(config, source, file.emplace().path());
                auto outcome = run_replay(asked, trace, false);
                if (outcome.first_difference)
                    outcome.difference = describe_answer(trace, config.isbe, *outcome.first_difference);
                return outcome;
            }
            if (planned.interfaces) return interfaces_outcome(config, facts.seed, source);
            if (!may_work_beside(arguments)) return run_traffic(asked, source);
            std::optional<uninterrupted> quiet(std::in_place); // signals end the program in its main thread
            prepared_traffic prepared(source, config.isbe.ports);
            quiet.reset();
            return run_traffic(asked, prepared);
        };
        return play_traffic({arguments, words, config, facts, run, recorder ? &*recorder : nullptr,
                             planned.interfaces ? nullptr : &bins},
                            request, out, err);
    } catch (const trace_error& error) {
        throw input_error(arguments.place_of("--record"), error.what());
    }
}

} // namespace isbesim::testbench
