// SPDX-License-Identifier: Apache-2.0
// Messages at the end of a session.
#pragma once

#include <iosfwd>
#include <optional>
#include <string>

#include "testbench/gl/channel/tally.h"
#include "testbench/gl/session/graphics_api.h"

namespace isbesim::gl {

/// `status`: of the program, as in a shell; none: it has not ended.
void print_summary(std::ostream& out, const tally& counts, bool executing, graphics_api api, std::optional<int> status);
/// A line if programs used other drivers than the device's or, for Vulkan, found none; else empty.
std::string other_drivers(const tally& counts, graphics_api api, int status);
/// A line if frames were selected and no frame was seen to end; else empty.
std::string frames_unseen(const tally& counts);

} // namespace isbesim::gl
