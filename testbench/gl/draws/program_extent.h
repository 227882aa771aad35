// SPDX-License-Identifier: Apache-2.0
// Length of a program that the driver wrote into memory directly, derived from its instructions.
#pragma once

#include <cstdint>

#include "models/isa/program.h"
#include "testbench/gl/chip/gpu_memory.h"

namespace isbesim::gl {

/// Bytes of the program at an address, in whole bundles: it ends at the first instruction that ends its path and that
/// no earlier branch jumps past. 0 if there is no memory or the program has no end. Throws isa::program_error at an
/// invalid encoding.
std::uint64_t program_extent(const gpu_memory& memory, std::uint64_t address, isa::architecture arch);

} // namespace isbesim::gl
