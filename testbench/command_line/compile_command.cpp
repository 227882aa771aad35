// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <ostream>

#include "testbench/arguments/command_arguments.h"
#include "testbench/command_line/commands.h"
#include "testbench/command_line/compiled_draw.h"
#include "testbench/command_line/machine_options.h"
#include "testbench/processes/exit_status.h"
#include "testbench/report/result_folder.h"
#include "testbench/scenario/scenario.h"

namespace isbesim::testbench {

namespace po = boost::program_options;
namespace fs = std::filesystem;

namespace {

/// Values of the command's own options.
struct compile_choices {
    std::string xfb;
    std::optional<std::uint64_t> vertices, patch_vertices;
    std::vector<std::string> uniforms;

    po::options_description options()
    {
        po::options_description options("Options");
        auto add = options.add_options();
        add_chip_option(options);
        add("xfb", bound(xfb, "NAMES"),
            "outputs to capture, with commas between them; without it what the last stage writes");
        add("vertices", bound(vertices, "N", {1, 100'000'000}),
            "vertices of the draw, or its workgroups where it has a mesh shader, 1 to 100000000; without it a few. "
            "Attributes of vertices repeat");
        add("uniform", bound(uniforms, "NAME=VALUE,..."),
            "value of a uniform, a member of a block or of a storage buffer: all numbers of its type, columns of "
            "matrices "
            "first; NAME[I] sets an element. Repeatable");
        add("patch-vertices", bound(patch_vertices, "N", {1, 32}),
            "vertices of a patch, 1 to 32; without it as many as the .tesc leaves, or 3");
        add_out_option(options, "scenario.json, programs and headers");
        return options;
    }
};

} // namespace

po::options_description compile_options()
{
    return lasting_options<compile_choices>();
}

int run_compile(const std::vector<std::string>& words, std::ostream& out, std::ostream& err)
{
    const auto separator = std::find(words.begin(), words.end(), std::string("--"));
    const std::vector<std::string> own(words.begin(), separator);
    compile_choices choices;
    const command_arguments arguments(own, choices.options(), "FILE", own.size());
    const source_place end{"command-line", 1, own.size() + 1};
    if (!arguments.has("FILE")) throw input_error(end, "no shader given, expected a .vert or a .mesh at least");
    const auto input = read_shader_files(end, arguments);
    const bool vulkan = input.api == gl::graphics_api::vulkan;
    const auto& chip =
        vulkan && !arguments.is_given("chip") ? *gl::find_chip("tu102") : read_chip(arguments, input.api);
    if (vulkan && !choices.xfb.empty())
        arguments.fail("xfb", " names outputs of OpenGL's shaders, expected shaders for Vulkan without it");
    std::vector<std::string> wrapper;
    if (separator != words.end()) wrapper.assign(separator + 1, words.end());
    auto compiled =
        compile_draw(input, {choices.xfb, choices.vertices, choices.patch_vertices, wrapper, own.size() + 3}, chip);
    if (compiled.has_shader_error) return exit_status::wrong_input;
    if (!compiled.first) {
        err << "isbesim: error: the driver drew nothing"
            << (compiled.refusal.empty()
                    ? ": is Mesa's nouveau driver there (Debian packages libegl1, libgl1-mesa-dri)?"
                    : ": " + compiled.refusal)
            << std::endl;
        return exit_status::internal_error;
    }
    auto& written = *compiled.first;
    auto& draw = written.call;
    written.uniforms = read_uniform_list(compiled.uniforms, written, compiled.later, !vulkan);
    give_values(written.uniforms, choices.uniforms, arguments);
    if (choices.vertices && draw.topology != topology::mesh) {
        draw.vertex_count = *choices.vertices;
        for (auto& attribute : draw.attributes) attribute.second.repeat = true;
    }
    if (std::all_of(draw.capture.begin(), draw.capture.end(), [](const auto& stream) { return stream.empty(); }))
        draw.capture = written_attributes(draw);
    result_folder folder(place_of_results(arguments, "compile"));
    std::string description = std::string("compiled for ") + chip.name + " from";
    for (const auto& file : input.paths) description += " " + fs::path(file).filename().string();
    write_scenario(written, description,
                   [&](const std::string& name, std::string_view content) { folder.write(name, content); });
    folder.commit();
    for (const auto& each : load_scenario(folder.final_file("scenario.json")).warnings)
        if (each.kind == "no_value")
            err << "isbesim: warning: " << each.text << " (--uniform NAME=VALUE, or \"value\" in the file)\n";
    out << "scenario: " << folder.final_file("scenario.json") << "\n";
    return exit_status::done;
}

} // namespace isbesim::testbench
