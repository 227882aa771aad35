// SPDX-License-Identifier: Apache-2.0
#include "testbench/files/shell_text.h"

namespace isbesim::testbench {

std::string shell_text(const std::vector<std::string>& words)
{
    constexpr const char* plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=./:,+@%";
    std::string text;
    for (const auto& word : words) {
        text += ' ';
        const bool is_plain = !word.empty() && word.find_first_not_of(plain) == std::string::npos;
        if (!is_plain) text += '\'';
        for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
        if (!is_plain) text += '\'';
    }
    return text;
}

} // namespace isbesim::testbench
