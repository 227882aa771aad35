// SPDX-License-Identifier: Apache-2.0
#include "testbench/files/hex_text.h"

namespace isbesim::testbench {

bool parse_hex_word(std::string_view text, word& value)
{
    if (text.size() < 3 || text.size() > 10 || text[0] != '0' || (text[1] != 'x' && text[1] != 'X')) return false;
    text.remove_prefix(2);
    word result = 0;
    for (const char c : text) {
        const auto digit = c >= '0' && c <= '9'   ? c - '0'
                           : c >= 'a' && c <= 'f' ? c - 'a' + 10
                           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                                  : -1;
        if (digit < 0) return false;
        result = result << 4 | static_cast<word>(digit);
    }
    value = result;
    return true;
}

} // namespace isbesim::testbench
