// SPDX-License-Identifier: Apache-2.0
// An OpenGL or a Vulkan program on the model, for the commands `gl`, `vk` and `compile`.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <boost/program_options.hpp>

#include "testbench/arguments/command_arguments.h"
#include "testbench/gl/draws/draw_session.h"
#include "testbench/gl/session/graphics_api.h"

namespace isbesim::testbench {

/// Adds --chip; read_chip() reads it and throws input_error.
void add_chip_option(boost::program_options::options_description& options);
const gl::chip& read_chip(const command_arguments& arguments, gl::graphics_api api);

/// A file of the build or the installation that `isbesim gl` needs. Throws input_error with the name of the missing
/// package if it was built without it.
std::string installed_beside(const std::string& name);

struct gl_session {
    const gl::chip& chip;
    gl::draw_executor* executor;      ///< null: draws are not run
    gl::draw_listener* listener;      ///< or null
    gl::draw_range range;             ///< the draws to consider
    std::vector<std::string> program; ///< and its arguments
    gl::graphics_api api = gl::graphics_api::opengl;
    std::size_t word = 1;            ///< of the command line, where the program's name is
    std::string* uniforms = nullptr; ///< gets the program's list (uniform_list.h), or null
    std::function<void()> late = {}; ///< called if the program goes on after a signal to end; or empty
};

/// Runs the program and returns its exit status. Throws input_error if it cannot be started.
int run_gl_session(const gl_session& session, gl::tally& counts);

} // namespace isbesim::testbench
