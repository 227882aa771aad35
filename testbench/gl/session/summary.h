// SPDX-License-Identifier: Apache-2.0
// What a session tells at its end.
#pragma once

#include <iosfwd>
#include <string>

#include "testbench/gl/channel/tally.h"
#include "testbench/gl/session/graphics_api.h"

namespace isbesim::gl {

void print_summary(std::ostream& out, const tally& counts, bool executing, graphics_api api = graphics_api::opengl);
/// One line where programs used other drivers than the device's, or for Vulkan found none; else nothing.
std::string other_drivers(const tally& counts, graphics_api api = graphics_api::opengl);
/// One line where draws of some frames were asked for and no frame was seen to end; else nothing.
std::string frames_unseen(const tally& counts);

} // namespace isbesim::gl
