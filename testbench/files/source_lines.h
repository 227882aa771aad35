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

/// From a listing of `program` in the form of `nvdisasm -g`: lines with an address, as in `/*0008*/`, belong to the
/// last `//## File "NAME", line N` above. Throws input_error.
source_lines read_source_lines(const std::string& file, const isa::program& program);

} // namespace isbesim::testbench
