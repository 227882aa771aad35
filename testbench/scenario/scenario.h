// SPDX-License-Identifier: Apache-2.0
// The scenario file: one draw, what to capture and what to expect (README.md describes the format).
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "models/pe/front_end/draw.h"
#include "testbench/files/input_warning.h"
#include "testbench/files/named_files.h"
#include "testbench/files/program_file.h"
#include "testbench/scenario/memory_image.h"

namespace isbesim::testbench {

/// Rules for the comparison of streamed-out vertices with an expectation file.
struct expectation {
    std::string file;       ///< empty: nothing to compare with
    unsigned ulp = 0;       ///< float words may differ by this many units in the last place
    double tolerance = 0;   ///< float words a, expected b: |a - b| <= tolerance * max(1, |b|)
    bool any_order = false; ///< primitives as a multiset, each up to rotation of its vertices
};

struct scenario {
    std::string file;
    /// Place of "draw" in the file, for errors found when the draw is linked; reads the file again.
    std::function<source_place()> draw_place;
    draw_call draw;
    expectation expect;
    memory_image memory;
    std::map<stage, source_lines> sources; ///< of the stages with a listing
    std::vector<input_warning> warnings;
    std::vector<std::string> files; ///< that it names
};

/// Reads a scenario and every file it names (relative to it). Throws input_error.
scenario load_scenario(const std::string& file, file_access access = file_access::anywhere);

/// The attributes that the last stage writes, on its streams: the default capture list.
capture_list written_attributes(const draw_call& draw);
/// Gives a draw without stream-out the capture list written_attributes(), which shows its output.
void set_default_capture(draw_call& draw);

/// Limit of vertices times instances: a larger draw would run for days.
inline constexpr std::uint64_t max_draw_vertices = 100'000'000;

// Finds the scenarios that come with the program by name.

/// The file of a scenario that a user names: scenario.json of a folder, or of a shipped scenario if there is no file of
/// that name; other names are returned unchanged.
std::string scenario_file_of(const std::string& name);

/// Sorted by name; empty if none are installed.
std::vector<std::string> shipped_scenarios();

/// True if a user may have meant a shipped scenario: a word without folder and extension that is not a file.
bool is_scenario_name(const std::string& name);

} // namespace isbesim::testbench
