// SPDX-License-Identifier: Apache-2.0
// The end of an array of vertices or indices.
#pragma once

#include <cstdint>

namespace isbesim::gl {

/// Address of the last byte. `limit` is the value of the limit register: this address up to Volta, a size on Turing. On
/// Turing, Mesa's OpenGL driver still writes an address, which limits nothing on hardware; here it is the limit.
inline std::uint64_t array_end(std::uint64_t address, std::uint64_t limit)
{
    return limit >= address ? limit : address + limit - 1;
}

} // namespace isbesim::gl
