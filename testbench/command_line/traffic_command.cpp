// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <initializer_list>
#include <optional>
#include <sstream>

#include <boost/json/object.hpp>
#include <boost/program_options.hpp>

#include "models/isbe/functional/names.h"
#include "testbench/analysis/run_analysis.h"
#include "testbench/arguments/cycle_options.h"
#include "testbench/command_line/commands.h"
#include "testbench/command_line/commands_at_once.h"
#include "testbench/command_line/machine_options.h"
#include "testbench/command_line/progress_line.h"
#include "testbench/files/json_text.h"
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

/// A finite number that fills the whole text.
double number(const std::string& text)
{
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    return text.empty() || end != text.c_str() + text.size() ? std::nan("") : value;
}

struct share {
    std::string name;
    double weight = 1;
};

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

constexpr option_range group_range{1, 10000}, operation_range{1, 1'000'000'000};

/// The values of its own options; texts that fill members of `profile` are read later.
struct traffic_choices {
    std::string isbe = "at", rate, mix = "ald", write_share, sizes = "1", conflict = "1", handles = "sequential";
    std::string port_share = "0", arrivals = "poisson";
    std::optional<std::uint64_t> outstanding;
    std::uint64_t points = 20;
    bool curve = false, quiet = false;
    load_profile profile;

    po::options_description options()
    {
        po::options_description options("Options");
        add_machine_options(options);
        auto add = options.add_options();
        add("rate", bound(rate, "R"), "open loop: operations per cycle that arrive, all ports together");
        add("outstanding", bound(outstanding, "N", group_range),
            "closed loop: operations for each used port that are always under way");
        add("curve", bound(curve), "sweeps the rate up to saturation: latency over accepted bandwidth");
        add("points", bound(points, "N", {2, 200}), "of the curve, beside those near 0 and beyond 95 %");
        add("mix", bound(mix, "OP=W,..."), "opcodes with weights: ald, ast, al2p, out, isberd, isbewr");
        add("write-share", bound(write_share, "X"),
            "of the operations: scales the mix's stores to X, the others to 1-X");
        add("sizes", bound(sizes, "N=W,..."), "words of ald, ast and al2p: 1 to 4 with weights");
        add("conflict", bound(conflict, "N=W,..."),
            "rows of a bank in which the lanes of a load meet: 1, 2, 4, 8, 16 or 32");
        add("handles", bound(handles, "PATTERN"), "vertices that lanes name: sequential, same, random, stride:N");
        add("lanes", bound(profile.lanes, "N", {1, warp_lanes}), "active lanes");
        add("port-share", bound(port_share, "X"), "of the operations that go to port 1, the PE's");
        add("arrivals", bound(arrivals, "poisson|regular"), "open loop: at random, or at equal distances");
        add("burst", bound(profile.burst, "N", group_range), "open loop: so many operations arrive together");
        add("warmup", bound(profile.warmup, "N", {0, operation_range.high}), "operations before measuring begins");
        add("operations", bound(profile.operations, "N", operation_range), "measured operations (of each point)");
        add("seed", bound(profile.seed, "N"), "same seed, same traffic");
        add("isbe", bound(isbe, "at|rtl|lockstep"), "the ISBE under traffic");
        add_out_option(options, "report.json and report.html, with --curve also curve.csv");
        add_progress_option(options);
        add("quiet", bound(quiet), "no summary, no progress");
        add_analysis_options(options);
        return options;
    }
};

/// The request of the command line.
struct traffic_job : traffic_choices {
    /// Throws input_error at the invalid option.
    explicit traffic_job(const std::vector<std::string>& words);

    command_arguments arguments;
    machine_config config;
    machine_programs machine;
    const isbe_backend* backend = nullptr;
    load_level level; ///< without a curve
};

double real(const command_arguments& arguments, const char* option, const std::string& text, double high,
            double low = 0)
{
    const double value = number(text);
    if (value >= low && value <= high) return value;
    std::ostringstream range;
    range << "a number from " << low << " to " << high;
    arguments.refuse(option, text, range.str());
}

/// "a=2,b" -> a 2, b 1.
template <typename Refuse>
std::vector<share> shares(const std::string& text, const std::string& expected, const Refuse& refuse)
{
    std::vector<share> result;
    std::istringstream in(text);
    for (std::string part; std::getline(in, part, ',');) {
        const auto equals = part.find('=');
        share each{part.substr(0, equals)};
        if (equals != std::string::npos) each.weight = number(part.substr(equals + 1));
        if (each.name.empty() || !(each.weight > 0) || std::isinf(each.weight)) refuse(expected);
        for (const auto& other : result)
            if (other.name == each.name) refuse(expected + ", each once");
        result.push_back(std::move(each));
    }
    return result;
}

std::vector<weighted_value> values(const command_arguments& arguments, const char* option, const std::string& text,
                                   const std::string& expected, const std::vector<unsigned>& admitted)
{
    const auto refuse = [&](const std::string& why) { arguments.refuse(option, text, why); };
    std::vector<weighted_value> result;
    for (const auto& each : shares(text, expected, refuse)) {
        const double value = number(each.name);
        if (std::find(admitted.begin(), admitted.end(), value) == admitted.end()) refuse(expected);
        result.push_back({static_cast<unsigned>(value), each.weight});
    }
    return result;
}

void read_mix(traffic_job& job)
{
    const std::string expected = "opcodes with weights such as ald=3,ast=1 (of ald, ast, al2p, out, isberd, isbewr)";
    const auto refuse = [&](const std::string& why) { job.arguments.refuse("mix", job.mix, why); };
    for (const auto& each : shares(job.mix, expected, refuse)) {
        unsigned op = 0;
        while (op < static_cast<unsigned>(opcode::bind) && each.name != opcode_names[op]) ++op;
        if (op == static_cast<unsigned>(opcode::bind)) refuse(expected);
        job.profile.mix[op] = each.weight;
    }
    if (!job.write_share.empty()) share_writes(job.profile, real(job.arguments, "write-share", job.write_share, 1));
}

void read_handles(const command_arguments& arguments, const std::string& text, load_profile& profile)
{
    constexpr unsigned most_stride = 1024;
    if (text == "sequential") return;
    if (profile.conflicts.size() != 1 || profile.conflicts.front().value != 1)
        arguments.fail("conflict", " with --handles " + text + ", expected it with sequential handles only");
    profile.handles = text == "same"     ? handle_pattern::same
                      : text == "random" ? handle_pattern::random
                                         : handle_pattern::stride;
    if (profile.handles != handle_pattern::stride) return;
    const double stride = text.rfind("stride:", 0) == 0 ? number(text.substr(7)) : 0;
    if (!(stride >= 1 && stride <= most_stride) || stride != std::floor(stride))
        arguments.refuse("handles", text,
                         "sequential, same, random or stride:N with N from 1 to " + std::to_string(most_stride));
    profile.stride = static_cast<unsigned>(stride);
}

traffic_job::traffic_job(const std::vector<std::string>& words) : arguments(words, options(), "ARGUMENT")
{
    if (arguments.has("ARGUMENT"))
        throw input_error({"command-line", 1, 2}, "traffic takes no file, expected options only");
    machine = read_machine(arguments, config);
    backend = find_isbe_backend(isbe);
    if (backend == nullptr || backend->style == warp_initiator::style::loosely_timed)
        arguments.fail("isbe", " " + isbe + " has no queues to load, expected at, rtl or lockstep");
    profile.sizes = values(arguments, "sizes", sizes, "1 to 4 with weights such as 1=3,4=1", {1, 2, 3, 4});
    profile.conflicts = values(arguments, "conflict", conflict, "1, 2, 4, 8, 16 or 32 with weights such as 1=9,32=1",
                               {1, 2, 4, 8, 16, 32});
    read_mix(*this);
    read_handles(arguments, handles, profile);
    profile.second_port = real(arguments, "port-share", port_share, 1);
    if (profile.second_port > 0 && config.isbe.ports < 2)
        arguments.fail("port-share", " on a machine with one port, expected isbe.ports = 2");
    if (arrivals != "poisson" && arrivals != "regular") arguments.refuse("arrivals", arrivals, "poisson or regular");
    profile.poisson = arrivals == "poisson";
    if (const int loads = arguments.has("rate") + arguments.has("outstanding") + arguments.has("curve"); loads != 1)
        throw input_error({"command-line", 1, 1}, (loads == 0 ? "nothing" : "more than one thing") +
                                                      std::string(" says how hard to press, expected one of --rate, "
                                                                  "--outstanding and --curve"));
    for (const auto* option : {"burst", "arrivals"})
        if (outstanding && arguments.is_given(option))
            arguments.fail(option, " with --outstanding, expected --rate or --curve");
    if (!curve && arguments.is_given("points")) arguments.fail("points", " without a curve, expected --curve");
    if (!rate.empty()) level.rate = real(arguments, "rate", rate, config.isbe.ports, 1e-6);
    level.outstanding = static_cast<unsigned>(outstanding.value_or(0));
    for (const auto* option : {"database", "timeline"})
        if (curve && arguments.has(option)) arguments.fail(option, " with --curve, expected it with one load");
}

/// report.json's `traffic`: the options but --curve, --points and --seed.
json::object traffic_json(const command_arguments& arguments)
{
    json::object traffic;
    for (const auto* name : {"rate", "mix", "write-share", "sizes", "conflict", "handles", "port-share", "arrivals"})
        if (arguments.has(name)) traffic[name] = arguments.get<std::string>(name);
    for (const auto* name : {"outstanding", "lanes", "burst", "warmup", "operations"})
        if (arguments.has(name)) traffic[name] = arguments.get<std::uint64_t>(name);
    return traffic;
}

using load_sites = std::vector<std::unique_ptr<load_site>>;

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
    if (level.outstanding != 0) {
        load["outstanding"] = level.outstanding;
    } else {
        load["offered"] = level.rate;
        load["saturated"] = figures.saturated;
    }
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

load_sites make_sites(const traffic_job& job, std::size_t count)
{
    load_sites sites;
    try {
        for (std::size_t i = 0; i < count; ++i)
            sites.push_back(
                std::make_unique<load_site>("isbe" + std::to_string(i), *job.backend, job.config, job.profile));
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
    return lasting_options<traffic_choices>();
}

int run_traffic(const std::vector<std::string>& words, std::ostream& out, std::ostream& err)
{
    const traffic_job job(words);
    const run_clock host_time;
    result_folder folder(place_of_results(job.arguments, "traffic"));
    run_analysis analysis(job.arguments, job.config, job.backend->style, true);
    const auto loads = job.curve ? curve_loads(static_cast<unsigned>(job.points)) : std::vector<double>{};
    auto sites = make_sites(job, loads.size() + 1);
    std::optional<progress_line> progress(std::in_place, err, job.arguments);
    show_progress(*progress, sites, job.profile);

    std::optional<load_curve> curve;
    load_figures figures;
    std::string failure;
    try {
        if (loads.empty()) {
            analysis.watch(sites.front()->isbe(), job.config, true);
            sites.front()->run(job.level);
            figures = figures_of(*sites.front(), job.config, job.profile, job.level);
        } else {
            curve = run_curve(sites, job.config, job.profile, loads);
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
    facts.seed = job.profile.seed;
    facts.origin =
        origin_json({"traffic", result_words(words), facts.source, job.machine, job.config, job.backend->name});
    auto result = verdict_of(facts, outcome);
    const bool failed = result.status != "done";
    if (failed) result.text += outcome.mismatch_report;
    auto report = make_report(job.config, facts, job.backend->name, outcome, nullptr, result, analysis.coefficients(),
                              analysis.series(outcome.cycles));
    report["traffic"] = traffic_json(job.arguments);
    if (curve)
        report["curve"] = curve_json(*curve);
    else if (!failed)
        report["load"] = load_json(*sites.front(), figures, job.level);
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
    if (!job.quiet) {
        if (curve) {
            for (const auto& sentence : curve_sentences(*curve)) out << sentence << "\n";
        } else {
            for (const auto& late : late_cycles(job.arguments, outcome.cycles))
                err << "isbesim: warning: " << late.text << "\n";
            if (!failed) out << load_text(figures);
        }
        if (outcome.compared) out << lockstep_line(outcome.totals) << "\n";
        out << "report:   " << folder.final_file("report.html") << "\n";
    }
    if (!failed) return exit_status::done;
    err << "isbesim: " << result.text << std::endl;
    return exit_status::check_failed;
}

} // namespace isbesim::testbench
