// SPDX-License-Identifier: Apache-2.0
#include "testbench/command_line/calibrate_card.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iomanip>
#include <map>
#include <sstream>
#include <system_error>
#include <vector>

#include <sys/mman.h>
#include <unistd.h>

#include "testbench/calibration/calibration_report.h"
#include "testbench/command_line/gl_command.h"
#include "testbench/command_line/machine_options.h"
#include "testbench/files/files.h"
#include "testbench/files/json_document.h"
#include "testbench/files/json_text.h"
#include "testbench/gl/draws/machine_executor.h"
#include "testbench/processes/exit_status.h"

namespace isbesim::testbench {

namespace {

namespace json = boost::json;

constexpr const char* format = "isbesim measure 1";
/// What the others are compared with: no key of the ISBE changes it.
constexpr const char* reference = "alu";

struct step {
    double time = 0, spread = 0; ///< nanoseconds or cycles
    bool noisy = false;
};

/// By test, of one primitive.
using steps = std::map<std::string, step>;

struct measurement {
    std::string card, driver, reason;
    bool structure = false;
    steps tests;
};

measurement read_measurement(const json_document& file)
{
    const auto& root = file.root();
    const auto of = [&](const char* key) -> const json::value& { return file.member(root, key, "the measurement"); };
    const auto& kind = of("format");
    if (const auto text = file.text(kind, "format"); text != format)
        file.fail(kind, "format is '" + text + "', expected '" + format + "'");
    measurement result;
    result.card = file.text(of("card"), "card");
    result.driver = file.text(of("driver"), "driver");
    result.structure = file.boolean(of("structure"), "structure");
    if (!result.structure) result.reason = file.text(of("reason"), "reason");
    for (const auto& test : file.array(of("tests"), "tests")) {
        const auto& one = file.member(test, "one", "a test");
        const auto time = [&](const char* key) {
            constexpr double longest = 1e9; // either way: differences of noise are negative
            return file.real(file.member(one, key, "one"), key, -longest, longest);
        };
        result.tests[file.text(file.member(test, "name", "a test"), "name")] = {
            time("step_ns"), time("spread_ns"), file.boolean(file.member(one, "noisy", "one"), "noisy")};
    }
    if (result.structure)
        if (const auto found = result.tests.find(reference); found == result.tests.end() || found->second.time <= 0)
            file.fail(of("tests"), std::string("tests have no ") + reference + ", expected one that takes time");
    return result;
}

/// A file without a name, which the program that is measured with inherits.
class inherited_file {
public:
    inherited_file() : descriptor_(memfd_create("measure.json", 0))
    {
        if (descriptor_ < 0) throw std::system_error(errno, std::generic_category(), "a file in memory");
    }
    ~inherited_file() { close(descriptor_); }
    inherited_file(const inherited_file&) = delete;
    inherited_file& operator=(const inherited_file&) = delete;

    std::string path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

private:
    int descriptor_;
};

/// What the program finds on a machine, in cycles.
steps run_tests(const gl::chip& chip, const machine_config& config)
{
    const inherited_file file;
    gl::machine_executor executor(config, *find_isbe_backend("at"));
    gl::tally counts;
    const auto status =
        run_gl_session({chip,
                        &executor,
                        nullptr,
                        {},
                        {installed_beside("isbesim_measure"), "--quiet", "--repetitions", "2", "--out", file.path()}},
                       counts);
    if (status != 0)
        throw input_error({"command-line", 1, 1}, "isbesim_measure ended with " + std::to_string(status) +
                                                      " on the model, expected Mesa's nouveau driver (Debian packages "
                                                      "libegl1, libgl1-mesa-dri)");
    auto result = read_measurement({file.path(), read_file(file.path(), "a measurement")}).tests;
    for (auto& [name, each] : result) each.time *= config.clock_ghz;
    return result;
}

struct latency_key {
    const char* name; ///< of the configuration
    unsigned isbe_config::*value;
    const char* test;             ///< takes one cycle more for each of the latency
    const char* minus;            ///< ... beside this one; or null
    std::vector<const char*> all; ///< tests that it changes, but for those of another key
};

const std::vector<latency_key>& latency_keys()
{
    static const std::vector<latency_key> table = {
        {"pipeline_latency",
         &isbe_config::pipeline_latency,
         "ald_output",
         nullptr,
         {"ald_output", "ald_input", "ald_width_1", "ald_width_2", "ald_width_4"}},
        {"al2p_latency", &isbe_config::al2p_latency, "al2p_input", "ald_output", {"al2p_input"}},
        {"out_latency", &isbe_config::out_latency, "out_cut", nullptr, {"out_cut"}},
    };
    return table;
}

constexpr unsigned least_latency = 2, most_latency = 1000;

bool is_measured(const steps& tests, const char* name)
{
    const auto found = tests.find(name);
    return found != tests.end() && !found->second.noisy;
}

bool is_measured(const steps& tests, const latency_key& key)
{
    return is_measured(tests, key.test) && (key.minus == nullptr || is_measured(tests, key.minus));
}

/// What changes with the latency.
double cycles_of(const steps& tests, const latency_key& key)
{
    return tests.at(key.test).time - (key.minus != nullptr ? tests.at(key.minus).time : 0);
}

unsigned nearest(double latency)
{
    return static_cast<unsigned>(std::clamp(std::round(latency), double{least_latency}, double{most_latency}));
}

isbe_config with_latencies(isbe_config isbe, unsigned latency)
{
    for (const auto& key : latency_keys()) isbe.*key.value = latency;
    return isbe;
}

bool is_explained(const step& card, const step& model)
{
    constexpr double rounding = 0.5; // a nanosecond or two, over thousands of steps
    return std::abs(card.time - model.time) < rounding + card.spread;
}

/// What is not measured contradicts nothing.
bool are_explained(const steps& card, const steps& model, const latency_key& key)
{
    return std::all_of(key.all.begin(), key.all.end(), [&](const char* name) {
        return !is_measured(card, name) || model.count(name) == 0 || is_explained(card.at(name), model.at(name));
    });
}

/// The model's latencies that look like the card's.
class latency_search {
public:
    latency_search(const gl::chip& chip, machine_config& found, const steps& card)
        : chip_(chip), found_(found), card_(card), now_(run_tests(chip, found)), range_(latency_keys().size())
    {
        auto low = found_;
        low.isbe = with_latencies(found_.isbe, least_latency);
        shortest_ = run_tests(chip_, low);
        for (std::size_t i = 0; i < range_.size(); ++i)
            if (is_measured(card_, latency_keys()[i])) search(i);
    }

    const steps& model() const { return now_; }
    const integer_range& range(std::size_t key) const { return range_[key]; }

private:
    void search(std::size_t number)
    {
        const auto& key = latency_keys()[number];
        auto& value = found_.isbe.*key.value;
        const auto spread = card_.at(key.test).spread + (key.minus != nullptr ? card_.at(key.minus).spread : 0);
        range_[number] = {nearest(value - std::round(spread)), nearest(value + std::round(spread))};
        if (cycles_of(shortest_, key) < cycles_of(now_, key) - 0.5) return;
        // Shorter ones look the same: the program waits longer anyway. Other tests may tell some of them apart.
        while (value > least_latency && !are_explained(card_, now_, key)) {
            --value;
            now_ = run_tests(chip_, found_);
        }
        auto low = found_;
        low.isbe.*key.value = least_latency;
        while (low.isbe.*key.value < value && !are_explained(card_, run_tests(chip_, low), key))
            ++(low.isbe.*key.value);
        range_[number] = {low.isbe.*key.value, nearest(value + std::round(spread))};
    }

    const gl::chip& chip_;
    machine_config& found_;
    const steps& card_;
    steps now_, shortest_;
    std::vector<integer_range> range_;
};

} // namespace

bool is_card_measurement(const std::string& path)
{
    if (path == "-") return false;
    std::ifstream file(path);
    char first = 0;
    return file >> first && first == '{';
}

int calibrate_card(const std::string& path, const command_arguments& arguments, std::ostream& out, std::ostream& err)
{
    const json_document file(path, read_file(path, "a measurement"));
    auto card = read_measurement(file);
    if (!card.structure) {
        err << "isbesim: " << path << " measures no ISBE: " << card.reason << std::endl;
        return exit_status::check_failed;
    }
    const auto& chip = read_chip(arguments);
    machine_config found;
    if (!arguments.has("config")) load_config(chip.name, arguments.place_of("--chip"), found);
    read_machine(arguments, found);
    // Long enough that no instruction hides it.
    constexpr unsigned plain = 100;
    auto other = found;
    other.isbe = with_latencies(found.isbe, plain);
    const auto base = run_tests(chip, other);
    found.clock_ghz = base.at(reference).time / card.tests.at(reference).time;
    for (auto& [name, each] : card.tests) {
        each.time *= found.clock_ghz;
        each.spread *= found.clock_ghz;
    }
    for (const auto& key : latency_keys())
        if (is_measured(card.tests, key))
            found.isbe.*key.value = nearest(plain + cycles_of(card.tests, key) - cycles_of(base, key));
    const latency_search search(chip, found, card.tests);
    const auto& explained = search.model();

    const auto source = "measured on " + card.card + ", " + card.driver;
    auto machine = config_to_json(found);
    machine["description"] = source + ": latencies and clock; the rest is " +
                             (arguments.has("config") ? "the base's" : std::string(chip.name) + "'s");
    const auto say = [](json::value& value, const std::string& text) {
        value = json::object{{"value", value}, {"source", text}};
    };
    say(machine["clock_ghz"], source + ", a dependent multiply-add taken as in the programs of Mesa's compiler");
    std::vector<std::vector<std::string>> rows{{"key", "found", "explains as much"}};
    for (std::size_t i = 0; i < latency_keys().size(); ++i) {
        const auto& key = latency_keys()[i];
        auto& value = machine["isbe"].as_object()[key.name];
        if (!is_measured(card.tests, key)) {
            say(value, "not measured: noisy or not there");
            rows.push_back({std::string("isbe.") + key.name, "", "not measured"});
            continue;
        }
        const auto latency = found.isbe.*key.value;
        const auto [low, high] = search.range(i);
        const auto range = low == high ? "" : std::to_string(low) + " to " + std::to_string(high);
        say(value, source + (range.empty() ? "" : ": " + range + " explain as much"));
        rows.push_back({std::string("isbe.") + key.name, std::to_string(latency), range});
    }
    if (!arguments.has("quiet")) print_table(out, rows);
    rows = {{"test", "cycles", "on the model"}};
    bool all = true;
    for (const auto& [name, each] : card.tests) {
        const auto model = explained.find(name);
        if (each.noisy || model == explained.end()) continue;
        const bool same = is_explained(each, model->second);
        all = all && same;
        const auto number = [](double value) {
            std::ostringstream text;
            text << std::fixed << std::setprecision(1) << value;
            return text.str();
        };
        rows.push_back({name, number(each.time), number(model->second.time)});
        if (!same) rows.back().back() += ", which does not explain it";
    }
    if (!arguments.has("quiet")) print_table(out, rows);
    if (arguments.has("out"))
        write_output(arguments.get<std::string>("out"), json_text(machine), arguments.place_of("--out"), out, false);
    return all ? exit_status::done : exit_status::check_failed;
}

} // namespace isbesim::testbench
