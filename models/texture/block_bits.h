// SPDX-License-Identifier: Apache-2.0
// Reads the bits of a 16-byte block from the lowest on; also the functions that BC6H and BC7 share.
#pragma once

#include <cstdint>

#include "models/texture/bptc_partition.h"

namespace isbesim::texture {

class block_bits {
public:
    block_bits(const std::uint8_t* block, unsigned place) : block_(block), place_(place) {}

    /// The next `count` bits, at most 16; bits past the block read as 0.
    unsigned take(unsigned count)
    {
        const unsigned value = at(place_, count);
        place_ += count;
        return value;
    }
    void skip(unsigned count) { place_ += count; }
    /// Bits at an offset from the current place.
    unsigned ahead(unsigned offset, unsigned count) const { return at(place_ + offset, count); }

private:
    unsigned at(unsigned place, unsigned count) const
    {
        unsigned value = 0;
        for (unsigned i = 0; i < 3; ++i)
            if (place / 8 + i < 16) value |= static_cast<unsigned>(block_[place / 8 + i]) << (8 * i);
        return value >> (place % 8) & ((1U << count) - 1);
    }

    const std::uint8_t* block_;
    unsigned place_;
};

/// A texel's index. Indices of anchors are one bit shorter, so later indices begin earlier.
inline unsigned bptc_index(const block_bits& bits, const partition& parts, unsigned texel, unsigned count)
{
    return bits.ahead(count * texel - parts.anchors_before(texel), count - (parts.is_anchor(texel) ? 1 : 0));
}

/// Weight of the second end point in 64ths.
inline unsigned bptc_weight(unsigned index, unsigned index_bits)
{
    // 64 i / (2^n - 1), rounded, equals the specification's three tables.
    const unsigned greatest = (1U << index_bits) - 1;
    return (64 * index + greatest / 2) / greatest;
}

} // namespace isbesim::texture
