// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <charconv>
#include <memory>
#include <optional>
#include <ostream>
#include <system_error>

#include "testbench/arguments/command_arguments.h"
#include "testbench/command_line/commands.h"
#include "testbench/command_line/commands_at_once.h"
#include "testbench/command_line/gl_session.h"
#include "testbench/command_line/machine_options.h"
#include "testbench/gl/capture/capture_writer.h"
#include "testbench/gl/execution/machine_executor.h"
#include "testbench/gl/session/summary.h"
#include "testbench/system/config.h"

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

/// Values of the command's own options.
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
