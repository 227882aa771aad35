// SPDX-License-Identifier: Apache-2.0
// Tables of BPTC (ARB_texture_compression_bptc): the subset of each texel of a block.
#pragma once

#include <array>
#include <cstdint>

namespace isbesim::texture {

/// Bit i of a mask is 1 if texel i (4 y + x) is in subset 1 of a partition into two, 0 if it is in subset 0.
inline constexpr std::array<std::uint16_t, 64> two_subsets{
    0xcccc, 0x8888, 0xeeee, 0xecc8, 0xc880, 0xfeec, 0xfec8, 0xec80, 0xc800, 0xffec, 0xfe80, 0xe800, 0xffe8,
    0xff00, 0xfff0, 0xf000, 0xf710, 0x008e, 0x7100, 0x08ce, 0x008c, 0x7310, 0x3100, 0x8cce, 0x088c, 0x3110,
    0x6666, 0x366c, 0x17e8, 0x0ff0, 0x718e, 0x399c, 0xaaaa, 0xf0f0, 0x5a5a, 0x33cc, 0x3c3c, 0x55aa, 0x9696,
    0xa55a, 0x73ce, 0x13c8, 0x324c, 0x3bdc, 0x6996, 0xc33c, 0x9966, 0x0660, 0x0272, 0x04e4, 0x4e40, 0x2720,
    0xc936, 0x936c, 0x39c6, 0x639c, 0x9336, 0x9cc6, 0x817e, 0xe718, 0xccf0, 0x0fcc, 0x7744, 0xee22,
};

/// The same for subsets 1 and 2 of a partition into three.
inline constexpr std::array<std::uint16_t, 64> second_of_three_subsets{
    0x08cc, 0x8cc8, 0xcc80, 0xec00, 0x3300, 0x00cc, 0xff00, 0xcccc, 0x0f00, 0x0ff0, 0x00f0, 0x4444, 0x6666,
    0x2222, 0x136c, 0x008c, 0x36c8, 0x08ce, 0x3330, 0xf000, 0x00ee, 0x8888, 0x22c0, 0x4430, 0x0c22, 0x0344,
    0x6996, 0x9960, 0x0330, 0x0066, 0xc22c, 0x8c00, 0x1300, 0xc400, 0x004c, 0x2222, 0x00f0, 0x2492, 0x2942,
    0xc30c, 0xc03c, 0x00aa, 0xaa00, 0x3030, 0xc0c0, 0x9090, 0xa00a, 0xaaa0, 0x0aaa, 0xe0e0, 0x7070, 0x6660,
    0x0ee0, 0x0770, 0x0666, 0x6600, 0x0066, 0x0cc0, 0x0330, 0x6000, 0x8080, 0x1010, 0x000a, 0x08ce,
};
inline constexpr std::array<std::uint16_t, 64> third_of_three_subsets{
    0xf600, 0x7300, 0x3310, 0x00ce, 0xcc00, 0xcc00, 0x00cc, 0x3300, 0xf000, 0xf000, 0xff00, 0x8888, 0x8888,
    0xcccc, 0xec80, 0x7310, 0xc800, 0x3100, 0xccc0, 0x0ccc, 0xee00, 0x7700, 0xcc00, 0x3300, 0x00cc, 0xfc88,
    0x0660, 0x6600, 0xc88c, 0xf900, 0x0cc0, 0x7310, 0xec80, 0x08ce, 0xec80, 0x4444, 0x0f00, 0x4924, 0x4294,
    0x0c30, 0x03c0, 0xff00, 0x5500, 0xcccc, 0x0c0c, 0x6666, 0x0ff0, 0x5550, 0xf000, 0x0e0e, 0x8888, 0x9990,
    0xe00e, 0x8888, 0xf000, 0x9900, 0xff00, 0xc00c, 0xcccc, 0x9000, 0x0808, 0xeeee, 0xfff0, 0x7310,
};

/// A subset's anchor is the texel whose index is a bit shorter: a hexadecimal digit for each partition. The anchor of
/// subset 0 is always texel 0.
inline constexpr char anchors_of_two[] = "fffffffffffffffff282288f28228822ff6828ff28222ff66268ff22fffff22f";
inline constexpr char second_anchors_of_three[] = "33ff83ff88666533338f336a588685ff8f356a8ff3f5ffff3f55585a5a8dfc33";
inline constexpr char third_anchors_of_three[] = "f883ff38fffffff8f8f3f8f83f6affa8f3faa89a6f8f3668f3ffffffffff3ff8";

/// Partition of a block; `subsets` is 1, 2 or 3.
struct partition {
    unsigned subsets = 1;
    unsigned number = 0;

    unsigned subset_of(unsigned texel) const
    {
        if (subsets == 1) return 0;
        if (subsets == 2) return two_subsets[number] >> texel & 1U;
        return (second_of_three_subsets[number] >> texel & 1U) | (third_of_three_subsets[number] >> texel & 1U) << 1;
    }
    /// For subset 1 or 2.
    unsigned anchor(unsigned subset) const
    {
        const char digit = subsets == 2  ? anchors_of_two[number]
                           : subset == 1 ? second_anchors_of_three[number]
                                         : third_anchors_of_three[number];
        return static_cast<unsigned>(digit <= '9' ? digit - '0' : digit - 'a' + 10);
    }
    bool is_anchor(unsigned texel) const
    {
        const unsigned subset = subset_of(texel);
        return texel == (subset == 0 ? 0 : anchor(subset));
    }
    unsigned anchors_before(unsigned texel) const
    {
        unsigned count = texel > 0 ? 1 : 0;
        for (unsigned subset = 1; subset < subsets; ++subset) count += texel > anchor(subset) ? 1 : 0;
        return count;
    }
};

} // namespace isbesim::texture
