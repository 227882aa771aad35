// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <iomanip>
#include <iosfwd>
#include <limits>
#include <optional>
#include <ostream>
#include <sstream>
#include <string>
#include <vector>

#include <boost/json.hpp>
#include <boost/program_options.hpp>

#include "testbench/arguments/command_arguments.h"
#include "testbench/command_line/commands.h"
#include "testbench/command_line/commands_at_once.h"
#include "testbench/command_line/machine_options.h"
#include "testbench/command_line/progress_line.h"
#include "testbench/command_line/traffic_play.h"
#include "testbench/crosscheck/traffic/coverage.h"
#include "testbench/crosscheck/traffic/interrupted_start.h"
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
#include "testbench/report/result_folder.h"
#include "testbench/report/traffic_report.h"
#include "testbench/rtl/rtl_parameters.h"
#include "testbench/system/config.h"
#include "testbench/version.h"
#include "tlm/count_text.h"

namespace isbesim::testbench {

namespace json = boost::json;
namespace po = boost::program_options;

namespace {

constexpr std::uint64_t most_runs = 1'000'000;

constexpr const char* covers =
    "Runs of random traffic that differ in their seed. transactions (by opcode) and cycles are sums over the runs, "
    "coverage has what all of them hit together. A run that left no report (result none) has no part in any of them.";

struct seed_range {
    std::uint64_t first = 0, count = 0;
};

seed_range seeds_of(const command_arguments& arguments)
{
    const seed_range seeds{arguments.get<std::uint64_t>("seed"), arguments.number("runs", 1, most_runs)};
    if (seeds.first > std::numeric_limits<std::uint64_t>::max() - seeds.count)
        arguments.fail("seed",
                       " is " + std::to_string(seeds.first) + ", expected that so many runs have seeds from there on");
    refuse_one_file(arguments, "many runs", "one of them: --seed S without --runs", {"cycles"});
    return seeds;
}

std::string folder_of(std::uint64_t seed)
{
    return "seeds/" + std::to_string(seed);
}

std::vector<command_words> commands_of(const seed_range& seeds, const command_words& words, const result_folder& folder)
{
    const auto kept = without_options(words, {"--runs", "--jobs", "--seed", "--out"},
                                      {"--quiet", "--progress", "--require-coverage", "--require-conditions"});
    std::vector<command_words> commands;
    commands.reserve(seeds.count);
    for (std::uint64_t i = 0; i < seeds.count; ++i) {
        const auto seed = seeds.first + i;
        commands.push_back(
            quiet_command("crosscheck", kept, {"--seed", std::to_string(seed)}, folder.file(folder_of(seed))));
    }
    return commands;
}

/// Sums over all runs.
struct sums {
    json::object transactions; // by opcode
    std::uint64_t operations = 0, cycles = 0;
    json::array runs;
    std::ostringstream table;
};

/// `report` is empty if the run has left none.
void add(sums& all, coverage& bins, std::uint64_t seed, int status, const json::object& report)
{
    std::uint64_t operations = 0, cycles = 0;
    std::string result = "none";
    if (!report.empty()) {
        for (const auto& [opcode, count] : report.at("transactions").as_object()) {
            const auto own = count.to_number<std::uint64_t>();
            operations += own;
            auto& sum = all.transactions[opcode];
            sum = own + (sum.is_null() ? 0 : sum.to_number<std::uint64_t>());
        }
        cycles = report.at("cycles").to_number<std::uint64_t>();
        result = report.at("result").at("status").as_string().c_str();
        const auto& own = report.at("coverage");
        for (const auto* hits : {&own.at("hits"), &own.at("conditions").at("hits")})
            for (const auto& [name, count] : hits->as_object()) bins.add_hits(name, count.to_number<std::uint64_t>());
    }
    all.operations += operations;
    all.cycles += cycles;
    all.runs.push_back(json::object{{"seed", seed},
                                    {"status", status},
                                    {"result", result},
                                    {"transactions", operations},
                                    {"cycles", cycles},
                                    {"folder", folder_of(seed)}});
    all.table << seed << "," << status << "," << result << "," << operations << "," << cycles << "\n";
}

/// Adds --runs and --jobs.
void add_run_options(po::options_description& options)
{
    auto add = options.add_options();
    add("runs", po::value<std::uint64_t>()->value_name("N"),
        "N runs with the seeds S, S + 1, ...: results of each in DIR/seeds, coverage of all together");
    add("jobs", po::value<unsigned>()->value_name("N"), "of --runs at a time; default: one per core");
}

/// For --runs: runs the cross-check of `words` with the seeds S, S + 1, ..., each in a separate process. Results of a
/// seed are in seeds/S of the folder, report.json has the hits of all runs, seeds.csv a line per run. `bins` must have
/// no hits yet. Returns the worst exit status. Throws input_error.
int run_seeds(const command_arguments& arguments, const std::vector<std::string>& words, coverage& bins,
              std::ostream& out, std::ostream& err)
{
    const auto seeds = seeds_of(arguments);
    const auto jobs = jobs_of(arguments);
    result_folder folder(place_of_results(arguments, "crosscheck"));
    out.flush();
    std::vector<int> statuses;
    {
        progress_line progress(err, arguments);
        statuses = run_commands(commands_of(seeds, words, folder), jobs, err, [&](std::size_t done) {
            if (progress.due())
                progress.show(std::to_string(done) + " of " + std::to_string(seeds.count) + " runs", done, seeds.count);
        });
    }
    sums all;
    all.table << "seed,status,result,transactions,cycles\n";
    for (std::uint64_t i = 0; i < seeds.count; ++i) {
        const auto seed = seeds.first + i;
        // Wrong input and internal errors leave no report.
        const bool whole = statuses[i] == exit_status::done || statuses[i] == exit_status::check_failed;
        const auto report =
            whole ? json::parse(read_file(folder.file(folder_of(seed) + "/report.json"), "a report")).as_object()
                  : json::object();
        add(all, bins, seed, statuses[i], report);
    }
    folder.write("seeds.csv", all.table.str());
    const auto failed = static_cast<std::uint64_t>(
        std::count_if(statuses.begin(), statuses.end(), [](int status) { return status != 0; }));
    folder.write("report.json", json_text(json::object{{"tool", json::object{{"version", version_text}}},
                                                       {"covers", covers},
                                                       {"transactions", std::move(all.transactions)},
                                                       {"cycles", all.cycles},
                                                       {"failed_runs", failed},
                                                       {"coverage", coverage_json(bins)},
                                                       {"runs", std::move(all.runs)}}));
    folder.commit();
    if (!arguments.has("quiet")) {
        out << "crosscheck: " << count_text(seeds.count, "run") << " with seeds " << seeds.first << " to "
            << seeds.first + seeds.count - 1 << ", " << count_text(all.operations, "transaction") << ", "
            << count_text(failed, "run") << " failed\n";
        if (failed == 0) print_coverage(bins, out);
        out << "runs:     " << folder.final_file("seeds.csv") << "\nreport:   " << folder.final_file("report.json")
            << "\n";
    }
    const int worst = *std::max_element(statuses.begin(), statuses.end());
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
    const auto transactions = arguments.number("transactions", 1, max_transactions);
    traffic_request request;
    request.backend = read_backend(arguments);
    traffic_facts facts{"crosscheck", "random traffic"};
    facts.seed = arguments.get<std::uint64_t>("seed");
    facts.origin = origin_json({"crosscheck", words, facts.source, programs, config, request.backend});
    facts.data_only = arguments.has("data-only");
    // An interrupted start counts on the cycles of the page.
    request.make_block =
        facts.data_only ? rtl_blocks_from(static_cast<std::uint32_t>(facts.seed) | 1U) : interrupted_blocks(facts.seed);
    facts.transactions = transactions + config.isbe.lines; // and one read of every line
    coverage bins(config.isbe);
    if (arguments.has("list-conditions")) {
        list_conditions(out, bins);
        return exit_status::done;
    }
    if (arguments.has("runs")) return run_seeds(arguments, words, bins, out, err);
    if (arguments.is_given("jobs")) arguments.fail("jobs", " with one run, expected --runs");
    random_traffic traffic(config.isbe, facts.seed, transactions);
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
