// SPDX-License-Identifier: Apache-2.0
// Wrong input and its place. Every exit status 2 comes from this exception.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>

namespace isbesim::testbench {

/// A place in a file, 1-based. In binary files the line is 1 and the column is the byte offset + 1; on the command
/// line the file is "command-line" and the column is the number of the argument.
struct source_place {
    std::string file;
    std::size_t line = 1;
    std::size_t column = 1;
};

/// what() is "FILE:LINE:COLUMN: mistake, expectation".
class input_error : public std::runtime_error {
public:
    input_error(source_place place, const std::string& text)
        : std::runtime_error(in_short(one_line(place.file + ":" + std::to_string(place.line) + ":" +
                                               std::to_string(place.column) + ": " + text))),
          place_(std::move(place))
    {
    }
    const source_place& place() const { return place_; }

private:
    /// Keeps the error on one readable line: names and values from files may have control characters or invalid UTF-8.
    static std::string one_line(std::string text)
    {
        std::size_t follow = 0; // remaining bytes of a character
        bool utf8 = true;
        for (auto& c : text) {
            const auto code = static_cast<unsigned char>(c);
            if (code < 0x20 || code == 0x7f) c = '?';
            const bool continues = (code & 0xc0U) == 0x80U;
            utf8 = utf8 && continues == (follow != 0) && code < 0xf8;
            follow = continues ? follow - 1 : code >= 0xf0 ? 3 : code >= 0xe0 ? 2 : code >= 0xc0 ? 1 : 0;
            if (!utf8) break;
        }
        if (utf8 && follow == 0) return text;
        for (auto& c : text) {
            if (static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) >= 0x7f) c = '?';
        }
        return text;
    }

    /// Shortens long values in a text to their beginning; keeps the end, which has the expectation.
    static std::string in_short(std::string text)
    {
        constexpr std::size_t most = 1000, end = 400;
        if (text.size() <= most) return text;
        const auto whole_character = [&](std::size_t at) {
            while ((static_cast<unsigned char>(text[at]) & 0xc0U) == 0x80U) --at;
            return at;
        };
        return text.substr(0, whole_character(most - end)) + " ... " + text.substr(whole_character(text.size() - end));
    }

    source_place place_;
};

} // namespace isbesim::testbench
