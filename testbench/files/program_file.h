// SPDX-License-Identifier: Apache-2.0
// Programs and headers from files.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "models/attribute/sph.h"
#include "models/isa/program.h"
#include "testbench/files/architecture_name.h"

namespace isbesim::testbench {

/// Source lines, "NAME:LINE", by the byte address of the instruction.
using source_lines = std::map<std::uint32_t, std::string>;

/// From a listing of `program` in the form of `nvdisasm -g`: lines with an address, as in `/*0008*/`, belong to the
/// last `//## File "NAME", line N` above. Throws input_error.
source_lines read_source_lines(const std::string& file, const isa::program& program);

/// Describes the apparent kind of a file, such as "a shader program header"; empty if unclear. `arch`: an architecture
/// whose program it cannot be, or none.
std::string looks_like(const std::vector<std::uint8_t>& bytes, std::optional<isa::architecture> arch);

/// Reads a program from its binary (little-endian words) or, if the name ends in ".sass", its text. Throws input_error
/// at the wrong line of the text; for a binary the error text has the address.
isa::program load_program(const std::string& file, isa::architecture arch, bool auto_schedule = false);

/// The same from bytes in memory; `name` is for errors.
isa::program parse_program(const std::string& name, const std::string& content, bool is_text, isa::architecture arch,
                           bool auto_schedule = false);

/// Throws input_error if the program cannot run: it has an instruction that only the tools know, or no EXIT.
void check_runnable(const std::string& file, const isa::program& program);

/// A program header of 80 or 128 bytes. Throws input_error.
program_header load_header(const std::string& file);
program_header parse_header(const std::string& name, const std::string& content);

/// Little-endian 32-bit words of a file. Throws input_error if its size is not a multiple of 4.
std::vector<word> load_words(const std::string& file, const std::string& expected);

} // namespace isbesim::testbench
