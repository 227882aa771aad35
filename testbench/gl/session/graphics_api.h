// SPDX-License-Identifier: Apache-2.0
// The API whose driver a session's device serves.
#pragma once

#include <cstdint>

namespace isbesim::gl {

enum class graphics_api : std::uint8_t { opengl, vulkan };

} // namespace isbesim::gl
