// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <optional>
#include <ostream>

#include "models/attribute/attribute_map.h"
#include "testbench/arguments/command_arguments.h"
#include "testbench/command_line/commands.h"
#include "testbench/command_line/compiled_uniforms.h"
#include "testbench/command_line/gl_command.h"
#include "testbench/command_line/machine_options.h"
#include "testbench/files/files.h"
#include "testbench/files/shipped_files.h"
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

constexpr const char* endings[] = {".vert", ".tesc", ".tese", ".geom", ".mesh", ".task", ".spv"};

/// Copies buffers of a process, whose memory ends with it.
std::shared_ptr<global_memory> copy_buffers(const std::vector<gl::memory_extent>& buffers)
{
    auto memory = std::make_shared<global_memory>();
    for (const auto& buffer : buffers) {
        buffer_bytes bytes(buffer.bytes);
        for (const auto& run : buffer.touched)
            std::memcpy(bytes.data() + (run.address - buffer.address), run.data, run.bytes);
        memory->add(buffer.address, std::move(bytes));
    }
    return memory;
}

/// True if a program reads or writes memory by address. Others reach single textures only.
bool has_addresses(const draw_call& draw)
{
    return std::any_of(draw.stages.begin(), draw.stages.end(), [](const auto& each) {
        const auto& code = each.second.program.code;
        return std::any_of(code.begin(), code.end(),
                           [](const isa::instruction& one) { return one.issue.latency == isa::latency_class::global; });
    });
}

/// Keeps the first draw, and the data of the later ones.
class draw_keeper : public gl::draw_listener {
public:
    explicit draw_keeper(gl::graphics_api api) : api_(api) {}
    void draw(const gl::built_draw& draw) override
    {
        if (draw_) {
            shown_.emplace_back(draw);
            return;
        }
        draw_ = {draw.call, {}, {}, {}};
        // The process's memory ends with the session.
        if (api_ == gl::graphics_api::opengl && !has_addresses(draw.call))
            draw_->memory = copy_textures(draw_->call);
        else if (draw.call.memory != nullptr)
            draw_->memory = copy_buffers(draw.memory);
        // The PE counts vertices itself, also beyond those of this draw.
        draw_->call.attributes.erase(attribute_address::vertex_id);
        for (const auto& [which, program] : draw.programs)
            draw_->programs[which] = {program->header_bytes, program->code_bytes, program->library_bytes,
                                      program->library_address};
    }
    void end_frame() override {}
    std::optional<written_draw> draw_;
    std::vector<shown_draw> shown_;

private:
    gl::graphics_api api_;
};

/// Runs no draws, so that only the launches run with which a driver fills images.
class idle_executor : public gl::draw_executor {
public:
    gl::draw_result run(const gl::built_draw&, gl::gpu_memory&, const gl::stream_out_layout&,
                        gl::stream_out_position&) override
    {
        gl::draw_result result;
        result.done = true;
        return result;
    }
    void transfer(std::uint64_t) override {}
    std::optional<std::uint64_t> nanoseconds() const override { return std::nullopt; }
};

/// The request of the command line.
struct request {
    std::vector<std::string> shaders; ///< absolute paths
    gl::graphics_api api = gl::graphics_api::opengl;
};

/// Stage of a SPIR-V module's first entry point if no draw has it before pixels; empty otherwise.
const char* stage_of_others(const std::string& module)
{
    constexpr std::uint32_t magic = 0x07230203, entry_point = 15, fragment = 4, compute = 5, kernel = 6;
    constexpr std::size_t head = 5;
    std::vector<std::uint32_t> words(module.size() / sizeof(std::uint32_t));
    std::memcpy(words.data(), module.data(), words.size() * sizeof(std::uint32_t));
    if (words.empty() || words[0] != magic) return "";
    for (std::size_t position = head; position + 1 < words.size(); position += std::max(words[position] >> 16U, 1U)) {
        if ((words[position] & 0xffffU) != entry_point) continue;
        const auto stage = words[position + 1];
        return stage == fragment ? "fragment" : stage == compute || stage == kernel ? "compute" : "";
    }
    return "";
}

/// Throws input_error for other kinds of files; `end`: place of the last argument.
request read_request(const source_place& end, const command_arguments& arguments)
{
    request result;
    for (const auto& file : arguments.get<std::vector<std::string>>("FILE")) {
        const auto ending = fs::path(file).extension().string();
        if (std::find(std::begin(endings), std::end(endings), ending) == std::end(endings))
            throw input_error(arguments.place_of_positional(result.shaders.size()),
                              "'" + file +
                                  "' is no shader of a draw before pixels, expected a name that ends in .vert, .tesc, "
                                  ".tese, .geom, .mesh, .task or .spv");
        const std::string stage = stage_of_others(read_file(file, "a shader"));
        if (!stage.empty())
            throw input_error({file}, "a program of the " + stage +
                                          " stage, expected stages of a draw before pixels: vertex, tessellation, "
                                          "geometry, task, mesh");
        result.shaders.push_back(fs::absolute(file).string());
    }
    const auto has = [&](const char* ending) {
        return std::any_of(result.shaders.begin(), result.shaders.end(),
                           [&](const std::string& file) { return fs::path(file).extension() == ending; });
    };
    const bool spirv = has(".spv");
    if (has(".mesh") || has(".task") || spirv) result.api = gl::graphics_api::vulkan;
    if (!has(".vert") && !has(".mesh") && !spirv)
        throw input_error(end, "no vertex and no mesh shader, expected a .vert, a .mesh or .spv");
    if (has(".tesc") && !has(".tese") && !spirv) throw input_error(end, "a .tesc without a .tese, expected both");
    return result;
}

/// The reason why the drawing program has not drawn; empty if it has.
std::string failure(int status, const gl::chip& chip, gl::graphics_api api)
{
    constexpr int wrong = 1;
    constexpr int no_device = 2;
    constexpr int no_meshes = 3;
    constexpr int no_validator = 4;
    constexpr int gave_up = 5;
    constexpr int signal_base = 128;
    const std::string name = chip.name;
    const auto script = script_of_user("vk_root");
    const auto root = "'-- " + script + " run FOLDER' behind the files for a root that '" + script + " make' made";
    if (status == gave_up || status > signal_base)
        return "the driver's compiler for " + name + " broke off" +
               (status == gave_up ? "" : " with signal " + std::to_string(status - signal_base)) +
               ": what it says is above, expected shaders that it compiles";
    if (api == gl::graphics_api::opengl) return "";
    if (status == wrong) return "the shaders are not taken, expected GLSL 4.60 for Vulkan or SPIR-V";
    if (status == no_device)
        return "no Vulkan driver for " + name + ", expected Mesa's NVK (Debian packages mesa-vulkan-drivers of Mesa " +
               "24.1 or later, for mesh shaders 26.2, and libvulkan1), or " + root;
    if (status == no_meshes)
        return "the driver has no mesh shaders for " + name + ", expected tu102 or a later chip and Mesa 26.2 or " +
               "later (Debian package mesa-vulkan-drivers), or " + root;
    if (status == no_validator)
        return "no glslangValidator, expected the Debian package glslang-tools beside the driver, SPIR-V files, or " +
               root;
    return "";
}

/// The values of its own options.
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
    const auto input = read_request(end, arguments);
    const bool vulkan = input.api == gl::graphics_api::vulkan;
    const auto& chip =
        vulkan && !arguments.is_given("chip") ? *gl::find_chip("tu102") : read_chip(arguments, input.api);
    if (vulkan && !choices.xfb.empty())
        arguments.fail("xfb", " names outputs of OpenGL's shaders, expected shaders for Vulkan without it");
    std::vector<std::string> program;
    if (separator != words.end()) program.assign(separator + 1, words.end());
    program.push_back(installed_beside(vulkan ? "isbesim_vk_compile" : "isbesim_gl_compile"));
    if (vulkan) program.push_back(std::to_string(choices.vertices.value_or(4)));
    program.push_back(std::to_string(choices.patch_vertices.value_or(0)));
    program.insert(program.end(), input.shaders.begin(), input.shaders.end());
    if (!choices.xfb.empty()) program.insert(program.end(), {"--xfb", choices.xfb});
    draw_keeper kept(input.api);
    gl::tally counts;
    idle_executor executor;
    std::string list;
    const int status = run_gl_session({chip, &executor, &kept, {}, program, input.api, own.size() + 3, &list}, counts);
    if (const auto others = gl::other_drivers(counts, gl::graphics_api::opengl, 0); !others.empty())
        throw input_error({"command-line", 1, 1}, others);
    constexpr int shader_error = 6; // an error in a shader, of which the program has written the line
    if (status == shader_error) return exit_status::wrong_input;
    if (const auto text = failure(status, chip, input.api); !text.empty())
        throw input_error({input.shaders.front()}, text);
    if (!kept.draw_) {
        err << "isbesim: error: the driver drew nothing"
            << (counts.refused.empty() ? ": is Mesa's nouveau driver there (Debian packages libegl1, libgl1-mesa-dri)?"
                                       : ": " + counts.refused.begin()->first)
            << std::endl;
        return exit_status::internal_error;
    }
    auto& draw = kept.draw_->call;
    kept.draw_->uniforms = read_uniform_list(list, *kept.draw_, kept.shown_, !vulkan);
    give_values(kept.draw_->uniforms, choices.uniforms, arguments);
    if (choices.vertices && draw.topology != topology::mesh) {
        draw.vertex_count = *choices.vertices;
        for (auto& attribute : draw.attributes) attribute.second.repeat = true;
    }
    if (std::all_of(draw.capture.begin(), draw.capture.end(), [](const auto& stream) { return stream.empty(); }))
        draw.capture = written_attributes(draw);
    result_folder folder(place_of_results(arguments, "compile"));
    std::string description = std::string("compiled for ") + chip.name + " from";
    for (const auto& file : input.shaders) description += " " + fs::path(file).filename().string();
    write_scenario(*kept.draw_, description,
                   [&](const std::string& name, std::string_view content) { folder.write(name, content); });
    folder.commit();
    for (const auto& each : load_scenario(folder.final_file("scenario.json")).warnings)
        if (each.kind == "no_value")
            err << "isbesim: warning: " << each.text << " (--uniform NAME=VALUE, or \"value\" in the file)\n";
    out << "scenario: " << folder.final_file("scenario.json") << "\n";
    return exit_status::done;
}

} // namespace isbesim::testbench
