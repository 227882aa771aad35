// SPDX-License-Identifier: Apache-2.0
// The source line of each instruction, from a listing.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "models/isa/program.h"

namespace isbesim::testbench {

/// "NAME:LINE" by the byte address of the instruction.
using source_lines = std::map<std::uint32_t, std::string>;

/// From a listing of `program` as `nvdisasm -g` prints it: what follows `//## File "NAME", line N` and begins with an
/// address, as in `/*0008*/`, is from there. Throws input_error.
source_lines read_source_lines(const std::string& file, const isa::program& program);

} // namespace isbesim::testbench
