// SPDX-License-Identifier: Apache-2.0
// Program binaries: bytes of little-endian words to a decoded program and back.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/isa/program.h"

namespace isbesim::isa {

/// Decodes a whole program. SM50: bundles of one control word and up to three instructions (HARDWARE.md B.1); the last
/// bundle may be cut off after any instruction. SM75 and later: 128 bits an instruction, its control bits in bits
/// 125:105 (HARDWARE.md B.2), which instruction::word leaves out. Throws program_error naming the address on a size
/// that is not a whole number of instructions, on a word that no table row matches and on control bits without an
/// instruction.
program decode_program(const std::uint8_t* bytes, std::size_t size, architecture arch);
program decode_program(const std::vector<std::uint8_t>& bytes, architecture arch);

/// The inverse: encode_program(decode_program(x)) == x.
std::vector<std::uint8_t> encode_program(const program& code);

/// The 21 control bits of an instruction, the same on every architecture. `yield`: bit 4 is set.
std::uint32_t encode_control(const control& scheduling);
control decode_control(std::uint32_t bits);

/// Adds one warning for all instructions with bits that do nothing (tables/table.h).
void warn_of_ignored_bits(program& code);

/// Sets program::register_count from the instructions: the highest register used + 1, at least 1.
void count_registers(program& code);

} // namespace isbesim::isa
