// SPDX-License-Identifier: Apache-2.0
#include "testbench/command_line/traffic_options.h"

#include <cmath>
#include <sstream>

#include "models/isbe/functional/names.h"
#include "testbench/files/nearest.h"

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
    throw input_error(arguments.place_of("--" + option),
                      "--" + option + " is '" + arguments.get<std::string>(option.c_str()) + "', expected " + expected);
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
    const bool asked = profile.conflicts.size() != 1 || profile.conflicts.front().value != 1;
    if (asked)
        throw input_error(arguments.place_of("--conflict"),
                          "--conflict with --handles " + text + ", expected it with sequential handles only");
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

std::uint64_t count(const command_arguments& arguments, const char* option, std::uint64_t low, std::uint64_t high)
{
    const auto value = arguments.get<std::uint64_t>(option);
    if (value >= low && value <= high) return value;
    throw input_error(arguments.place_of("--" + std::string(option)),
                      "--" + std::string(option) + " is " + std::to_string(value) + ", expected " +
                          std::to_string(low) + " to " + std::to_string(high));
}

} // namespace

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
        "closed loop: operations of each port that are always under way");
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

json::object traffic_json(const command_arguments& arguments)
{
    json::object traffic;
    for (const auto* name : {"rate", "mix", "write-share", "sizes", "conflict", "handles", "port-share", "arrivals"})
        if (arguments.has(name)) traffic[name] = arguments.get<std::string>(name);
    for (const auto* name : {"outstanding", "lanes", "burst", "warmup", "operations"})
        if (arguments.has(name)) traffic[name] = arguments.get<std::uint64_t>(name);
    return traffic;
}

load_profile read_load_profile(const command_arguments& arguments, unsigned ports)
{
    load_profile profile;
    profile.sizes = values(arguments, "sizes", "1 to 4 with weights such as 1=3,4=1", {1, 2, 3, 4});
    profile.conflicts =
        values(arguments, "conflict", "1, 2, 4, 8, 16 or 32 with weights such as 1=9,32=1", {1, 2, 4, 8, 16, 32});
    read_mix(arguments, profile);
    read_handles(arguments, profile);
    profile.lanes = static_cast<unsigned>(count(arguments, "lanes", 1, warp_lanes));
    profile.second_port = real(arguments, "port-share", 0, 1);
    if (profile.second_port > 0 && ports < 2)
        throw input_error(arguments.place_of("--port-share"), "--port-share on a machine with one port, expected "
                                                              "isbe.ports = 2");
    const auto& arrivals = arguments.get<std::string>("arrivals");
    if (arrivals != "poisson" && arrivals != "regular") fail(arguments, "arrivals", "poisson or regular");
    profile.poisson = arrivals == "poisson";
    profile.burst = static_cast<unsigned>(count(arguments, "burst", 1, 10000));
    profile.warmup = count(arguments, "warmup", 0, most_operations);
    profile.operations = count(arguments, "operations", 1, most_operations);
    profile.seed = arguments.get<std::uint64_t>("seed");
    return profile;
}

load_level read_load_level(const command_arguments& arguments, unsigned ports)
{
    const int given = arguments.has("rate") + arguments.has("outstanding") + arguments.has("curve");
    if (given != 1)
        throw input_error({"command-line", 1, 1}, (given == 0 ? "nothing" : "more than one thing") +
                                                      std::string(" says how hard to press, expected one of --rate, "
                                                                  "--outstanding and --curve"));
    load_level level;
    if (arguments.has("rate")) level.rate = real(arguments, "rate", 1e-6, ports);
    if (arguments.has("outstanding"))
        level.outstanding = static_cast<unsigned>(count(arguments, "outstanding", 1, 10000));
    return level;
}

} // namespace isbesim::testbench
