// SPDX-License-Identifier: Apache-2.0
// Instruction sets that the tables describe.
#pragma once

#include <cstdint>

namespace isbesim::isa {

enum class architecture : std::uint8_t { sm50, sm75, sm86, sm89 };

} // namespace isbesim::isa
