// SPDX-License-Identifier: Apache-2.0
// Where an array of vertices or indices ends.
#pragma once

#include <cstdint>

namespace isbesim::gl {

/// Address of the last byte. `limit` is what the register of the limit holds: the same, until Volta. Turing's takes a
/// size there. Mesa's OpenGL driver writes an address there too, which limits nothing on hardware; here it is meant.
inline std::uint64_t array_end(std::uint64_t address, std::uint64_t limit)
{
    return limit >= address ? limit : address + limit - 1;
}

} // namespace isbesim::gl
