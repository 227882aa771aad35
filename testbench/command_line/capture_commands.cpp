#include "testbench/command_line/capture_commands.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <iomanip>
#include <iostream>
#include <map>
#include <sstream>

#include <sys/wait.h>
#include <unistd.h>

#include <boost/json.hpp>

#include "models/isbe/functional/names.h"
#include "models/pe/linking/linking.h"
#include "testbench/command_line/machine_options.h"
#include "testbench/files/files.h"
#include "testbench/files/json_text.h"
#include "testbench/gl/capture/capture_reader.h"
#include "testbench/report/result_folder.h"
#include "testbench/version.h"

namespace isbesim::testbench {

namespace po = boost::program_options;
namespace json = boost::json;

namespace {

const char* topology_name(topology kind)
{
    static constexpr const char* names[] = {"points",
                                            "lines",
                                            "line_strip",
                                            "line_loop",
                                            "triangles",
                                            "triangle_strip",
                                            "triangle_fan",
                                            "lines_adjacency",
                                            "line_strip_adjacency",
                                            "triangles_adjacency",
                                            "triangle_strip_adjacency",
                                            "patches"};
    return names[static_cast<std::size_t>(kind)];
}

/// Numbers programs as they come: the same bytes, the same number.
class program_numbers {
public:
    std::size_t of(std::pair<std::uint32_t, std::uint32_t> blobs)
    {
        return numbers_.emplace(blobs, numbers_.size()).first->second;
    }

private:
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> numbers_;
};

/// "vertex 3 (2 lines), geometry 4 (6)": the lines are input and output of the first stage, the output of each later
/// one.
std::string stages_text(gl::capture_reader& capture, std::size_t number, const gl::draw_outline& outline,
                        program_numbers& programs, const machine_config& config)
{
    std::vector<unsigned> lines;
    std::string problem;
    try {
        const auto draw = capture.load(number);
        const auto linked = link_pipeline(draw, config);
        lines.push_back(linked.first_stage_lines);
        lines.insert(lines.end(), linked.stage_lines.begin(), linked.stage_lines.end());
    } catch (const draw_error& error) {
        problem = std::string(" does not fit: ") + error.what();
    }
    std::string text;
    std::size_t stage = 0;
    for (const auto& [which, blobs] : outline.programs) {
        text += (text.empty() ? "" : ", ") + std::string(name_of(which)) + " " + std::to_string(programs.of(blobs));
        if (stage < lines.size()) text += " (" + std::to_string(lines[stage]) + (stage == 0 ? " lines)" : ")");
        ++stage;
    }
    return text + problem;
}

std::size_t draw_number(const command_arguments& arguments, const gl::capture_reader& capture)
{
    const auto number = arguments.has("draw") ? arguments.get<std::uint64_t>("draw") : 0;
    if (number < capture.draws()) return number;
    const auto count = capture.draws();
    throw input_error(arguments.has("draw") ? arguments.place_of("--draw") : source_place{capture.file()},
                      count == 0
                          ? "the capture has no draws, expected one"
                          : "--draw is " + std::to_string(number) + ", expected 0 to " + std::to_string(count - 1));
}

/// Runs one draw as `isbesim run FILE --draw N` would; its exit status, 3 for a crash.
int run_in_process(std::vector<std::string> words, std::ostream& out, std::ostream& err)
{
    out.flush();
    err.flush();
    const auto child = fork();
    if (child == 0) {
        words.insert(words.begin(), "run");
        const int status = run_command_line(words, out, err);
        out.flush();
        err.flush();
        _exit(status);
    }
    int status = 0;
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
    return child > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : static_cast<int>(exit_status::internal_error);
}

/// `words` without the options that say which draws, and where results go.
std::vector<std::string> words_for_draw(const std::vector<std::string>& words)
{
    std::vector<std::string> kept;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const auto name = words[i].substr(0, words[i].find('='));
        if (name != "--out" && name != "--frame" && name != "--quiet") {
            kept.push_back(words[i]);
            continue;
        }
        if (name == words[i] && name != "--quiet") ++i; // its value
    }
    return kept;
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
    out << capture.chip() << ", " << capture.draws() << " draws in " << capture.frames() << " frames, "
        << capture.blobs() << " programs and buffers"
        << (capture.complete() ? "" : "; the session was killed: the last draw may be missing") << "\n";
    if (capture.draws() == 0) return exit_status::done;
    out << std::setw(6) << "draw" << std::setw(7) << "frame"
        << "  " << std::left << std::setw(25) << "topology" << std::right << std::setw(9) << "vertices" << std::setw(10)
        << "instances" << std::setw(11) << "attributes" << std::setw(9) << "captured"
        << "  programs, ISBE lines of a warp\n";
    program_numbers programs;
    for (std::size_t i = 0; i < capture.draws(); ++i) {
        const auto outline = capture.outline(i);
        const auto kind = std::string(topology_name(outline.topology)) + (outline.indexed ? ", indexed" : "");
        out << std::setw(6) << i << std::setw(7) << capture.frame_of(i) << "  " << std::left << std::setw(25) << kind
            << std::right << std::setw(9) << outline.vertices << std::setw(10) << outline.instances << std::setw(11)
            << outline.attributes << std::setw(9) << outline.captured << "  "
            << stages_text(capture, i, outline, programs, config) << "\n";
    }
    return exit_status::done;
}

void add_capture_options(po::options_description& options)
{
    auto add = options.add_options();
    add("draw", po::value<std::uint64_t>()->value_name("N"), "of a capture: this draw, from 0");
    add("frame", po::value<std::uint64_t>()->value_name("N"), "of a capture: the draws of this frame, from 0");
}

scenario load_captured_draw(const std::string& file, const command_arguments& arguments)
{
    gl::capture_reader capture(file);
    scenario result;
    result.file = file;
    result.draw = capture.load(draw_number(arguments, capture));
    // A draw that streamed nothing out shows what it would have drawn.
    auto& columns = result.draw.capture;
    if (std::all_of(columns.begin(), columns.end(), [](const auto& stream) { return stream.empty(); }))
        columns = written_attributes(result.draw);
    return result;
}

void use_machine_of_capture(const std::string& file, const command_arguments& arguments, machine_config& config)
{
    if (arguments.has("config") || !gl::capture_reader::is_capture(file)) return;
    load_config(gl::capture_reader(file).chip(), {file}, config);
}

bool is_captured_sequence(const std::string& file, const command_arguments& arguments)
{
    const auto is_capture = gl::capture_reader::is_capture(file);
    for (const auto* option : {"draw", "frame"})
        if (!is_capture && arguments.has(option))
            throw input_error(arguments.place_of(std::string("--") + option),
                              std::string("--") + option + " with a scenario, expected a capture");
    if (arguments.has("draw") && arguments.has("frame"))
        throw input_error(arguments.place_of("--frame"), "--draw and --frame, expected one of them");
    return is_capture && !arguments.has("draw");
}

int run_captured_sequence(const std::string& file, const command_arguments& arguments,
                          const std::vector<std::string>& words, std::ostream& out, std::ostream& err)
{
    std::vector<std::size_t> numbers;
    {
        gl::capture_reader capture(file);
        const auto wanted = arguments.has("frame") ? arguments.get<std::uint64_t>("frame") : 0;
        if (arguments.has("frame") && wanted >= capture.frames())
            throw input_error(arguments.place_of("--frame"),
                              "--frame is " + std::to_string(wanted) + ", the capture has " +
                                  std::to_string(capture.frames()) + " frames, expected one of them");
        for (std::size_t i = 0; i < capture.draws(); ++i)
            if (!arguments.has("frame") || capture.frame_of(i) == wanted) numbers.push_back(i);
        if (numbers.empty()) throw input_error({file}, "the capture has no draws, expected one");
    }
    result_folder folder(arguments.get<std::string>("out"), arguments.place_of("--out"));
    const auto kept = words_for_draw(words);
    std::ostringstream table;
    table << "draw,status,cycles\n";
    json::array draws;
    int worst = exit_status::done;
    std::uint64_t cycles = 0;
    for (const auto number : numbers) {
        char name[32];
        std::snprintf(name, sizeof name, "draws/%04zu", number);
        auto one = kept;
        one.insert(one.end(), {"--draw", std::to_string(number), "--out", folder.file(name), "--quiet"});
        const auto status = run_in_process(one, out, err);
        worst = std::max(worst, status);
        std::uint64_t own = 0;
        if (status != exit_status::wrong_input && status != exit_status::internal_error) {
            const auto report = json::parse(read_file(folder.file(name) + "/report.json", "a report"));
            own = report.at("cycles").to_number<std::uint64_t>();
        }
        cycles += own;
        table << number << "," << status << "," << own << "\n";
        draws.push_back(json::object{{"draw", number}, {"status", status}, {"cycles", own}});
    }
    folder.write("draws.csv", table.str());
    folder.write("report.json", json_text(json::object{{"tool", json::object{{"version", version_text}}},
                                                       {"capture", file},
                                                       {"cycles", cycles},
                                                       {"draws", std::move(draws)}}));
    folder.commit();
    if (!arguments.has("quiet"))
        out << numbers.size() << " draws, " << cycles
            << " cycles one after the other\n\ndraws:    " << folder.final_file("draws.csv") << "\n";
    return worst;
}

} // namespace isbesim::testbench
