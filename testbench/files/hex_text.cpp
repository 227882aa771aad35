// SPDX-License-Identifier: Apache-2.0
#include "testbench/files/hex_text.h"

#include <charconv>

namespace isbesim::testbench {

bool parse_hex_word(std::string_view text, word& value)
{
    if (text.size() < 3 || text.size() > 10 || text[0] != '0' || (text[1] != 'x' && text[1] != 'X')) return false;
    word result = 0;
    const auto* const end = text.data() + text.size();
    const auto read = std::from_chars(text.data() + 2, end, result, 16);
    if (read.ec != std::errc() || read.ptr != end) return false;
    value = result;
    return true;
}

} // namespace isbesim::testbench
