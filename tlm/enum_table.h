// SPDX-License-Identifier: Apache-2.0
// Arrays and tables that are indexed by an enumeration: a missing entry is a compile error.
#pragma once

#include <array>
#include <cstddef>

namespace isbesim {

/// Number of enumerators of an enum that counts from 0, given its last enumerator.
template <auto last>
inline constexpr std::size_t enum_count = static_cast<std::size_t>(last) + 1;

/// A text for each enumerator, in their order: `constexpr auto names = enum_names<colour::blue>("red", "blue")`.
template <auto last, typename... Texts>
constexpr auto enum_names(Texts... texts)
{
    static_assert(sizeof...(Texts) == enum_count<last>, "a text for every enumerator, and no more");
    return std::array<const char*, sizeof...(Texts)>{texts...};
}

/// Whether every enumerator has a row in `table`, and the `key` of row i is enumerator i: for a static_assert beside a
/// table.
template <auto last, typename Enum, typename Row, std::size_t rows>
constexpr bool covers_enum(const std::array<Row, rows>& table, Enum Row::*key)
{
    if (rows != enum_count<last>) return false;
    for (std::size_t i = 0; i < rows; ++i)
        if (static_cast<std::size_t>(table[i].*key) != i) return false;
    return true;
}

/// A plain array that only its enum can index.
template <auto last, typename T>
struct enum_array {
    using index = decltype(last);

    std::array<T, enum_count<last>> values{};

    constexpr T& operator[](index i) { return values[static_cast<std::size_t>(i)]; }
    constexpr const T& operator[](index i) const { return values[static_cast<std::size_t>(i)]; }
    friend bool operator==(const enum_array& a, const enum_array& b) { return a.values == b.values; }
};

} // namespace isbesim
