// SPDX-License-Identifier: Apache-2.0
#include "testbench/command_line/compiled_draw.h"

#include <algorithm>
#include <cstring>
#include <memory>

#include "models/attribute/attribute_map.h"
#include "testbench/files/shipped_files.h"
#include "testbench/gl/compile/compile_status.h"
#include "testbench/gl/session/summary.h"
#include "testbench/scenario/texture_tables.h"

namespace isbesim::testbench {

namespace {

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
    draw_keeper(gl::graphics_api api, compiled_draw& kept) : api_(api), kept_(kept) {}
    void draw(const gl::built_draw& draw) override
    {
        if (kept_.first) {
            kept_.later.emplace_back(draw);
            return;
        }
        auto& first = kept_.first.emplace(written_draw{draw.call, {}, {}, {}});
        // The process's memory ends with the session.
        if (api_ == gl::graphics_api::opengl && !has_addresses(draw.call))
            first.memory = copy_textures(first.call);
        else if (draw.call.memory != nullptr)
            first.memory = copy_buffers(draw.memory);
        // The PE counts vertices itself, also beyond those of this draw.
        first.call.attributes.erase(attribute_address::vertex_id);
        for (const auto& [which, program] : draw.programs)
            first.programs[which] = {program->header_bytes, program->code_bytes, program->library_bytes,
                                     program->library_address};
    }
    void end_frame() override {}

private:
    gl::graphics_api api_;
    compiled_draw& kept_;
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

/// The reason why the drawing program has not drawn; empty if it has.
std::string failure(int status, const gl::chip& chip, gl::graphics_api api)
{
    constexpr int signal_base = 128;
    const std::string name = chip.name;
    const auto script = script_of_user("vk_root");
    const auto root = "'-- " + script + " run FOLDER' behind the files for a root that '" + script + " make' made";
    if (status == GAVE_UP || status > signal_base)
        return "the driver's compiler for " + name + " broke off" +
               (status == GAVE_UP ? "" : " with signal " + std::to_string(status - signal_base)) +
               ": what it says is above, expected shaders that it compiles";
    if (api == gl::graphics_api::opengl) return "";
    if (status == WRONG_SHADERS) return "the shaders are not taken, expected GLSL 4.60 for Vulkan or SPIR-V";
    if (status == NO_DEVICE)
        return "no Vulkan driver for " + name + ", expected Mesa's NVK (Debian packages mesa-vulkan-drivers of Mesa " +
               "24.1 or later, for mesh shaders 26.2, and libvulkan1), or " + root;
    if (status == NO_MESHES)
        return "the driver has no mesh shaders for " + name + ", expected tu102 or a later chip and Mesa 26.2 or " +
               "later (Debian package mesa-vulkan-drivers), or " + root;
    if (status == NO_VALIDATOR)
        return "no glslangValidator, expected the Debian package glslang-tools beside the driver, SPIR-V files, or " +
               root;
    return "";
}

} // namespace

compiled_draw compile_draw(const shader_files& shaders, const drawing_program& drawing, const gl::chip& chip)
{
    const bool vulkan = shaders.api == gl::graphics_api::vulkan;
    auto program = drawing.wrapper;
    program.push_back(installed_beside(vulkan ? "isbesim_vk_compile" : "isbesim_gl_compile"));
    if (vulkan) program.push_back(std::to_string(drawing.vertices.value_or(4)));
    program.push_back(std::to_string(drawing.patch_vertices.value_or(0)));
    program.insert(program.end(), shaders.paths.begin(), shaders.paths.end());
    if (!drawing.captured.empty()) program.insert(program.end(), {"--xfb", drawing.captured});
    compiled_draw result;
    draw_keeper keeper(shaders.api, result);
    gl::tally counts;
    idle_executor executor;
    const int status =
        run_gl_session({chip, &executor, &keeper, {}, program, shaders.api, drawing.word, &result.uniforms}, counts);
    if (const auto others = gl::other_drivers(counts, gl::graphics_api::opengl, 0); !others.empty())
        throw input_error({"command-line", 1, 1}, others);
    result.has_shader_error = status == SHADER_ERROR;
    if (const auto text = failure(status, chip, shaders.api); !result.has_shader_error && !text.empty())
        throw input_error({shaders.paths.front()}, text);
    if (!counts.refused.empty()) result.refusal = counts.refused.begin()->first;
    return result;
}

} // namespace isbesim::testbench
