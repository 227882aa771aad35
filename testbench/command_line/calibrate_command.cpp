// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <fstream>
#include <initializer_list>
#include <iosfwd>
#include <memory>
#include <string>
#include <vector>

#include "testbench/arguments/command_arguments.h"
#include "testbench/calibration/calibration_report.h"
#include "testbench/calibration/pass_table.h"
#include "testbench/calibration/trace_observation.h"
#include "testbench/calibration/vcd_observation.h"
#include "testbench/calibration/waveform_text.h"
#include "testbench/command_line/commands.h"
#include "testbench/command_line/gl_session.h"
#include "testbench/command_line/machine_options.h"
#include "testbench/files/files.h"
#include "testbench/files/json_text.h"
#include "testbench/processes/exit_status.h"
#include "testbench/system/config.h"

namespace isbesim::testbench {

namespace po = boost::program_options;

namespace {

/// True if the file begins like JSON, as isbesim_measure writes it.
bool is_card_measurement(const std::string& path)
{
    if (path == "-") return false;
    std::ifstream file(path);
    char first = 0;
    return file >> first && first == '{';
}

vcd_names names_of(const command_arguments& arguments, const calibrate_choices& choices)
{
    vcd_names names{choices.scopes, {}};
    if (names.scopes.size() > 2)
        arguments.fail("scope", " " + std::to_string(names.scopes.size()) +
                                    " times, expected a scope of the block, or of each port");
    for (const auto& text : choices.signals) {
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
    char begin[sizeof trace_magic - 1] = {}; // without the version: the reader reports an unknown one
    return file.read(begin, sizeof begin) && std::equal(std::begin(begin), std::end(begin), std::begin(trace_magic));
}

/// Calibrates from a trace or a waveform. Results are shown as differences from the machine of the command line.
int calibrate_file(const std::string& path, const command_arguments& arguments, const calibrate_choices& choices,
                   std::ostream& out, std::ostream& err)
{
    machine_config base;
    read_machine(arguments, base);
    std::unique_ptr<observed_traffic> traffic;
    if (path != "-" && is_trace(path)) {
        for (const auto* option : {"scope", "signal"})
            if (arguments.has(option)) arguments.fail(option, " and a trace, expected a waveform");
        traffic = std::make_unique<trace_observation>(open_trace(path));
    } else {
        const auto names = names_of(arguments, choices);
        waveform_text text(path);
        traffic = std::make_unique<vcd_observation>(text.stream(), input_name(path), names, text.has_lines());
    }
    const auto result = calibrate(*traffic, base.isbe);
    const auto report = calibration_json(path, *traffic, result, base);
    for (const auto& remark : report.at("remarks").as_array())
        err << "isbesim: warning: " << input_name(path) << ": " << remark.as_string().c_str() << "\n";
    if (!choices.out.empty())
        write_output(choices.out, json_text(calibrated_machine(path, result, base)), arguments.place_of("--out"), out,
                     false);
    if (!choices.report.empty()) write_file(choices.report, json_text(report), arguments.place_of("--report"));
    if (!choices.quiet && choices.out != "-") print_calibration(out, report);
    return report.at("explained").as_bool() ? exit_status::done : exit_status::check_failed;
}

} // namespace

po::options_description calibrate_choices::options()
{
    po::options_description options("Options");
    add_machine_options(options);
    add_chip_option(options);
    auto add = options.add_options();
    add("out", bound(out, "FILE"), "the machine that was found, for --config; -: on stdout");
    add("report", bound(report, "FILE"), "everything that was found, as JSON");
    add("scope", bound(scopes, "PATH"),
        "waveform: where the pins are, as tb.dut, or port 0's and then port 1's; without it the outermost scope that "
        "has "
        "them all");
    add("signal", bound(signals, "PIN=VARIABLE"), "waveform: a pin of isbe_top that has another name; repeatable");
    add("quiet", bound(quiet), "no summary");
    return options;
}

po::options_description calibrate_options()
{
    return lasting_options<calibrate_choices>();
}

int run_calibrate(const std::vector<std::string>& words, std::ostream& out, std::ostream& err)
{
    calibrate_choices choices;
    const command_arguments arguments(words, choices.options(), "TRACE");
    const auto path = arguments.positional(
        "a trace (recorded with --record), a waveform (VCD or FST) or a card's measurement (isbesim_measure)");
    const auto refuse = [&](std::initializer_list<const char*> options, const std::string& text) {
        for (const auto* option : options)
            if (arguments.is_given(option)) arguments.fail(option, text);
    };
    if (is_card_measurement(path)) {
        refuse({"report", "scope", "signal"}, " and a card's measurement, expected a trace or a waveform");
        return calibrate_card(path, arguments, choices, out, err);
    }
    if (path == "-" || std::ifstream(path))
        refuse({"chip"}, " and no card's measurement, expected the file of isbesim_measure");
    try {
        const int status = calibrate_file(path, arguments, choices, out, err);
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
