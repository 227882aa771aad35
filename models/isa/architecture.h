// SPDX-License-Identifier: Apache-2.0
// Instruction sets that the tables describe.
#pragma once

#include <cstdint>

namespace isbesim::isa {

enum class architecture : std::uint8_t { sm50, sm75, sm86, sm89, sm120 };

/// Uniform registers, URZ not among them; SM120: as many as NAK uses.
constexpr unsigned uniform_count(architecture arch)
{
    return arch >= architecture::sm120 ? 80 : 63;
}

} // namespace isbesim::isa
