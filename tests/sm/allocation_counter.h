// SPDX-License-Identifier: Apache-2.0
// Linked into a test program, counts its allocations with new.
#pragma once

#include <cstddef>

namespace isbesim {

std::size_t allocations();

} // namespace isbesim
