// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <optional>
#include <sstream>

#include <boost/json/object.hpp>
#include <boost/program_options.hpp>

#include "models/isbe/functional/names.h"
#include "testbench/analysis/run_analysis.h"
#include "testbench/arguments/command_arguments.h"
#include "testbench/command_line/commands.h"
#include "testbench/command_line/commands_at_once.h"
#include "testbench/command_line/machine_options.h"
#include "testbench/command_line/progress_line.h"
#include "testbench/files/json_text.h"
#include "testbench/files/nearest.h"
#include "testbench/load/load_curve.h"
#include "testbench/load/load_operations.h"
#include "testbench/load/load_page.h"
#include "testbench/processes/exit_status.h"
#include "testbench/report/cycle_stacks.h"
#include "testbench/report/origin.h"
#include "testbench/report/report_figures.h"
#include "testbench/report/report_page.h"
#include "testbench/report/report_tables.h"
#include "testbench/report/result_folder.h"
#include "testbench/report/run_clock.h"
#include "testbench/report/traffic_report.h"
#include "testbench/rtl/rtl_engine.h"

namespace isbesim::testbench {

namespace po = boost::program_options;
namespace json = boost::json;

namespace {

constexpr std::uint64_t most_operations = 1'000'000'000;

/// A finite number that fills the whole text.
double number(const std::string& text)
{
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    return text.empty() || end != text.c_str() + text.size() ? std::nan("") : value;
}

[[noreturn]] void fail(const command_arguments& arguments, const std::string& option, const std::string& expected)
{
    arguments.fail(option, " is '" + arguments.get<std::string>(option.c_str()) + "', expected " + expected);
}

double real(const command_arguments& arguments, const char* option, double low, double high)
{
    const double value = number(arguments.get<std::string>(option));
    if (value >= low && value <= high) return value;
    std::ostringstream range;
    range << "a number from " << low << " to " << high;
    fail(arguments, option, range.str());
}

struct share {
    std::string name;
    double weight = 1;
};

/// "a=2,b" -> a 2, b 1.
std::vector<share> shares(const command_arguments& arguments, const char* option, const std::string& expected)
{
    std::vector<share> result;
    std::istringstream in(arguments.get<std::string>(option));
    for (std::string part; std::getline(in, part, ',');) {
        const auto equals = part.find('=');
        share each{part.substr(0, equals)};
        if (equals != std::string::npos) each.weight = number(part.substr(equals + 1));
        if (each.name.empty() || !(each.weight > 0) || std::isinf(each.weight)) fail(arguments, option, expected);
        for (const auto& other : result)
            if (other.name == each.name) fail(arguments, option, expected + ", each once");
        result.push_back(std::move(each));
    }
    return result;
}

std::vector<weighted_value> values(const command_arguments& arguments, const char* option, const std::string& expected,
                                   const std::vector<unsigned>& admitted)
{
    std::vector<weighted_value> result;
    for (const auto& each : shares(arguments, option, expected)) {
        const double value = number(each.name);
        bool known = false;
        for (const auto one : admitted) known = known || value == one;
        if (!known) fail(arguments, option, expected);
        result.push_back({static_cast<unsigned>(value), each.weight});
    }
    return result;
}

/// Scales the shares of stores to add up to `writes`, and the other shares to the rest.
void share_writes(load_profile& profile, double writes)
{
    double stores = 0, others = 0;
    const auto sum = [&](unsigned op) -> double& { return is_store(static_cast<opcode>(op)) ? stores : others; };
    for (unsigned op = 0; op < opcode_count; ++op) sum(op) += profile.mix[op];
    if (stores == 0) profile.mix[static_cast<unsigned>(opcode::ast)] = stores = 1;
    if (others == 0) profile.mix[static_cast<unsigned>(opcode::ald)] = others = 1;
    for (unsigned op = 0; op < opcode_count; ++op)
        profile.mix[op] *= is_store(static_cast<opcode>(op)) ? writes / stores : (1 - writes) / others;
}

void read_mix(const command_arguments& arguments, load_profile& profile)
{
    const std::string expected = "opcodes with weights such as ald=3,ast=1 (of ald, ast, al2p, out, isberd, isbewr)";
    for (const auto& each : shares(arguments, "mix", expected)) {
        unsigned op = 0;
        while (op < static_cast<unsigned>(opcode::bind) && each.name != opcode_names[op]) ++op;
        if (op == static_cast<unsigned>(opcode::bind)) fail(arguments, "mix", expected);
        profile.mix[op] = each.weight;
    }
    if (arguments.has("write-share")) share_writes(profile, real(arguments, "write-share", 0, 1));
}

void read_handles(const command_arguments& arguments, load_profile& profile)
{
    constexpr unsigned most_stride = 1024;
    const auto& text = arguments.get<std::string>("handles");
    const std::string expected = "sequential, same, random or stride:N with N from 1 to " + std::to_string(most_stride);
    if (text == "sequential") return;
    const bool has_conflicts = profile.conflicts.size() != 1 || profile.conflicts.front().value != 1;
    if (has_conflicts)
        arguments.fail("conflict", " with --handles " + text + ", expected it with sequential handles only");
    if (text == "same") {
        profile.handles = handle_pattern::same;
    } else if (text == "random") {
        profile.handles = handle_pattern::random;
    } else {
        const double stride = text.rfind("stride:", 0) == 0 ? number(text.substr(7)) : 0;
        if (!(stride >= 1 && stride <= most_stride) || stride != std::floor(stride))
            fail(arguments, "handles", expected);
        profile.handles = handle_pattern::stride;
        profile.stride = static_cast<unsigned>(stride);
    }
}

void add_traffic_options(po::options_description& options)
{
    const auto text = [](const char* name, const char* standard = nullptr) {
        auto* value = po::value<std::string>()->value_name(name);
        return standard == nullptr ? value : value->default_value(standard);
    };
    const auto whole = [](std::uint64_t standard) {
        return po::value<std::uint64_t>()->default_value(standard)->value_name("N");
    };
    auto add = options.add_options();
    add("rate", text("R"), "open loop: operations per cycle that arrive, all ports together");
    add("outstanding", po::value<std::uint64_t>()->value_name("N"),
        "closed loop: operations for each used port that are always under way");
    add("curve", "sweeps the rate up to saturation: latency over accepted bandwidth");
    add("points", whole(20), "of the curve, beside those near 0 and beyond 95 %");
    add("mix", text("OP=W,...", "ald"), "opcodes with weights: ald, ast, al2p, out, isberd, isbewr");
    add("write-share", text("X"), "of the operations: scales the mix's stores to X, the others to 1-X");
    add("sizes", text("N=W,...", "1"), "words of ald, ast and al2p: 1 to 4 with weights");
    add("conflict", text("N=W,...", "1"), "rows of a bank in which the lanes of a load meet: 1, 2, 4, 8, 16 or 32");
    add("handles", text("PATTERN", "sequential"), "vertices that lanes name: sequential, same, random, stride:N");
    add("lanes", whole(32), "active lanes");
    add("port-share", text("X", "0"), "of the operations that go to port 1, the PE's");
    add("arrivals", text("poisson|regular", "poisson"), "open loop: at random, or at equal distances");
    add("burst", whole(1), "open loop: so many operations arrive together");
    add("warmup", whole(2000), "operations before measuring begins");
    add("operations", whole(50000), "measured operations (of each point)");
    add("seed", whole(1), "same seed, same traffic");
}

/// report.json's `traffic`: the values of these options but --curve, --points and --seed.
json::object traffic_json(const command_arguments& arguments)
{
    json::object traffic;
    for (const auto* name : {"rate", "mix", "write-share", "sizes", "conflict", "handles", "port-share", "arrivals"})
        if (arguments.has(name)) traffic[name] = arguments.get<std::string>(name);
    for (const auto* name : {"outstanding", "lanes", "burst", "warmup", "operations"})
        if (arguments.has(name)) traffic[name] = arguments.get<std::uint64_t>(name);
    return traffic;
}

/// Throws input_error at the invalid option. `ports`: of the machine.
load_profile read_load_profile(const command_arguments& arguments, unsigned ports)
{
    load_profile profile;
    profile.sizes = values(arguments, "sizes", "1 to 4 with weights such as 1=3,4=1", {1, 2, 3, 4});
    profile.conflicts =
        values(arguments, "conflict", "1, 2, 4, 8, 16 or 32 with weights such as 1=9,32=1", {1, 2, 4, 8, 16, 32});
    read_mix(arguments, profile);
    read_handles(arguments, profile);
    profile.lanes = static_cast<unsigned>(arguments.number("lanes", 1, warp_lanes));
    profile.second_port = real(arguments, "port-share", 0, 1);
    if (profile.second_port > 0 && ports < 2)
        arguments.fail("port-share", " on a machine with one port, expected isbe.ports = 2");
    const auto& arrivals = arguments.get<std::string>("arrivals");
    if (arrivals != "poisson" && arrivals != "regular") fail(arguments, "arrivals", "poisson or regular");
    profile.poisson = arrivals == "poisson";
    profile.burst = static_cast<unsigned>(arguments.number("burst", 1, 10000));
    profile.warmup = arguments.number("warmup", 0, most_operations);
    profile.operations = arguments.number("operations", 1, most_operations);
    profile.seed = arguments.get<std::uint64_t>("seed");
    return profile;
}

load_level read_load_level(const command_arguments& arguments, unsigned ports)
{
    const int pressures = arguments.has("rate") + arguments.has("outstanding") + arguments.has("curve");
    if (pressures != 1)
        throw input_error({"command-line", 1, 1}, (pressures == 0 ? "nothing" : "more than one thing") +
                                                      std::string(" says how hard to press, expected one of --rate, "
                                                                  "--outstanding and --curve"));
    load_level level;
    if (arguments.has("rate")) level.rate = real(arguments, "rate", 1e-6, ports);
    if (arguments.has("outstanding"))
        level.outstanding = static_cast<unsigned>(arguments.number("outstanding", 1, 10000));
    return level;
}

constexpr unsigned most_points = 200;

using load_sites = std::vector<std::unique_ptr<load_site>>;

/// The request of the command line.
struct load_request {
    machine_config config;
    machine_programs machine;
    const isbe_backend* backend = nullptr;
    load_profile profile;
    load_level level;
    unsigned points = 0; ///< of a curve; 0: one level
};

load_request read_load_request(const command_arguments& arguments)
{
    if (arguments.has("ARGUMENT"))
        throw input_error({"command-line", 1, 2}, "traffic takes no file, expected options only");
    load_request request;
    request.machine = read_machine(arguments, request.config);
    const auto& name = arguments.get<std::string>("isbe");
    request.backend = find_isbe_backend(name);
    if (request.backend == nullptr || request.backend->style == warp_initiator::style::loosely_timed)
        arguments.fail("isbe", " " + name + " has no queues to load, expected at, rtl or lockstep");
    request.profile = read_load_profile(arguments, request.config.isbe.ports);
    request.level = read_load_level(arguments, request.config.isbe.ports);
    if (!arguments.has("curve")) return request;
    request.points = static_cast<unsigned>(arguments.number("points", 2, most_points));
    for (const auto* option : {"database", "timeline"})
        if (arguments.has(option)) arguments.fail(option, " with --curve, expected it with one load");
    return request;
}

/// Describes the traffic by the options of the command line.
std::string source_of(const std::vector<std::string>& words)
{
    std::string text;
    for (const auto& word : result_words(words)) text += " " + word;
    return "traffic" + text;
}

/// The data for the common part of the report.
traffic_outcome outcome_of(const load_sites& sites, std::uint64_t from)
{
    traffic_outcome outcome;
    for (const auto& site : sites) {
        site->finish();
        outcome.transactions += site->meter().all_operations();
        outcome.stuck = outcome.stuck || !site->finished();
        if (site->comparison() == nullptr) continue;
        outcome.compared = true;
        outcome.totals += site->comparison()->totals();
        if (outcome.mismatch_report.empty()) outcome.mismatch_report = site->comparison()->mismatch_report();
    }
    outcome.stuck = outcome.stuck && outcome.mismatch_report.empty();
    outcome.cycles = sites.back()->meter().end() - from;
    outcome.counters = sites.back()->counters();
    if (sites.size() == 1)
        outcome.stacks = sites.back()->isbe().stacks(); // stacks of a curve include the other points' cycles
    outcome.latency = sites.back()->meter().at_port();
    return outcome;
}

json::object load_json(const load_site& site, const load_figures& figures, const load_level& level)
{
    json::object load = {
        {"operations", site.meter().operations()},
        {"cycles", site.meter().cycles()},
        {"accepted", figures.accepted},
        {"bytes_per_cycle", figures.bytes_per_cycle},
        {"mean_passes", site.meter().mean_passes()},
        {"latency", {{"mean", figures.mean}, {"p50", figures.p50}, {"p99", figures.p99}, {"max", figures.max}}}};
    if (level.outstanding != 0)
        load["outstanding"] = level.outstanding;
    else
        load["offered"] = level.rate;
    if (level.outstanding == 0) load["saturated"] = figures.saturated;
    if (figures.in_flight) load["in_flight"] = *figures.in_flight;
    load["in_block"] = figures.in_block;
    if (figures.expected_mean) load["expected_mean"] = *figures.expected_mean;
    return load;
}

std::string load_text(const load_figures& figures)
{
    std::ostringstream out;
    out << "accepted " << figures.accepted << " operations per cycle, " << figures.bytes_per_cycle
        << " bytes per cycle\nlatency: mean " << figures.mean << ", p50 " << figures.p50 << ", p99 " << figures.p99
        << ", longest " << figures.max << " cycles";
    if (figures.expected_mean) out << "; closed form of the mean " << *figures.expected_mean;
    out << "\n";
    if (figures.in_flight) {
        out << "in flight: mean " << *figures.in_flight << " operations";
        if (figures.in_block < *figures.in_flight)
            out << ", " << figures.in_block << " of them in the block; the others wait in front of its ports";
        out << "\n";
    }
    if (figures.saturated) out << "saturated: less is accepted than offered, latencies grow as long as it goes on\n";
    return out.str();
}

load_sites make_sites(const load_request& request, std::size_t count)
{
    load_sites sites;
    try {
        for (std::size_t i = 0; i < count; ++i)
            sites.push_back(std::make_unique<load_site>("isbe" + std::to_string(i), *request.backend, request.config,
                                                        request.profile));
    } catch (const std::invalid_argument& error) {
        throw input_error({"command-line", 1, 1}, error.what());
    }
    return sites;
}

/// `progress` must outlive the run.
void show_progress(progress_line& progress, const load_sites& sites, const load_profile& profile)
{
    if (!progress.shown()) return;
    const auto per_site = profile.warmup + profile.operations;
    for (std::size_t i = 0; i < sites.size(); ++i)
        sites[i]->meter().progress = [&progress, before = i * per_site, all = sites.size() * per_site](auto done) {
            if (progress.due()) progress.show(std::to_string(before + done) + " operations", before + done, all);
        };
}

void write_curve(result_folder& folder, const load_curve& curve, const json::object& report)
{
    std::ostringstream rows;
    write_curve_csv(rows, curve);
    folder.write("curve.csv", rows.str());
    write_reports(folder, make_curve_page(curve, report), report, {curve_chart(curve)});
}

} // namespace

po::options_description traffic_options()
{
    po::options_description options("Options");
    add_machine_options(options);
    add_traffic_options(options);
    auto add = options.add_options();
    add("isbe", po::value<std::string>()->default_value("at")->value_name("at|rtl|lockstep"), "the ISBE under traffic");
    add_out_option(options, "report.json and report.html, with --curve also curve.csv");
    add_progress_option(options);
    add("quiet", "no summary, no progress");
    add_analysis_options(options);
    return options;
}

int run_traffic(const std::vector<std::string>& words, std::ostream& out, std::ostream& err)
{
    const command_arguments arguments(words, traffic_options(), "ARGUMENT");
    const auto request = read_load_request(arguments);
    const run_clock host_time;
    result_folder folder(place_of_results(arguments, "traffic"));
    run_analysis analysis(arguments, request.config, request.backend->style, true);
    const auto loads = request.points == 0 ? std::vector<double>{} : curve_loads(request.points);
    auto sites = make_sites(request, loads.size() + 1);
    std::optional<progress_line> progress(std::in_place, err, arguments);
    show_progress(*progress, sites, request.profile);

    std::optional<load_curve> curve;
    load_figures figures;
    std::string failure;
    try {
        if (loads.empty()) {
            analysis.watch(sites.front()->isbe(), request.config, true);
            sites.front()->run(request.level);
            figures = figures_of(*sites.front(), request.config, request.profile, request.level);
        } else {
            curve = run_curve(sites, request.config, request.profile, loads);
        }
    } catch (const rtl_failure& error) {
        failure = error.what();
    }
    progress.reset();
    analysis.stop();
    const auto begin = sites.size() == 1 ? 0 : sites[sites.size() - 2]->meter().end();
    auto outcome = outcome_of(sites, begin);
    if (!failure.empty()) {
        outcome.mismatch_report = failure;
        outcome.stuck = false;
    }
    traffic_facts facts{"traffic", source_of(words)};
    facts.seed = request.profile.seed;
    facts.origin = origin_json(
        {"traffic", result_words(words), facts.source, request.machine, request.config, request.backend->name});
    auto result = verdict_of(facts, outcome);
    const bool failed = result.status != "done";
    if (failed) result.text += outcome.mismatch_report;
    auto report = make_report(request.config, facts, request.backend->name, outcome, nullptr, result,
                              analysis.coefficients(), analysis.series(outcome.cycles));
    report["traffic"] = traffic_json(arguments);
    if (curve)
        report["curve"] = curve_json(*curve);
    else if (!failed)
        report["load"] = load_json(*sites.front(), figures, request.level);
    analysis.finish(report, stacks_of_isbe(outcome.stacks));
    report["host"] = host_json(outcome.transactions, host_time.seconds());
    if (curve) {
        write_curve(folder, *curve, report);
    } else {
        auto page = make_traffic_page(report);
        if (!failed) page.verdict = load_text(figures) + page.verdict;
        write_reports(folder, page, report);
    }
    folder.commit();
    if (!arguments.has("quiet")) {
        if (curve)
            for (const auto& sentence : curve_sentences(*curve)) out << sentence << "\n";
        else if (!failed)
            out << load_text(figures);
        if (outcome.compared) out << lockstep_line(outcome.totals) << "\n";
        out << "report:   " << folder.final_file("report.html") << "\n";
    }
    if (!failed) return exit_status::done;
    err << "isbesim: " << result.text << std::endl;
    return exit_status::check_failed;
}

} // namespace isbesim::testbench
