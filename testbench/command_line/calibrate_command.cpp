// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <fstream>
#include <initializer_list>
#include <iomanip>
#include <iosfwd>
#include <limits>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "testbench/arguments/command_arguments.h"
#include "testbench/calibration/calibration_report.h"
#include "testbench/calibration/pass_table.h"
#include "testbench/calibration/trace_observation.h"
#include "testbench/calibration/vcd_observation.h"
#include "testbench/calibration/waveform_text.h"
#include "testbench/command_line/card_rates.h"
#include "testbench/command_line/card_search.h"
#include "testbench/command_line/commands.h"
#include "testbench/command_line/gl_command.h"
#include "testbench/command_line/machine_options.h"
#include "testbench/files/files.h"
#include "testbench/files/json_text.h"
#include "testbench/processes/exit_status.h"
#include "testbench/system/config.h"

namespace isbesim::testbench {

namespace json = boost::json;
namespace po = boost::program_options;

namespace {

std::string figure_text(const card_figure& figure)
{
    std::ostringstream text;
    text << std::fixed << std::setprecision(figure.counted ? 0 : 1) << figure.value;
    return text.str();
}

std::string rate_text(double cycles)
{
    std::ostringstream text;
    text << std::setprecision(4) << cycles;
    return text.str();
}

bool is_clock_read(const card_measurement& card)
{
    const auto found = card.tests.find(clock_test);
    return found != card.tests.end() && !found->second.noisy;
}

/// The source of a key's value, and the remark beside it in the table.
std::string standing(const key_finding& finding)
{
    if (!finding.measured) return "not measured: noisy or not there";
    if (finding.fits.empty()) return "not measured: no value explains the tests";
    const auto range = finding.range_text();
    return range.empty() ? "" : range + " explain as much";
}

/// The nested value of a dotted key.
json::value& value_of(json::object& machine, const std::string& key)
{
    auto* place = &machine;
    std::size_t begin = 0;
    for (auto dot = key.find('.'); dot != std::string::npos; dot = key.find('.', begin = dot + 1))
        place = &(*place)[key.substr(begin, dot - begin)].as_object();
    return (*place)[key.substr(begin)];
}

json::object machine_json(const std::vector<key_finding>& findings, const machine_config& found,
                          const card_measurement& card, const std::string& base)
{
    const auto source = "measured on " + card.card + ", " + card.driver;
    auto machine = config_to_json(found);
    machine["description"] = source + "; keys without a source are " + base;
    put_source(machine["clock_ghz"],
               source + (is_clock_read(card)
                             ? ", by the cycles that programs read"
                             : ", a dependent multiply-add taken as in the programs of Mesa's compiler"));
    for (const auto& each : findings) {
        const auto text = standing(each);
        const auto is_measured = each.measured && !each.fits.empty();
        put_source(value_of(machine, each.key->name), !is_measured ? text : source + (text.empty() ? "" : ": " + text));
    }
    return machine;
}

/// True if isbesim_measure has written the file.
bool is_card_measurement(const std::string& path)
{
    if (path == "-") return false;
    std::ifstream file(path);
    char first = 0;
    return file >> first && first == '{';
}

/// Runs the same tests on variants of the chip's machine in `arguments` to find the keys that explain the measurement.
/// Exit status check_failed if a test takes other cycles there, or nothing was measured. Throws input_error.
int calibrate_card(const std::string& path, const command_arguments& arguments, std::ostream& out, std::ostream& err)
{
    const json_document file(path, read_file(path, "a measurement"));
    auto card = read_card_measurement(file);
    if (!card.structure) {
        err << "isbesim: " << path << " measures no ISBE: " << card.reason << std::endl;
        return exit_status::check_failed;
    }
    const auto& chip = read_chip(arguments, gl::graphics_api::opengl);
    machine_config found;
    if (!arguments.has("config")) load_config(chip.name, arguments.place_of("--chip"), found);
    read_machine(arguments, found);
    measured_model model(chip);
    const auto base = model.run(found, {reference_test});
    if (!base)
        throw input_error({"command-line", 1, 1}, "isbesim_measure can't run on the model, expected Mesa's nouveau "
                                                  "driver (Debian packages libegl1, libgl1-mesa-dri)");
    auto rates = take_rates(card.tests);
    if (found.chip.all_tpcs() == 1) rates.clear(); // a TPC alone is no chip: nothing around it limits
    if (!model.run(found, names_of(card.tests)) || !model.run(found, names_of(rates)))
        file.fail(file.root(), "isbesim_measure can't run these tests on the base, expected its own");
    const auto cycles = (is_clock_read(card) ? card.tests.at(clock_test) : base->at(reference_test)).value;
    found.clock_ghz = cycles / card.tests.at(reference_test).value;
    for (auto* all : {&card.tests, &rates})
        for (auto& [name, each] : *all) each.count_cycles(found.clock_ghz);
    // The order in which many warps meet at the queues depends on keys that are found later.
    constexpr double by_order = 0.02;
    for (const auto* each : {"ald_warps.many", "fetch"})
        if (const auto warps = card.tests.find(each); warps != card.tests.end())
            warps->second.spread += by_order * warps->second.value;
    // Keys that have only ranges change it much: any value of the model explains it.
    if (const auto emitted = card.tests.find("fetch_emit"); emitted != card.tests.end())
        emitted->second.spread = std::numeric_limits<double>::infinity();
    const card_search search(model, card.tests, found);
    const auto rest = find_rates(model, rates, found);
    auto findings = search.findings();
    findings.insert(findings.end(), rest.keys.begin(), rest.keys.end());

    std::vector<std::vector<std::string>> rows{{"key", "found", ""}};
    for (const auto& each : findings)
        rows.push_back({each.key->name,
                        each.measured && !each.fits.empty() ? each.key->value_text(each.key->get(found)) : "",
                        standing(each)});
    if (!arguments.has("quiet")) print_table(out, rows);
    rows = {{"test", "card", "model"}};
    for (const auto& [name, each] : card.tests) {
        const auto known = search.explained().find(name);
        if (each.noisy || known == search.explained().end()) continue;
        rows.push_back({name, figure_text(each), figure_text(known->second)});
        if (!is_explained(each, known->second)) rows.back().back() += ", which does not explain it";
    }
    bool all = search.explains_all();
    for (const auto& [name, each] : rates) {
        const auto known = rest.explained.find(name);
        if (each.noisy || known == rest.explained.end()) continue;
        const bool is_same = is_same_rate(each, known->second);
        all = all && is_same;
        rows.push_back({name, rate_text(each.value), rate_text(known->second.value)});
        if (!is_same) rows.back().back() += ", which does not explain it";
    }
    if (!arguments.has("quiet")) print_table(out, rows);
    if (arguments.has("out"))
        write_output(arguments.get<std::string>("out"),
                     json_text(machine_json(findings, found, card,
                                            arguments.has("config") ? "the base's" : std::string(chip.name) + "'s")),
                     arguments.place_of("--out"), out, false);
    return all ? exit_status::done : exit_status::check_failed;
}

vcd_names names_of(const command_arguments& arguments)
{
    vcd_names names;
    if (arguments.has("scope")) names.scopes = arguments.get<std::vector<std::string>>("scope");
    if (names.scopes.size() > 2)
        arguments.fail("scope", " three times, expected a scope of the block, or of each port");
    if (!arguments.has("signal")) return names;
    for (const auto& text : arguments.get<std::vector<std::string>>("signal")) {
        const auto place = arguments.place_of_value("--signal", names.named.size());
        const auto equals = text.find('=');
        if (equals == 0 || equals == std::string::npos || equals + 1 == text.size())
            throw input_error(place, "--signal " + text + ", expected PIN=VARIABLE");
        const auto pin = text.substr(0, equals);
        if (!is_vcd_pin(pin))
            throw input_error(place, "--signal names a pin '" + pin + "', expected one of isbe_top as req_valid");
        if (!names.named.emplace(pin, text.substr(equals + 1)).second)
            throw input_error(place, pin + " is named twice by --signal, expected each pin once");
    }
    return names;
}

bool is_trace(const std::string& path)
{
    std::ifstream file(path, std::ios::binary);
    char begin[sizeof trace_magic - 1] = {}; // of any version: the reader reports an unknown one
    return file.read(begin, sizeof begin) && std::equal(std::begin(begin), std::end(begin), std::begin(trace_magic));
}

/// Calibrates from a file. Differences are relative to the base machine; a trace's header gives keys of results.
int calibrate_file(const std::string& path, const command_arguments& arguments, std::ostream& out, std::ostream& err)
{
    machine_config base;
    read_machine(arguments, base);
    std::unique_ptr<observed_traffic> traffic;
    if (path != "-" && is_trace(path)) {
        for (const auto* option : {"scope", "signal"})
            if (arguments.has(option)) arguments.fail(option, " and a trace, expected a waveform");
        traffic = std::make_unique<trace_observation>(open_trace(path));
    } else {
        const auto names = names_of(arguments);
        waveform_text text(path);
        traffic = std::make_unique<vcd_observation>(text.stream(), input_name(path), names, text.has_lines());
    }
    const auto result = calibrate(*traffic, base.isbe);
    const auto report = calibration_json(path, *traffic, result, base);
    for (const auto& remark : report.at("remarks").as_array())
        err << "isbesim: warning: " << input_name(path) << ": " << remark.as_string().c_str() << "\n";
    if (arguments.has("out"))
        write_output(arguments.get<std::string>("out"), json_text(calibrated_machine(path, result, base)),
                     arguments.place_of("--out"), out, false);
    if (arguments.has("report"))
        write_file(arguments.get<std::string>("report"), json_text(report), arguments.place_of("--report"));
    if (!arguments.has("quiet") && !(arguments.has("out") && arguments.get<std::string>("out") == "-"))
        print_calibration(out, report);
    return report.at("explained").as_bool() ? exit_status::done : exit_status::check_failed;
}

} // namespace

po::options_description calibrate_options()
{
    po::options_description options("Options");
    add_machine_options(options);
    add_chip_option(options);
    auto add = options.add_options();
    add("out", po::value<std::string>()->value_name("FILE"), "the machine that was found, for --config; -: on stdout");
    add("report", po::value<std::string>()->value_name("FILE"), "everything that was found, as JSON");
    add("scope", po::value<std::vector<std::string>>()->composing()->value_name("PATH"),
        "waveform: where the pins are, as tb.dut, or port 0's and then port 1's; without it the outermost scope that "
        "has "
        "them all");
    add("signal", po::value<std::vector<std::string>>()->composing()->value_name("PIN=VARIABLE"),
        "waveform: a pin of isbe_top that has another name; repeatable");
    add("quiet", "no summary");
    return options;
}

int run_calibrate(const std::vector<std::string>& words, std::ostream& out, std::ostream& err)
{
    const command_arguments arguments(words, calibrate_options(), "TRACE");
    const auto path = arguments.positional(
        "a trace (recorded with --record), a waveform (VCD or FST) or a card's measurement (isbesim_measure)");
    const auto refuse = [&](std::initializer_list<const char*> options, const std::string& text) {
        for (const auto* option : options)
            if (arguments.is_given(option)) arguments.fail(option, text);
    };
    if (is_card_measurement(path)) {
        refuse({"report", "scope", "signal"}, " and a card's measurement, expected a trace or a waveform");
        return calibrate_card(path, arguments, out, err);
    }
    if (path == "-" || std::ifstream(path))
        refuse({"chip"}, " and no card's measurement, expected the file of isbesim_measure");
    try {
        const int status = calibrate_file(path, arguments, out, err);
        if (status == exit_status::check_failed)
            err << "isbesim: no machine of the page explains all cycles of " << path << std::endl;
        return status;
    } catch (const observation_error& error) {
        throw input_error({input_name(path)}, "operation " + std::to_string(error.number()) + " " + error.what());
    } catch (const trace_error& error) {
        throw input_error({path, 1, error.offset() + 1}, error.what());
    }
}

} // namespace isbesim::testbench
