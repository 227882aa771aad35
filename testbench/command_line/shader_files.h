// SPDX-License-Identifier: Apache-2.0
// The shaders that `isbesim compile` gets.
#pragma once

#include <string>
#include <vector>

#include "testbench/arguments/command_arguments.h"
#include "testbench/gl/session/graphics_api.h"

namespace isbesim::testbench {

struct shader_files {
    std::vector<std::string> paths; ///< absolute
    gl::graphics_api api = gl::graphics_api::opengl;
};

/// The positional arguments FILE; `end`: place of the last argument. Throws input_error for files of other kinds, and
/// for shaders that make no draw together.
shader_files read_shader_files(const source_place& end, const command_arguments& arguments);

} // namespace isbesim::testbench
