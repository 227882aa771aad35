// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>
#include <optional>
#include <ostream>

#include "models/attribute/attribute_map.h"
#include "testbench/arguments/command_arguments.h"
#include "testbench/command_line/commands.h"
#include "testbench/command_line/gl_command.h"
#include "testbench/files/files.h"
#include "testbench/gl/draws/draw_session.h"
#include "testbench/gl/session/summary.h"
#include "testbench/processes/exit_status.h"
#include "testbench/report/result_folder.h"
#include "testbench/scenario/scenario.h"
#include "testbench/scenario/scenario_writer.h"
#include "testbench/scenario/texture_tables.h"

namespace isbesim::testbench {

namespace po = boost::program_options;
namespace fs = std::filesystem;

namespace {

constexpr const char* endings[] = {".vert", ".tesc", ".tese", ".geom"};

/// Keeps the last draw.
class draw_keeper : public gl::draw_listener {
public:
    void draw(const gl::built_draw& draw) override
    {
        draw_ = {draw.call, {}, {}};
        // The process's memory ends with the session.
        draw_->memory = copy_textures(draw_->call);
        // The PE counts vertices itself, also beyond those of this draw.
        draw_->call.attributes.erase(attribute_address::vertex_id);
        for (const auto& [which, program] : draw.programs)
            draw_->programs[which] = {program->header_bytes, program->code_bytes, program->library_bytes,
                                      program->library_address};
    }
    void end_frame() override {}
    std::optional<written_draw> draw_;
};

/// Shaders of the command line as absolute paths; another kind of file is an error.
std::vector<std::string> read_shaders(const std::vector<std::string>& words, const command_arguments& arguments)
{
    std::vector<std::string> shaders;
    for (const auto& file : arguments.get<std::vector<std::string>>("shader")) {
        const auto ending = fs::path(file).extension().string();
        if (std::find(std::begin(endings), std::end(endings), ending) == std::end(endings))
            throw input_error(arguments.place_of(file),
                              "'" + file + "' is no shader, expected a name that ends in .vert, .tesc, .tese or .geom");
        read_file(file, "a GLSL shader");
        shaders.push_back(fs::absolute(file).string());
    }
    const auto has = [&](const char* ending) {
        return std::any_of(shaders.begin(), shaders.end(),
                           [&](const std::string& file) { return fs::path(file).extension() == ending; });
    };
    const source_place end{"command-line", 1, words.size() + 1};
    if (!has(".vert")) throw input_error(end, "no vertex shader, expected a .vert");
    if (has(".tesc") && !has(".tese")) throw input_error(end, "a .tesc without a .tese, expected both");
    return shaders;
}

} // namespace

po::options_description compile_options()
{
    po::options_description options("Options");
    auto add = options.add_options();
    add_chip_option(options);
    add("xfb", po::value<std::string>()->value_name("NAMES"),
        "outputs to capture, with commas between them; without it what the last stage writes");
    add("vertices", po::value<std::uint64_t>()->value_name("N"),
        "vertices of the draw, 1 to 100000000; without it a few. Their attributes repeat");
    add("out", po::value<std::string>()->default_value("out")->value_name("DIR"),
        "folder for scenario.json, programs and headers, replaced as a whole");
    add("shader", po::value<std::vector<std::string>>()->value_name("FILE"), "a shader, as without the option");
    return options;
}

int run_compile(const std::vector<std::string>& words, std::ostream& out, std::ostream& err)
{
    // The files stand without an option: each becomes one, so that the parser takes several.
    std::vector<std::string> marked;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const auto is_value =
            i > 0 && (words[i - 1] == "--chip" || words[i - 1] == "--xfb" || words[i - 1] == "--out" ||
                      words[i - 1] == "--shader" || words[i - 1] == "--vertices");
        if (!is_value && (words[i].empty() || words[i][0] != '-')) marked.emplace_back("--shader");
        marked.push_back(words[i]);
    }
    const command_arguments arguments(marked, compile_options(), "FILE");
    if (!arguments.has("shader"))
        throw input_error({"command-line", 1, words.size() + 2}, "no shader given, expected a .vert at least");
    const auto shaders = read_shaders(words, arguments);
    const auto& chip = read_chip(arguments);
    auto program = std::vector<std::string>{installed_beside("isbesim_gl_compile")};
    program.insert(program.end(), shaders.begin(), shaders.end());
    if (arguments.has("xfb")) program.insert(program.end(), {"--xfb", arguments.get<std::string>("xfb")});
    constexpr std::uint64_t most_vertices = 100'000'000;
    if (arguments.has("vertices"))
        if (const auto count = arguments.get<std::uint64_t>("vertices"); count == 0 || count > most_vertices)
            throw input_error(arguments.place_of("--vertices"),
                              "--vertices is " + std::to_string(count) + ", expected 1 to 100000000");
    draw_keeper kept;
    gl::tally counts;
    const int status = run_gl_session({chip, nullptr, &kept, {}, program}, counts);
    if (const auto others = gl::other_drivers(counts); !others.empty())
        throw input_error({"command-line", 1, 1}, others);
    if (status == 1) throw input_error({shaders.front()}, "the driver does not take the shaders, expected GLSL 4.30");
    if (!kept.draw_) {
        err << "isbesim: error: the driver drew nothing"
            << (counts.refused.empty() ? ": is Mesa's nouveau driver there (Debian packages libegl1, libgl1-mesa-dri)?"
                                       : ": " + counts.refused.begin()->first)
            << std::endl;
        return exit_status::internal_error;
    }
    auto& draw = kept.draw_->call;
    if (arguments.has("vertices")) {
        draw.vertex_count = arguments.get<std::uint64_t>("vertices");
        for (auto& attribute : draw.attributes) attribute.second.repeat = true;
    }
    if (std::all_of(draw.capture.begin(), draw.capture.end(), [](const auto& stream) { return stream.empty(); }))
        draw.capture = written_attributes(draw);
    result_folder folder(arguments.get<std::string>("out"), arguments.place_of("--out"), "scenario.json");
    std::string description = std::string("compiled for ") + chip.name + " from";
    for (const auto& file : shaders) description += " " + fs::path(file).filename().string();
    write_scenario(*kept.draw_, description,
                   [&](const std::string& name, std::string_view content) { folder.write(name, content); });
    folder.commit();
    out << "scenario: " << folder.final_file("scenario.json") << "\n";
    return exit_status::done;
}

} // namespace isbesim::testbench
