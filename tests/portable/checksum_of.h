// SPDX-License-Identifier: Apache-2.0
// A checksum of numbers, whatever their types.
#pragma once

#include <cstdint>

namespace isbesim::test {

/// As FNV-1a, with numbers in the place of bytes.
class checksum_of {
public:
    template <typename number>
    checksum_of& add(const number& value)
    {
        sum_ = (sum_ ^ static_cast<std::uint64_t>(value)) * 0x100000001b3U;
        sum_ ^= sum_ >> 32;
        return *this;
    }
    template <typename list>
    checksum_of& all(const list& values)
    {
        for (const auto& each : values) add(each);
        return *this;
    }
    std::uint64_t sum() const { return sum_; }

private:
    std::uint64_t sum_ = 0xcbf29ce484222325U;
};

} // namespace isbesim::test
