// SPDX-License-Identifier: Apache-2.0
// Reads and writes the fields of a record: little-endian, without padding.
#pragma once

#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace isbesim::gl {

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "numbers are stored as they lie in memory");

class byte_writer {
public:
    template <typename Number>
    void put(Number value)
    {
        bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
    }
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
    bool at_end() const { return at_ == bytes_.size(); }

private:
    std::string_view bytes_;
    std::size_t at_ = 0;
};

// A field of a record, written or read: one layout serves both ways. `Stored` is its type in the record.

template <typename Stored, typename T>
void field(byte_writer& out, const T& value)
{
    out.put(static_cast<Stored>(value));
}
template <typename Stored, typename T>
void field(byte_reader& in, T& value)
{
    value = static_cast<T>(in.get<Stored>());
}

/// An enumerator up to `last`.
template <typename Stored = std::uint8_t, typename Enum>
void enum_field(byte_writer& out, Enum value, Enum)
{
    field<Stored>(out, value);
}
template <typename Stored = std::uint8_t, typename Enum>
void enum_field(byte_reader& in, Enum& value, Enum last)
{
    const auto number = in.get<Stored>();
    if (number > static_cast<Stored>(last)) throw record_error("a record holds an unknown value");
    value = static_cast<Enum>(number);
}

/// Up to eight flags, the first in the lowest bit.
inline void flag_fields(byte_writer& out, std::initializer_list<const bool*> flags)
{
    unsigned byte = 0, bit = 1;
    for (const auto* each : flags) {
        if (*each) byte |= bit;
        bit *= 2;
    }
    field<std::uint8_t>(out, byte);
}
inline void flag_fields(byte_reader& in, std::initializer_list<bool*> flags)
{
    unsigned byte = in.get<std::uint8_t>();
    for (auto* each : flags) {
        *each = (byte & 1) != 0;
        byte /= 2;
    }
}

/// The number of items, then `item` for each, which takes `least` bytes or more.
template <typename Items, typename Item>
void list_fields(byte_writer& out, const Items& items, std::size_t, Item&& item)
{
    field<std::uint32_t>(out, items.size());
    for (const auto& each : items) item(each);
}
template <typename Items, typename Item>
void list_fields(byte_reader& in, Items& items, std::size_t least, Item&& item)
{
    for (auto left = in.get_count(least); left > 0; --left) item(items.emplace_back());
}
/// A list of numbers.
template <typename Stored, typename Stream, typename Items>
void number_fields(Stream& stream, Items& items)
{
    list_fields(stream, items, sizeof(Stored), [&](auto& each) { field<Stored>(stream, each); });
}

} // namespace isbesim::gl
