// SPDX-License-Identifier: Apache-2.0
#include "testbench/command_line/traffic_job.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <sstream>

#include "models/isbe/functional/names.h"
#include "testbench/analysis/run_analysis.h"
#include "testbench/command_line/commands.h"
#include "testbench/command_line/progress_line.h"
#include "testbench/files/nearest.h"

namespace isbesim::testbench {

namespace po = boost::program_options;
namespace json = boost::json;

namespace {

/// Parses the whole text as a number; NaN if it is not one.
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

/// Throws input_error for a given option that changes none of the mix's operations.
void refuse_unused(const command_arguments& arguments, const load_profile& profile)
{
    constexpr auto ald = opcode::ald, ast = opcode::ast, al2p = opcode::al2p, read = opcode::isberd,
                   write = opcode::isbewr;
    const std::pair<const char*, std::vector<opcode>> users[] = {
        {"sizes", {ald, ast, al2p}}, {"conflict", {ald, read, write}}, {"handles", {ald, read, write}}};
    for (const auto& [option, all] : users) {
        bool used = !arguments.is_given(option);
        std::vector<std::string> names;
        for (const auto op : all) {
            used = used || profile.mix[static_cast<unsigned>(op)] > 0;
            names.emplace_back(opcode_names[static_cast<unsigned>(op)]);
        }
        if (!used) arguments.fail(option, " changes no operation of the mix, expected " + name_list(names) + " in it");
    }
    for (const auto& each : profile.conflicts)
        if (each.value > profile.lanes)
            arguments.fail("conflict", " of " + std::to_string(each.value) + " rows with " +
                                           std::to_string(profile.lanes) + " lanes, expected at most one row a lane");
}

} // namespace

po::options_description traffic_choices::options()
{
    po::options_description options("Options");
    add_machine_options(options);
    auto add = options.add_options();
    add("rate", bound(rate, "R"), "open loop: operations per cycle that arrive, all ports together");
    add("outstanding", bound(outstanding, "N", group_range),
        "closed loop: operations always in flight at each used port");
    add("curve", bound(curve), "sweeps the rate up to saturation: latency over accepted bandwidth");
    add("points", bound(points, "N", {2, 200}), "points of the curve, without those near 0 and above 95 %");
    add("mix", bound(mix, "OP=W,..."), "opcodes with weights: ald, ast, al2p, out, isberd, isbewr");
    add("write-share", bound(write_share, "X"), "share of stores: scales the mix's stores to X, the others to 1-X");
    add("sizes", bound(sizes, "N=W,..."), "words of ald, ast and al2p: 1 to 4 with weights");
    add("conflict", bound(conflict, "N=W,..."),
        "rows of one bank that the lanes of a load access: 1, 2, 4, 8, 16 or 32");
    add("handles", bound(handles, "PATTERN"), "vertices that lanes name: sequential, same, random, stride:N");
    add("lanes", bound(profile.lanes, "N", {1, warp_lanes}), "active lanes");
    add("port-share", bound(port_share, "X"), "share of the operations that go to port 1, the PE's");
    add("arrivals", bound(arrivals, "poisson|regular"), "open loop: arrivals at random or at equal distances");
    add("burst", bound(profile.burst, "N", group_range), "open loop: operations that arrive together");
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
    refuse_unused(arguments, profile);
    profile.second_port = real(arguments, "port-share", port_share, 1);
    if (profile.second_port > 0 && config.isbe.ports < 2)
        arguments.fail("port-share", " on a machine with one port, expected isbe.ports = 2");
    if (arrivals != "poisson" && arrivals != "regular") arguments.refuse("arrivals", arrivals, "poisson or regular");
    profile.poisson = arrivals == "poisson";
    if (const int loads = arguments.has("rate") + arguments.has("outstanding") + arguments.has("curve"); loads != 1)
        throw input_error({"command-line", 1, 1},
                          std::string(loads == 0 ? "no load is given" : "more than one load is given") +
                              ", expected one of --rate, --outstanding and --curve");
    for (const auto* option : {"burst", "arrivals"})
        if (outstanding && arguments.is_given(option))
            arguments.fail(option, " with --outstanding, expected --rate or --curve");
    if (!curve && arguments.is_given("points")) arguments.fail("points", " without a curve, expected --curve");
    if (!rate.empty()) level.rate = real(arguments, "rate", rate, config.isbe.ports, 1e-6);
    level.outstanding = static_cast<unsigned>(outstanding.value_or(0));
    for (const auto* option : {"database", "timeline"})
        if (curve && arguments.has(option)) arguments.fail(option, " with --curve, expected it with one load");
}

json::object traffic_json(const command_arguments& arguments)
{
    json::object traffic;
    for (const auto* name : {"rate", "mix", "write-share", "sizes", "conflict", "handles", "port-share", "arrivals"})
        if (arguments.has(name)) traffic[name] = arguments.get<std::string>(name);
    for (const auto* name : {"outstanding", "lanes", "burst", "warmup", "operations"})
        if (arguments.has(name)) traffic[name] = arguments.get<std::uint64_t>(name);
    return traffic;
}

po::options_description traffic_options()
{
    return lasting_options<traffic_choices>();
}

} // namespace isbesim::testbench
