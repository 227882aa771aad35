// SPDX-License-Identifier: Apache-2.0
// Programs and headers from files.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/attribute/sph.h"
#include "models/isa/program.h"
#include "testbench/files/architecture_name.h"

namespace isbesim::testbench {

/// What the bytes of a file look like, "a shader program header" and the like; empty when that is not plain. `arch`:
/// the architecture that it can't be a program of, or none.
std::string looks_like(const std::vector<std::uint8_t>& bytes, std::optional<isa::architecture> arch);

/// A program from its binary (little-endian words) or, when the name ends in ".sass", its text. Throws input_error
/// with the line of the text that is wrong; in a binary the text of the error names the address.
isa::program load_program(const std::string& file, isa::architecture arch, bool auto_schedule = false);

/// The same of bytes that are there already; `name` is for errors.
isa::program parse_program(const std::string& name, const std::string& content, bool is_text, isa::architecture arch,
                           bool auto_schedule = false);

/// Throws input_error when the program can't run: an instruction that is known only to the tools, no EXIT at all.
void check_runnable(const std::string& file, const isa::program& program);

/// A program header of 80 or 128 bytes. Throws input_error.
program_header load_header(const std::string& file);
program_header parse_header(const std::string& name, const std::string& content);

/// Little-endian 32-bit words of a file. Throws input_error when its size is no multiple of 4.
std::vector<word> load_words(const std::string& file, const std::string& expected);

} // namespace isbesim::testbench
