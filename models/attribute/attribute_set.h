// SPDX-License-Identifier: Apache-2.0
// A set of attribute ids (byte address / 4), the value behind IMAP, OMAP, BMAP and allocation maps (HARDWARE.md A.1).
#pragma once

#include <array>
#include <cstdint>

#include "models/attribute/bit_count.h"

namespace isbesim {

/// Attribute id = logical byte address / 4. 240 ids have a map bit; 0x3c0..0x3fc have none.
inline constexpr unsigned attribute_ids = 256;
inline constexpr unsigned mapped_attribute_ids = 240;

/// 256-bit set, one bit per attribute id, 32 ids per word. Ids 240..255 can't be inserted. Stores the rank of every
/// word's first id, so that a rank, which every access needs, costs one popcount.
class attribute_set {
public:
    static constexpr unsigned words = 8;

    constexpr attribute_set() = default;
    /// One bit per id; those of ids 240..255 are ignored.
    explicit constexpr attribute_set(const std::array<std::uint32_t, words>& bits) : bits_(bits)
    {
        bits_[words - 1] &= 0xffffU;
        for (unsigned i = 0; i < words; ++i) {
            ranks_[i] = count_;
            count_ += bit_count(bits_[i]);
        }
    }

    constexpr bool contains(unsigned id) const
    {
        return id < attribute_ids && ((bits_[id / 32] >> (id % 32)) & 1U) != 0;
    }
    constexpr void insert(unsigned id)
    {
        if (id < mapped_attribute_ids) set_bits(id / 32, bits_[id / 32] | 1U << (id % 32));
    }
    constexpr void erase(unsigned id)
    {
        if (id < attribute_ids) set_bits(id / 32, bits_[id / 32] & ~(1U << (id % 32)));
    }

    constexpr unsigned count() const { return count_; }
    constexpr bool empty() const { return count_ == 0; }

    /// Number of members below `id` < 256: the physical rank in a packed vertex record (HARDWARE.md C, D.2).
    constexpr unsigned rank(unsigned id) const
    {
        const auto below = (std::uint32_t{1} << (id % 32)) - 1U;
        return ranks_[id / 32] + bit_count(bits_[id / 32] & below);
    }

    constexpr std::uint32_t bits(unsigned index) const { return bits_[index]; }
    /// rank(32 * index), at most 224.
    constexpr std::uint32_t rank_of_word(unsigned index) const { return ranks_[index]; }
    /// Bit c is 1 if id + c is a member, up to the end of the id's word; id < 256.
    constexpr std::uint32_t following_bits(unsigned id) const { return bits_[id / 32] >> (id % 32); }
    constexpr void set_bits(unsigned index, std::uint32_t value)
    {
        const auto before = bit_count(bits_[index]);
        bits_[index] = index == words - 1 ? value & 0xffffU : value;
        const auto change = bit_count(bits_[index]) - before; // modulo 2^32
        count_ += change;
        for (unsigned i = index + 1; i < words; ++i) ranks_[i] += change;
    }

    friend constexpr attribute_set operator&(attribute_set a, const attribute_set& b)
    {
        for (unsigned i = 0; i < words; ++i) a.set_bits(i, a.bits_[i] & b.bits_[i]);
        return a;
    }
    friend constexpr attribute_set operator|(attribute_set a, const attribute_set& b)
    {
        for (unsigned i = 0; i < words; ++i) a.set_bits(i, a.bits_[i] | b.bits_[i]);
        return a;
    }
    friend constexpr bool operator==(const attribute_set& a, const attribute_set& b)
    {
        for (unsigned i = 0; i < words; ++i)
            if (a.bits_[i] != b.bits_[i]) return false;
        return true;
    }
    friend constexpr bool operator!=(const attribute_set& a, const attribute_set& b) { return !(a == b); }

private:
    std::array<std::uint32_t, words> bits_{};
    std::array<std::uint32_t, words> ranks_{}; // members below the word's first id
    unsigned count_ = 0;
};

} // namespace isbesim
