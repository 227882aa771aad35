// SPDX-License-Identifier: Apache-2.0
#include "testbench/command_line/capture_commands.h"

#include <iomanip>

#include "models/isbe/functional/names.h"
#include "testbench/command_line/commands.h"
#include "testbench/command_line/machine_options.h"
#include "testbench/command_line/run_request.h"
#include "testbench/gl/capture/capture_reader.h"
#include "testbench/gl/frame/draw_facts.h"
#include "testbench/processes/exit_status.h"
#include "tlm/count_text.h"

namespace isbesim::testbench {

namespace po = boost::program_options;

namespace {

/// "vertex 3 (2 lines), geometry 4 (6)": the lines are those of input and output of the first stage, then of each later
/// stage's output.
std::string stages_text(const gl::draw_facts& facts)
{
    std::string text;
    for (const auto& each : facts.stages) {
        const auto* lines = text.empty() ? " lines)" : ")";
        text += (text.empty() ? "" : ", ") + std::string(name_of(each.stage)) + " " + std::to_string(each.program);
        if (each.lines != 0) text += " (" + std::to_string(each.lines) + lines;
    }
    return text + (facts.problem.empty() ? "" : " does not fit: " + facts.problem);
}

std::size_t draw_number(const run_request& request, const gl::capture_reader& capture)
{
    const auto number = request.draw.value_or(0);
    if (number < capture.draws()) return number;
    const auto count = capture.draws();
    throw input_error(request.draw ? request.arguments.place_of("--draw") : source_place{capture.file()},
                      count == 0
                          ? "the capture has no draws, expected one"
                          : "--draw is " + std::to_string(number) + ", expected 0 to " + std::to_string(count - 1));
}

} // namespace

po::options_description capture_info_options()
{
    po::options_description options("Options");
    add_machine_options(options);
    return options;
}

int run_capture_info(const std::vector<std::string>& words, std::ostream& out, std::ostream&)
{
    const command_arguments arguments(words, capture_info_options(), "FILE.capture");
    gl::capture_reader capture(arguments.positional("a capture (FILE.capture)"));
    machine_config config;
    if (!arguments.has("config")) load_config(capture.chip(), {capture.file()}, config);
    read_machine(arguments, config);
    out << capture.chip() << ", " << count_text(capture.draws(), "draw") << " in "
        << count_text(capture.frames(), "frame") << ", programs and buffers: " << capture.blobs()
        << (capture.complete() ? "" : "; the session was killed: the last draw may be missing") << "\n";
    if (capture.draws() == 0) return exit_status::done;
    out << std::setw(6) << "draw" << std::setw(7) << "frame"
        << "  " << std::left << std::setw(25) << "topology" << std::right << std::setw(9) << "vertices" << std::setw(10)
        << "instances" << std::setw(11) << "attributes" << std::setw(9) << "captured"
        << "  programs, ISBE lines of a warp\n";
    gl::draw_fact_reader reader(capture, config);
    for (std::size_t i = 0; i < capture.draws(); ++i) {
        const auto facts = reader.read(i);
        out << std::setw(6) << i << std::setw(7) << facts.frame << "  " << std::left << std::setw(25)
            << facts.topology + (facts.indexed ? ", indexed" : "") << std::right << std::setw(9) << facts.vertices
            << std::setw(10) << facts.instances << std::setw(11) << facts.attributes.size() << std::setw(9)
            << facts.captured << "  " << stages_text(facts) << "\n";
    }
    return exit_status::done;
}

scenario load_captured_draw(const run_request& request)
{
    const auto& file = request.scenario_file;
    const auto capture = gl::capture_reader::open(file);
    scenario result;
    result.file = file;
    result.draw_place = [file] { return source_place{file}; };
    result.draw = capture->load(draw_number(request, *capture));
    set_default_capture(result.draw);
    return result;
}

machine_programs use_machine_of_capture(const std::string& file, const command_arguments& arguments,
                                        machine_config& config)
{
    if (arguments.has("config") || !gl::capture_reader::is_capture(file)) return {};
    return load_config(gl::capture_reader::open(file)->chip(), {file}, config);
}

bool is_captured_sequence(const run_request& request)
{
    const auto& arguments = request.arguments;
    const auto is_capture = gl::capture_reader::is_capture(request.scenario_file);
    for (const auto* option : {"draw", "frame"})
        if (!is_capture && arguments.has(option)) arguments.fail(option, " with a scenario, expected a capture");
    if (request.draw && request.frame)
        throw input_error(arguments.place_of("--frame"), "--draw and --frame, expected one of them");
    return is_capture && !request.draw;
}

} // namespace isbesim::testbench
