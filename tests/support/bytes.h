// SPDX-License-Identifier: Apache-2.0
// Words in the byte order of files.
#pragma once

#include <cstdint>
#include <vector>

namespace isbesim::test {

/// Little-endian.
template <typename Bytes = std::vector<std::uint8_t>, typename Word>
Bytes bytes_of(const std::vector<Word>& words)
{
    Bytes bytes;
    for (const auto each : words)
        for (unsigned b = 0; b < sizeof each; ++b)
            bytes.push_back(static_cast<typename Bytes::value_type>(each >> (8 * b) & 0xffU));
    return bytes;
}

} // namespace isbesim::test
