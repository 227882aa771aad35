// SPDX-License-Identifier: Apache-2.0
#include "testbench/command_line/gl_command.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <memory>
#include <optional>
#include <ostream>
#include <system_error>

#include "testbench/arguments/command_arguments.h"
#include "testbench/command_line/commands.h"
#include "testbench/command_line/commands_at_once.h"
#include "testbench/command_line/machine_options.h"
#include "testbench/files/files.h"
#include "testbench/files/nearest.h"
#include "testbench/files/shipped_files.h"
#include "testbench/gl/capture/capture_writer.h"
#include "testbench/gl/execution/machine_executor.h"
#include "testbench/gl/session/gl_server.h"
#include "testbench/gl/session/private_folder.h"
#include "testbench/gl/session/summary.h"
#include "testbench/system/config.h"
#include "testbench/system/known_chips.h"

namespace isbesim::testbench {

namespace po = boost::program_options;

namespace {

machine_config read_machine_of(const command_arguments& arguments, const gl::chip& chip)
{
    machine_config config;
    // Without --config the program runs on the chip's machine.
    if (!arguments.has("config")) load_config(chip.name, arguments.place_of("--chip"), config);
    const auto machine = read_machine(arguments, config);
    if (const auto text = foreign_architecture(machine, chip.arch); !text.empty())
        throw input_error(arguments.place_of("--config"), text);
    return config;
}

/// The values of its own options.
struct gl_choices {
    std::string execute = "lt", draws, frames, capture;
    bool quiet = false;

    po::options_description options()
    {
        po::options_description options("Options");
        add_chip_option(options);
        auto add = options.add_options();
        add("execute", bound(execute, "lt|at|lockstep|none"),
            "how draws run: loosely timed (only vertices count), cycle by cycle, with the RTL beside it, or not at "
            "all");
        add("draws", bound(draws, "A:B"),
            "only draws A to B - 1, from 0; either may be left out. The others leave nothing behind");
        add("frames", bound(frames, "A:B"),
            "only the draws of frames A to B - 1, from 0; a frame ends when the program shows it");
        add("capture", bound(capture, "FILE"), "every draw, for 'isbesim run' and 'capture-info'");
        add("jobs", po::value<unsigned>()->value_name("N"),
            "draws, or TPCs of a chip, at a time; default: one per core");
        add_machine_options(options);
        add("quiet", bound(quiet), "no summary at the end");
        return options;
    }
};

std::unique_ptr<gl::draw_executor> make_executor(const command_arguments& arguments, const std::string& how,
                                                 const gl::chip& chip)
{
    const auto config = read_machine_of(arguments, chip);
    const auto jobs = jobs_of(arguments);
    if (how == "none") return nullptr;
    const auto* backend = how == "rtl" ? nullptr : find_isbe_backend(how);
    if (backend == nullptr) arguments.refuse("execute", how, "lt, at, lockstep or none");
    // Only vertices matter there.
    const auto timing = how == "lt" ? sm_timing::by_warp : sm_timing::by_cycle;
    return std::make_unique<gl::machine_executor>(config, *backend, timing, jobs);
}

/// The range of an option A:B.
gl::number_range read_range(const command_arguments& arguments, const std::string& name, const std::string& text)
{
    gl::number_range range;
    if (text.empty()) return range;
    const auto colon = text.find(':');
    const auto number = [&](const std::string& part, std::uint64_t& value) {
        if (part.empty()) return true;
        const auto read = std::from_chars(part.data(), part.data() + part.size(), value);
        return read.ec == std::errc() && read.ptr == part.data() + part.size();
    };
    if (colon == std::string::npos || !number(text.substr(0, colon), range.first) ||
        !number(text.substr(colon + 1), range.end) || range.first >= range.end)
        arguments.refuse(name, text, "A:B with A below B, for " + name + " A to B - 1");
    return range;
}

std::unique_ptr<gl::capture_writer> open_capture(const command_arguments& arguments, const std::string& file,
                                                 const gl::chip& chip)
{
    if (file.empty()) return nullptr;
    try {
        return std::make_unique<gl::capture_writer>(file, chip);
    } catch (const std::system_error& error) {
        throw input_error(arguments.place_of("--capture"),
                          std::string("the capture can't be written: ") + error.what() + ", expected a file that can");
    }
}

/// Completes the capture; returns the error if that fails.
std::optional<input_error> finish_capture(gl::capture_writer& capture, const command_arguments& arguments)
{
    try {
        capture.finish();
    } catch (const std::system_error& error) {
        return input_error(arguments.place_of("--capture"),
                           std::string(error.what()) + ", expected a file with room for it");
    }
    return {};
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

namespace {

int run_program(gl::graphics_api api, const std::vector<std::string>& words, std::ostream& err)
{
    const auto separator = std::find(words.begin(), words.end(), std::string("--"));
    const std::vector<std::string> own(words.begin(), separator);
    const std::vector<std::string> program(separator == words.end() ? separator : separator + 1, words.end());
    gl_choices choices;
    const command_arguments arguments(own, choices.options(), "PROGRAM");
    if (program.empty())
        throw input_error({"command-line", 1, words.size() + 1}, "no program given, expected -- PROGRAM ARGUMENTS...");
    const auto& chip = read_chip(arguments, api);
    const auto executor = make_executor(arguments, choices.execute, chip);
    const gl::draw_range range = {read_range(arguments, "draws", choices.draws),
                                  read_range(arguments, "frames", choices.frames)};
    gl::tally counts;
    const auto capture = open_capture(arguments, choices.capture, chip);
    const auto summary = [&](std::optional<int> status) {
        if (!choices.quiet) gl::print_summary(err, counts, executor != nullptr, api, status);
    };
    const auto late = [&] {
        err << "isbesim: warning: the program goes on after a signal to end; until now:\n";
        summary(std::nullopt);
    };
    const auto status = run_gl_session(
        {chip, executor.get(), capture.get(), range, program, api, own.size() + 3, nullptr, late}, counts);
    // First, so that the capture is complete even if the summary's reader is gone.
    const auto incomplete = capture ? finish_capture(*capture, arguments) : std::nullopt;
    const auto warn = [&](const std::string& text) {
        if (!text.empty()) err << "isbesim: warning: " << text << "\n";
    };
    warn(gl::other_drivers(counts, api, status));
    if (!choices.frames.empty()) warn(gl::frames_unseen(counts));
    summary(status);
    if (incomplete) throw input_error(*incomplete);
    return status;
}

} // namespace

po::options_description gl_options()
{
    return lasting_options<gl_choices>();
}

int run_gl(const std::vector<std::string>& words, std::ostream&, std::ostream& err)
{
    return run_program(gl::graphics_api::opengl, words, err);
}

int run_vk(const std::vector<std::string>& words, std::ostream&, std::ostream& err)
{
    return run_program(gl::graphics_api::vulkan, words, err);
}

} // namespace isbesim::testbench
