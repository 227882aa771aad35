// SPDX-License-Identifier: Apache-2.0
// Words in the form of scenarios and tables: "0x1f".
#pragma once

#include <string_view>

#include "tlm/warp_op.h"

namespace isbesim::testbench {

/// "0x1f" -> 0x1f. False unless it is 0x and one to eight hexadecimal digits: "128" would be ambiguous.
bool parse_hex_word(std::string_view text, word& value);

} // namespace isbesim::testbench
