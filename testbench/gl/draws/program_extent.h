// SPDX-License-Identifier: Apache-2.0
// Length of a program that the driver wrote into memory by itself: it follows from the instructions alone.
#pragma once

#include <cstdint>

#include "models/isa/program.h"
#include "testbench/gl/chip/gpu_memory.h"

namespace isbesim::gl {

/// Bytes of the program at an address: up to the first instruction after which nothing goes on and behind which nothing
/// before it branches, in whole bundles. 0 where there is no memory or the program has no end. Throws
/// isa::program_error at an encoding that is no instruction.
std::uint64_t program_extent(const gpu_memory& memory, std::uint64_t address, isa::architecture arch);

} // namespace isbesim::gl
