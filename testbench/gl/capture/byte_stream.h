// SPDX-License-Identifier: Apache-2.0
// Reads and writes the fields of a record: little-endian, without padding.
#pragma once

#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "tlm/float_bits.h"

namespace isbesim::gl {

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "numbers are stored as they lie in memory");

class byte_writer {
public:
    template <typename Number>
    void put(Number value)
    {
        bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
    }
    void put_float(float value) { put(to_bits(value)); }
    void put_bytes(std::string_view bytes) { bytes_ += bytes; }
    const std::string& bytes() const { return bytes_; }
    std::string take() { return std::move(bytes_); }

private:
    std::string bytes_;
};

class record_error : public std::runtime_error {
    using std::runtime_error::runtime_error;
};

class byte_reader {
public:
    explicit byte_reader(std::string_view bytes) : bytes_(bytes) {}

    /// Throws record_error if the record ends too early, as all get functions do.
    template <typename Number>
    Number get()
    {
        if (bytes_.size() - at_ < sizeof(Number)) throw record_error("a record ends too early");
        Number value;
        std::memcpy(&value, bytes_.data() + at_, sizeof value);
        at_ += sizeof value;
        return value;
    }
    float get_float() { return to_float(get<std::uint32_t>()); }
    /// A count of items that follow, of at least `least` bytes each: a wrong count must not allocate memory.
    std::size_t get_count(std::size_t least)
    {
        const auto count = get<std::uint32_t>();
        if (count > (bytes_.size() - at_) / least) throw record_error("a record ends too early");
        return count;
    }
    std::string_view get_bytes(std::size_t count)
    {
        if (bytes_.size() - at_ < count) throw record_error("a record ends too early");
        at_ += count;
        return bytes_.substr(at_ - count, count);
    }
    /// An enumerator up to `last`.
    template <typename Enum>
    Enum get_enum(Enum last)
    {
        const auto value = get<std::uint8_t>();
        if (value > static_cast<std::uint8_t>(last)) throw record_error("a record holds an unknown value");
        return static_cast<Enum>(value);
    }
    bool at_end() const { return at_ == bytes_.size(); }

private:
    std::string_view bytes_;
    std::size_t at_ = 0;
};

} // namespace isbesim::gl
