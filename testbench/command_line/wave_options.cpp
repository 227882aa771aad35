// SPDX-License-Identifier: Apache-2.0
#include "testbench/command_line/wave_options.h"

#include <algorithm>
#include <filesystem>
#include <stdexcept>

#include "testbench/analysis/run_analysis.h"
#include "testbench/arguments/cycle_options.h"
#include "testbench/command_line/commands_at_once.h"
#include "testbench/files/shell_text.h"

namespace isbesim::testbench {

namespace po = boost::program_options;

namespace {

constexpr std::uint64_t before = 200; // cycles of the proposed waveform around a difference
constexpr std::uint64_t after = 50;

waveform::window read_wave_window(const command_arguments& arguments)
{
    waveform::window window;
    if (!arguments.has("wave-cycles")) return window;
    read_cycles(arguments, "wave-cycles", window.first, window.last);
    return window;
}

} // namespace

void add_wave_options(po::options_description& options)
{
    auto add = options.add_options();
    add("wave", po::value<std::string>()->value_name("FILE.fst"),
        "waveform of the ISBE's ports, and of the RTL's signals when it takes part");
    add("wave-cycles", po::value<std::string>()->value_name("FIRST:LAST"), "only these cycles of it");
    add("wave-on-difference", po::value<std::string>()->value_name("FILE.fst"),
        "lockstep: a waveform around the first difference, if any, by a copy of the run from before it");
}

std::unique_ptr<waveform> make_waveform(const command_arguments& arguments, const cycle_clock& clock,
                                        run_analysis& analysis)
{
    const auto window = read_wave_window(arguments);
    const bool always = arguments.has("wave");
    if (!always && arguments.has("wave-cycles")) arguments.fail("wave-cycles", " without a waveform, expected --wave");
    const char* const option = always ? "wave" : "wave-on-difference";
    if (!arguments.has(option)) return nullptr;
    auto path = arguments.get<std::string>(option);
    std::error_code ignored;
    if (std::filesystem::is_symlink(path, ignored)) path = std::filesystem::weakly_canonical(path, ignored).string();
    if (std::filesystem::exists(path, ignored) && !std::filesystem::is_regular_file(path, ignored))
        arguments.fail(option, " is '" + path + "', which is no file, expected one that can be replaced");
    std::unique_ptr<waveform> wave;
    try {
        wave = std::make_unique<waveform>(path, clock, always ? window : waveform::nothing);
    } catch (const std::invalid_argument& error) {
        throw input_error(arguments.place_of(std::string("--") + option), error.what());
    }
    analysis.writes(path);
    analysis.writes(path + ".hier"); // names of the signals, until the file is closed
    return wave;
}

std::unique_ptr<run_copies> make_copies(const command_arguments& arguments, const std::string& backend, waveform* wave)
{
    if (!arguments.has("wave-on-difference")) return nullptr;
    const auto place = arguments.place_of("--wave-on-difference");
    if (backend != "lockstep")
        throw input_error(place, "--wave-on-difference compares nothing on " + backend + ", expected --isbe lockstep");
    for (const auto* other : {"wave", "record", "database", "timeline", "kanata"})
        if (arguments.has(other))
            throw input_error(place, std::string("--wave-on-difference beside --") + other +
                                         ", whose file a copy of the run would write, too; expected one of them");
    return std::make_unique<run_copies>(*wave);
}

std::string wave_hint(const command_arguments& arguments, const std::string& command,
                      const std::vector<std::string>& words, std::uint64_t cycle, run_copies* copies)
{
    const auto in_file = [&](const char* option) {
        return "  waveform: " + arguments.get<std::string>(option) + ", the difference is in cycle " +
               std::to_string(cycle) + "\n";
    };
    if (arguments.has("wave")) return in_file("wave");
    if (copies != nullptr && copies->show_from(cycle - std::min(cycle, before))) return in_file("wave-on-difference");
    auto kept = without_options(words, {"--wave-on-difference", "--wave-cycles"}, {});
    if (is_one_of_several())
        kept = without_options(kept, {"--out"}, {"--quiet"}); // a folder of its own, not there later
    return "  a waveform around it: isbesim " + command + shell_text(kept) + " --wave difference.fst --wave-cycles " +
           std::to_string(cycle - std::min(cycle, before)) + ":" + std::to_string(cycle + after) + "\n";
}

} // namespace isbesim::testbench
