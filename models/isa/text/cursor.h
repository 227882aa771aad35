// SPDX-License-Identifier: Apache-2.0
// A place in one line of program text.
#pragma once

#include <cctype>
#include <string>
#include <string_view>

#include "models/isa/program.h"

namespace isbesim::isa {

class cursor {
public:
    cursor(std::string_view line, unsigned line_number) : text_(line), line_(line_number) {}

    /// Skips blanks and comments.
    void skip_blanks();
    bool at_end();

    /// The next character that is not blank, 0 at the end.
    char peek();
    /// The character at this position, which may be a blank.
    char here() const { return position_ < text_.size() ? text_[position_] : '\0'; }

    bool accept(char c);
    void expect(char c, const char* context);

    /// A run of letters, digits, `_` and characters of `also`, which may be empty.
    std::string_view word(std::string_view also = {});

    /// Signed integer, decimal or 0x; throws unless `minimum` <= value <= `maximum`.
    std::int64_t integer(std::int64_t minimum, std::int64_t maximum, const char* what);

    /// Everything from here to the end of the line.
    std::string_view rest() const { return text_.substr(position_); }

    std::size_t position() const { return position_; }
    /// Skips blanks and comments, too.
    std::size_t start()
    {
        skip_blanks();
        return position_;
    }
    void rewind(std::size_t position) { position_ = position; }
    unsigned line() const { return line_; }
    /// The text at this place, for error messages.
    std::string found();

    [[noreturn]] void fail(const std::string& what) const { fail(what, position_); }
    [[noreturn]] void fail(const std::string& what, std::size_t position) const;
    /// "expected WHAT, found ...", the text at `start`.
    [[noreturn]] void expected(const std::string& what, std::size_t start);

private:
    std::string_view text_;
    unsigned line_;
    std::size_t position_ = 0;
};

} // namespace isbesim::isa
