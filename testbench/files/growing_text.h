// SPDX-License-Identifier: Apache-2.0
// Text of many short pieces: std::string and streams take several times as long to append a byte or two.
#pragma once

#include <charconv>
#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

namespace isbesim::testbench {

class growing_text {
public:
    std::size_t size() const { return size_; }
    char operator[](std::size_t index) const { return bytes_[index]; }
    /// Keeps the first `size` bytes.
    void shrink_to(std::size_t size) { size_ = size; }

    void append(char c)
    {
        *room(1) = c;
        ++size_;
    }
    void append(std::string_view text)
    {
        std::memcpy(room(text.size()), text.data(), text.size());
        size_ += text.size();
    }
    /// The shortest decimal that reads back as the same number.
    template <typename Number>
    void append_number(Number value)
    {
        constexpr std::size_t longest = 32;
        char* const begin = room(longest);
        size_ += static_cast<std::size_t>(std::to_chars(begin, begin + longest, value).ptr - begin);
    }
    growing_text& operator<<(std::string_view text)
    {
        append(text);
        return *this;
    }

    /// Moves the whole text out.
    std::string take()
    {
        bytes_.resize(std::exchange(size_, 0));
        return std::exchange(bytes_, {});
    }

private:
    /// The end of the text, with room for `bytes` more.
    char* room(std::size_t bytes)
    {
        if (bytes_.size() - size_ < bytes) bytes_.resize(2 * bytes_.size() + bytes);
        return bytes_.data() + size_;
    }

    std::string bytes_; ///< the text, then unused room
    std::size_t size_ = 0;
};

} // namespace isbesim::testbench
