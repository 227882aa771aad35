// SPDX-License-Identifier: Apache-2.0
// isbesim gl and isbesim vk: an OpenGL or a Vulkan program on the model.
#pragma once

#include <string>
#include <vector>

#include <boost/program_options.hpp>

#include "testbench/arguments/command_arguments.h"
#include "testbench/gl/draws/draw_session.h"
#include "testbench/gl/session/graphics_api.h"

namespace isbesim::testbench {

/// --chip and what it says. Throws input_error.
void add_chip_option(boost::program_options::options_description& options);
const gl::chip& read_chip(const command_arguments& arguments, gl::graphics_api api);

/// A file of the build or the installation that belongs to `isbesim gl`. Throws input_error that names the package
/// which it was not built without.
std::string installed_beside(const std::string& name);

struct gl_session {
    const gl::chip& chip;
    gl::draw_executor* executor;      ///< or null: draws are not run
    gl::draw_listener* listener;      ///< or null
    gl::draw_range range;             ///< the draws that matter
    std::vector<std::string> program; ///< and its arguments
    gl::graphics_api api = gl::graphics_api::opengl;
};

/// Runs the program; its exit status. Throws input_error when it can't be started.
int run_gl_session(const gl_session& session, gl::tally& counts);

} // namespace isbesim::testbench
