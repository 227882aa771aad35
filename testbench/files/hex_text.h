// SPDX-License-Identifier: Apache-2.0
// Words as scenarios and tables give them: "0x1f".
#pragma once

#include <string_view>

#include "tlm/warp_op.h"

namespace isbesim::testbench {

/// "0x1f" -> 0x1f. False when it is not 0x and one to eight hexadecimal digits: "128" could mean either number.
bool parse_hex_word(std::string_view text, word& value);

} // namespace isbesim::testbench
