// SPDX-License-Identifier: Apache-2.0
// Hexadecimal text of addresses and words, as every message and listing of this project writes them.
#pragma once

#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <string>

namespace isbesim {

/// "0x1f" for 31; `digits` is the minimum number of digits after the 0x.
inline std::string hex(std::uint64_t value, int digits = 1)
{
    char text[32];
    std::snprintf(text, sizeof text, "0x%0*" PRIx64, digits, value);
    return text;
}

/// "-0x10" for -16.
inline std::string signed_hex(std::int64_t value)
{
    const auto bits = static_cast<std::uint64_t>(value);
    return value < 0 ? "-" + hex(0 - bits) : hex(bits);
}

} // namespace isbesim
