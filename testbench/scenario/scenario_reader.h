// SPDX-License-Identifier: Apache-2.0
// A scenario while its file is read: one function for each part of the file, in the order in which scenario.cpp calls
// them. All throw input_error where the file is wrong.
#pragma once

#include <string>
#include <string_view>

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
    /// A key that the draw does not look at.
    void warn_unused(const boost::json::value& object, const char* key, const std::string& why);
};

/// "sph": the header of a program of that stage, whose shader type is `type`; `what` names it in errors.
program_header read_stage_header(scenario_reader& in, const boost::json::value& sph, stage which, shader_type type,
                                 const std::string& what);
void read_stages(scenario_reader& in, const boost::json::value& stages);
/// `result` has its stages.
void read_draw(scenario_reader& in, const boost::json::value& value);
/// `result` has its draw: how many vertices and instances there are.
void read_attributes(scenario_reader& in, const boost::json::value& attributes);
/// "constants" of all stages and "stage_constants"; null where the file has none.
void read_constants(scenario_reader& in, const boost::json::value* common, const boost::json::value* per_stage);
/// Null where the file has none: what the last stage writes.
void read_capture(scenario_reader& in, const boost::json::value* value);
void read_expectation(scenario_reader& in, const boost::json::value& root);

/// Warnings: programs, headers and data that do not agree on attributes.
void warn_of_maps(scenario_reader& in, const boost::json::value& root);
/// Warnings: columns and streams of vertices.csv that nothing comes to.
void warn_of_capture(scenario_reader& in, const boost::json::value& root);

/// 0x and a hexadecimal multiple of 4 below 0x3c0: an attribute that maps can hold.
bool parse_mapped_attribute(std::string_view text, word& address);

} // namespace isbesim::testbench
