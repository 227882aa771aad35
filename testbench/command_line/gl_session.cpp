// SPDX-License-Identifier: Apache-2.0
#include "testbench/command_line/gl_session.h"

#include <filesystem>
#include <memory>
#include <system_error>

#include "testbench/files/files.h"
#include "testbench/files/nearest.h"
#include "testbench/files/shipped_files.h"
#include "testbench/gl/session/gl_server.h"
#include "testbench/gl/session/private_folder.h"
#include "testbench/system/known_chips.h"

namespace isbesim::testbench {

namespace po = boost::program_options;

namespace {

std::unique_ptr<gl::gpu_memory> make_memory()
{
    try {
        return std::make_unique<gl::gpu_memory>(ISBESIM_GL_MEMORY_BYTES);
    } catch (const std::system_error& error) {
        throw input_error({"command-line", 1, 1},
                          std::string(error.what()) + ", expected limits (ulimit -v, -f) that allow " +
                              std::to_string(ISBESIM_GL_MEMORY_BYTES >> 30) + " GiB of address space");
    }
}

} // namespace

void add_chip_option(po::options_description& options)
{
    options.add_options()(
        "chip", po::value<std::string>()->default_value("gm107")->value_name("NAME"),
        "what the driver compiles for: gm107, gm200, gp102, gv100, tu102, tu106, or by Vulkan's "
        "driver ga102, ad102 or gb202, or another chip like one of them; that of the preset of --config");
}

const gl::chip& read_chip(const command_arguments& arguments, gl::graphics_api api)
{
    const auto& name = arguments.get<std::string>("chip");
    const auto preset =
        arguments.is_given("chip") || !arguments.has("config") ? "" : arguments.get<std::string>("config");
    const auto is_asked_for = [&](const std::string& chip) { return chip == preset || chip + "_chip" == preset; };
    const gl::chip* found = nullptr;
    std::vector<std::string> names;
    for (const auto& each : gl::chips()) {
        if (api == gl::graphics_api::opengl && !each.has_opengl()) continue;
        if (is_asked_for(each.name)) return each;
        if (name == each.name) found = &each;
        names.emplace_back(each.name);
    }
    if (found != nullptr) return *found;
    const auto reason = why_absent(name);
    arguments.fail("chip", " is '" + name + "', " +
                               (gl::find_chip(name) != nullptr ? "which OpenGL's driver has no compiler for"
                                : reason.empty()               ? "which is no chip of a modelled generation"
                                                               : reason) +
                               ", expected " + nearest_list(name, names));
}

std::string installed_beside(const std::string& name)
{
    auto found = find_shipped(name);
    if (found.empty())
        throw input_error(
            {"command-line", 1, 1},
            name + " is not there, expected it beside isbesim or from the Debian package isbesim-gl: the "
                   "target isbesim_installed makes it where the Debian packages libdrm-dev and libvulkan-dev "
                   "are installed");
    return found;
}

int run_gl_session(const gl_session& session, gl::tally& counts)
{
    const auto library = installed_beside("libisbesim_gl_kernel.so");
    gl::private_folder folder(session.chip);
    const auto memory = make_memory();
    gl::gl_device device(session.chip, *memory, counts, session.executor, session.listener, session.range, session.api);
    gl::gl_server server(folder.path(), device, *memory);
    std::unique_ptr<gl::program_process> process;
    try {
        process = std::make_unique<gl::program_process>(session.program, folder.path(), library, session.api);
    } catch (const std::system_error& error) {
        throw input_error({"command-line", 1, session.word},
                          "the program could not be started: " + std::string(error.what()) +
                              ", expected the name or path of one that can");
    }
    if (session.listener != nullptr) session.listener->begin();
    server.run(*process, session.late);
    if (const auto list = folder.path() + "/uniforms"; session.uniforms != nullptr && std::filesystem::exists(list))
        *session.uniforms = read_file(list, "the list of uniforms");
    // A driver that was looked up just before the end might have been for this device.
    if (process->cut_short()) counts.elsewhere.erase("");
    return process->status();
}

} // namespace isbesim::testbench
