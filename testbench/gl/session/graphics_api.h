// SPDX-License-Identifier: Apache-2.0
// Whose driver a session's device is for.
#pragma once

#include <cstdint>

namespace isbesim::gl {

enum class graphics_api : std::uint8_t { opengl, vulkan };

} // namespace isbesim::gl
