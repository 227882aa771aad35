// SPDX-License-Identifier: Apache-2.0
// The draw that a driver makes of shaders: a small program of the installation draws with them, and nothing is
// executed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "testbench/command_line/compiled_uniforms.h"
#include "testbench/command_line/gl_session.h"
#include "testbench/command_line/shader_files.h"
#include "testbench/scenario/scenario_writer.h"

namespace isbesim::testbench {

struct compiled_draw {
    std::optional<written_draw> first; ///< absent: the program drew nothing
    std::vector<key_draw> later;       ///< their keys show the places of uniforms
    std::string uniforms;              ///< the program's list (uniform_list.h)
    std::string refusal;               ///< why a draw was not built; or empty
    bool has_shader_error = false;     ///< the program has written it to stderr
};

/// The program that draws with the shaders, and what it draws besides.
struct drawing_program {
    std::string captured; ///< names of OpenGL's outputs to capture, with commas between them; or empty
    std::optional<std::uint64_t> vertices, patch_vertices;
    std::vector<std::string> wrapper; ///< program and arguments that start it, or empty
    std::size_t word;                 ///< of the command line, where the name of the first of them is
};

/// Throws input_error if the driver can't compile the shaders.
compiled_draw compile_draw(const shader_files& shaders, const drawing_program& drawing, const gl::chip& chip);

} // namespace isbesim::testbench
