// SPDX-License-Identifier: Apache-2.0
// A scenario while its file is read: one function for each part of the file, in the order of the calls in scenario.cpp.
// All throw input_error at the place of the mistake.
#pragma once

#include <string>
#include <string_view>

#include "models/pe/front_end/draw.h"
#include "testbench/files/json_document.h"
#include "testbench/files/named_files.h"
#include "testbench/scenario/scenario.h"

namespace isbesim::testbench {

struct scenario_reader {
    const json_document& document;
    named_files files;
    scenario& result;

    void warn(const std::string& kind, const source_place& place, const std::string& text);
    /// A warning about a stage's program or header.
    void warn_of_stage(const std::string& kind, stage which, const source_place& place, const std::string& text);
    /// A warning about a key that the draw does not use.
    void warn_unused(const boost::json::value& object, const char* key, const std::string& why);
};

/// "sph": the header of a program of that stage, whose shader type is `type`; `what` names it in errors.
program_header read_stage_header(scenario_reader& in, const boost::json::value& sph, stage which, shader_type type,
                                 const std::string& what);
void read_stages(scenario_reader& in, const boost::json::value& stages);
/// To be called after read_stages().
void read_draw(scenario_reader& in, const boost::json::value& value);
/// To be called after read_draw(), because the numbers of vertices and instances must be known.
void read_attributes(scenario_reader& in, const boost::json::value& attributes);
/// "constants" of all stages and "stage_constants"; null if absent.
void read_constants(scenario_reader& in, const boost::json::value* common, const boost::json::value* per_stage);
/// Writes the values of "uniforms", null if absent, into constants and memory, which must have been read; warns of
/// constants that programs read and the scenario does not define.
void read_uniforms(scenario_reader& in, const boost::json::value* uniforms);
/// `value` null if absent: captures the attributes that the last stage writes.
void read_capture(scenario_reader& in, const boost::json::value* value);
void read_expectation(scenario_reader& in, const boost::json::value& root);

/// Warns of disagreements about attributes between programs, headers and data.
void warn_of_maps(scenario_reader& in, const boost::json::value& root);
/// Warns of columns and streams of vertices.csv without data.
void warn_of_capture(scenario_reader& in, const boost::json::value& root);

/// Parses 0x and a hexadecimal multiple of 4 below 0x3c0: an attribute that maps can hold.
bool parse_mapped_attribute(std::string_view text, word& address);

/// Fills the counts and settings of `draw`, whose stages have been read. Throws input_error.
void read_mesh_draw(scenario_reader& in, const boost::json::value& value, draw_call& draw);

} // namespace isbesim::testbench
