// Numbers as scenarios, tables and reports write them: "0x1f".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "tlm/warp_op.h"

namespace isbesim::testbench {

/// At least so many digits.
std::string hex_text(std::uint64_t value, unsigned digits = 1);

/// "0x1f", "1f" -> 0x1f. False when it is no hexadecimal number of at most 32 bits.
bool parse_hex_word(std::string_view text, word& value);

} // namespace isbesim::testbench
