// A set of attribute ids (byte address / 4), the value behind IMAP, OMAP, BMAP and allocation maps (hardware.md A.1).
#pragma once

#include <array>
#include <cstdint>

namespace isbesim {

/// Attribute id = logical byte address / 4. 240 ids have a map bit; 0x3c0..0x3fc have none.
inline constexpr unsigned attribute_ids = 256;
inline constexpr unsigned mapped_attribute_ids = 240;

/// 256-bit set, one bit per attribute id, 32 ids per word. Ids 240..255 can't be inserted.
class attribute_set {
public:
    static constexpr unsigned words = 8;

    constexpr bool contains(unsigned id) const
    {
        return id < attribute_ids && ((bits_[id / 32] >> (id % 32)) & 1U) != 0;
    }
    constexpr void insert(unsigned id)
    {
        if (id < mapped_attribute_ids) bits_[id / 32] |= 1U << (id % 32);
    }
    constexpr void erase(unsigned id)
    {
        if (id < attribute_ids) bits_[id / 32] &= ~(1U << (id % 32));
    }

    constexpr unsigned count() const
    {
        unsigned n = 0;
        for (const auto w : bits_) n += static_cast<unsigned>(__builtin_popcount(w));
        return n;
    }
    constexpr bool empty() const { return count() == 0; }

    /// Number of members below `id`: the physical rank in a packed vertex record (hardware.md C, D.2).
    constexpr unsigned rank(unsigned id) const
    {
        unsigned n = 0;
        for (unsigned w = 0; w < id / 32; ++w) n += static_cast<unsigned>(__builtin_popcount(bits_[w]));
        const auto below = (std::uint32_t{1} << (id % 32)) - 1U;
        return n + static_cast<unsigned>(__builtin_popcount(bits_[id / 32] & below));
    }

    constexpr std::uint32_t bits(unsigned index) const { return bits_[index]; }
    constexpr void set_bits(unsigned index, std::uint32_t value)
    {
        bits_[index] = index == words - 1 ? value & 0xffffU : value;
    }

    friend constexpr attribute_set operator&(attribute_set a, const attribute_set& b)
    {
        for (unsigned i = 0; i < words; ++i) a.bits_[i] &= b.bits_[i];
        return a;
    }
    friend constexpr attribute_set operator|(attribute_set a, const attribute_set& b)
    {
        for (unsigned i = 0; i < words; ++i) a.bits_[i] |= b.bits_[i];
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
};

} // namespace isbesim
