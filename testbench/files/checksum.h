// SPDX-License-Identifier: Apache-2.0
// The checksum of traces (results, files) and of draws in reports: a multiply and a shift per 64-bit word. Every step
// is invertible, so sequences that differ in a single word never have the same sum.
#pragma once

#include <cstddef>
#include <cstdint>

namespace isbesim::testbench {

class checksum {
public:
    void add(std::uint64_t value)
    {
        sum_ = (sum_ ^ value) * 0xff51afd7ed558ccdU;
        sum_ ^= sum_ >> 32;
    }
    /// Adds bytes, eight to a little-endian word, independent of their division into calls.
    void add_bytes(const void* data, std::size_t count)
    {
        const auto* bytes = static_cast<const unsigned char*>(data);
        for (; count != 0 && bytes_ % 8 != 0; --count) add_byte(*bytes++);
        for (; count >= 8; count -= 8, bytes += 8, bytes_ += 8) {
            std::uint64_t value = 0;
            for (unsigned i = 0; i < 8; ++i) value |= std::uint64_t{bytes[i]} << (8 * i);
            add(value);
        }
        for (; count != 0; --count) add_byte(*bytes++);
    }
    /// The sum so far. Bytes of an unfinished word, and their number, count, too.
    std::uint64_t value() const
    {
        checksum all = *this;
        if (bytes_ != 0) {
            all.add(part_);
            all.add(bytes_);
        }
        return all.sum_;
    }

private:
    void add_byte(unsigned char byte)
    {
        part_ |= std::uint64_t{byte} << (8 * (bytes_ % 8));
        if (++bytes_ % 8 != 0) return;
        add(part_);
        part_ = 0;
    }

    std::uint64_t sum_ = 0x9e3779b97f4a7c15U;
    std::uint64_t part_ = 0;
    std::uint64_t bytes_ = 0;
};

} // namespace isbesim::testbench
