// SPDX-License-Identifier: Apache-2.0
// "methods" of a mesh draw: sizes as drivers write them, in words of SET_MESH_SHADER_A, SET_MESH_SHADER_B and
// SET_MESH_INIT_SHADER (HARDWARE.md D.6). They replace the same fields of "mesh" and "task".
#pragma once

#include "models/pe/front_end/draw.h"
#include "testbench/files/json_document.h"

namespace isbesim::testbench {

/// The fields in the methods.
const key_names& task_method_fields();
const key_names& mesh_method_fields();

/// Fills the settings of `draw`, whose stages have been read. Throws input_error.
void read_mesh_methods(const json_document& document, const boost::json::value& methods, draw_call& draw);

} // namespace isbesim::testbench
