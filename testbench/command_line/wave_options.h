// SPDX-License-Identifier: Apache-2.0
// --wave of every command that simulates: reads the options, makes the waveform, and prints hints how to get one.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <boost/program_options.hpp>

#include "testbench/arguments/command_arguments.h"
#include "testbench/rtl/run_copies.h"
#include "testbench/rtl/waveform.h"
#include "tlm/clock.h"

namespace isbesim::testbench {

class run_analysis;

/// Adds --wave, --wave-cycles and --wave-on-difference.
void add_wave_options(boost::program_options::options_description& options);

/// Null without --wave and --wave-on-difference. Adds its file to the files of `analysis`. Throws input_error if the
/// options are invalid or the file cannot be written.
std::unique_ptr<waveform> make_waveform(const command_arguments& arguments, const cycle_clock& clock,
                                        run_analysis& analysis);

/// Null without --wave-on-difference. `wave` is make_waveform()'s. Throws input_error if nothing is compared, or if the
/// run writes a file that its copies would write, too.
std::unique_ptr<run_copies> make_copies(const command_arguments& arguments, const std::string& backend, waveform* wave);

/// A hint about the first difference, in `cycle`: its place in the waveform, which `copies` writes now unless it is
/// null, or the command line that writes a waveform around it. `words`: the command line without the program's name and
/// the command.
std::string wave_hint(const command_arguments& arguments, const std::string& command,
                      const std::vector<std::string>& words, std::uint64_t cycle, run_copies* copies);

} // namespace isbesim::testbench
