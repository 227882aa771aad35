// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>

#include "models/isa/text/statement.h"

namespace isbesim::isa {

void cursor::skip_blanks()
{
    while (position_ < text_.size()) {
        const std::string_view rest = text_.substr(position_);
        if (std::isspace(static_cast<unsigned char>(rest[0])) != 0) {
            ++position_;
        } else if (rest[0] == '#' || rest.substr(0, 2) == "//") {
            position_ = text_.size();
        } else if (rest.substr(0, 2) == "/*") {
            const std::size_t end = text_.find("*/", position_ + 2);
            if (end == std::string_view::npos) fail("comment is not closed, expected '*/' on the same line");
            position_ = end + 2;
        } else {
            return;
        }
    }
}

bool cursor::at_end()
{
    skip_blanks();
    return position_ == text_.size();
}

char cursor::peek()
{
    skip_blanks();
    return here();
}

bool cursor::accept(char c)
{
    if (peek() != c) return false;
    ++position_;
    return true;
}

void cursor::expect(char c, const char* context)
{
    if (!accept(c)) fail(std::string("expected '") + c + "' " + context + ", found " + found());
}

std::string_view cursor::word(std::string_view also)
{
    skip_blanks();
    const std::size_t start = position_;
    while (position_ < text_.size()) {
        const char c = text_[position_];
        if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '_' && also.find(c) == std::string_view::npos)
            break;
        ++position_;
    }
    return text_.substr(start, position_ - start);
}

std::int64_t cursor::integer(std::int64_t minimum, std::int64_t maximum, const char* what)
{
    skip_blanks();
    const std::size_t start = position_;
    const bool minus = accept('-');
    if (!minus) accept('+');
    skip_blanks();
    const std::string digits(word());
    char* end = nullptr;
    const bool hexadecimal = digits.size() > 2 && digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X');
    const unsigned long long magnitude = std::strtoull(digits.c_str(), &end, hexadecimal ? 16 : 10);
    if (digits.empty() || std::isdigit(static_cast<unsigned char>(digits[0])) == 0 || *end != '\0')
        expected(what, start);
    const bool fits = digits.size() < 20 && magnitude <= 0x7fffffffffffffffULL;
    const std::int64_t value = minus ? -static_cast<std::int64_t>(magnitude) : static_cast<std::int64_t>(magnitude);
    if (!fits || value < minimum || value > maximum)
        fail(std::string(what) + " is out of range, expected " + std::to_string(minimum) + " to " +
                 std::to_string(maximum),
             start);
    return value;
}

std::string cursor::found()
{
    if (at_end()) return "the end of the line";
    const std::size_t start = position_;
    std::string token(word("."));
    if (token.empty()) token = text_.substr(start, 1);
    position_ = start;
    return "'" + token + "'";
}

void cursor::expected(const std::string& what, std::size_t start)
{
    position_ = start;
    fail("expected " + what + ", found " + found());
}

void cursor::fail(const std::string& what, std::size_t position) const
{
    throw program_error(line_, static_cast<unsigned>(position) + 1, what);
}

} // namespace isbesim::isa
