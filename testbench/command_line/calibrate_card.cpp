// SPDX-License-Identifier: Apache-2.0
#include "testbench/command_line/calibrate_card.h"

#include <fstream>
#include <iomanip>
#include <limits>
#include <sstream>
#include <vector>

#include "testbench/calibration/calibration_report.h"
#include "testbench/command_line/card_search.h"
#include "testbench/command_line/gl_command.h"
#include "testbench/command_line/machine_options.h"
#include "testbench/files/files.h"
#include "testbench/files/json_text.h"
#include "testbench/processes/exit_status.h"

namespace isbesim::testbench {

namespace json = boost::json;

namespace {

std::string number_text(const card_figure& of)
{
    std::ostringstream text;
    text << std::fixed << std::setprecision(of.counted ? 0 : 1) << of.value;
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

json::object machine_json(const card_search& search, const machine_config& found, const card_measurement& card,
                          const std::string& base)
{
    const auto source = "measured on " + card.card + ", " + card.driver;
    auto machine = config_to_json(found);
    machine["description"] = source + "; keys without a source are " + base;
    put_source(machine["clock_ghz"],
               source + (is_clock_read(card)
                             ? ", by the cycles that programs read"
                             : ", a dependent multiply-add taken as in the programs of Mesa's compiler"));
    for (const auto& each : search.findings()) {
        const auto text = standing(each);
        const auto is_measured = each.measured && !each.fits.empty();
        put_source(value_of(machine, each.key->name), !is_measured ? text : source + (text.empty() ? "" : ": " + text));
    }
    return machine;
}

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
    if (!model.run(found, names_of(card.tests)))
        file.fail(file.root(), "isbesim_measure can't run these tests on the base, expected its own");
    const auto cycles = (is_clock_read(card) ? card.tests.at(clock_test) : base->at(reference_test)).value;
    found.clock_ghz = cycles / card.tests.at(reference_test).value;
    for (auto& [name, each] : card.tests) each.count_cycles(found.clock_ghz);
    // The order in which many warps meet at the queues depends on keys that are found later.
    constexpr double by_order = 0.02;
    for (const auto* each : {"ald_warps.many", "fetch"})
        if (const auto warps = card.tests.find(each); warps != card.tests.end())
            warps->second.spread += by_order * warps->second.value;
    // Keys that have only ranges change it much: any value of the model explains it.
    if (const auto emitted = card.tests.find("fetch_emit"); emitted != card.tests.end())
        emitted->second.spread = std::numeric_limits<double>::infinity();
    const card_search search(model, card.tests, found);

    std::vector<std::vector<std::string>> rows{{"key", "found", ""}};
    for (const auto& each : search.findings())
        rows.push_back({each.key->name,
                        each.measured && !each.fits.empty() ? each.key->value_text(each.key->get(found)) : "",
                        standing(each)});
    if (!arguments.has("quiet")) print_table(out, rows);
    rows = {{"test", "card", "model"}};
    for (const auto& [name, each] : card.tests) {
        const auto known = search.explained().find(name);
        if (each.noisy || known == search.explained().end()) continue;
        rows.push_back({name, number_text(each), number_text(known->second)});
        if (!is_explained(each, known->second)) rows.back().back() += ", which does not explain it";
    }
    if (!arguments.has("quiet")) print_table(out, rows);
    if (arguments.has("out"))
        write_output(arguments.get<std::string>("out"),
                     json_text(machine_json(search, found, card,
                                            arguments.has("config") ? "the base's" : std::string(chip.name) + "'s")),
                     arguments.place_of("--out"), out, false);
    return search.explains_all() ? exit_status::done : exit_status::check_failed;
}

} // namespace isbesim::testbench
