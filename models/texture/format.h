// SPDX-License-Identifier: Apache-2.0
// Texel formats: size of a block of texels and places of its channels (HARDWARE.md H.3).
#pragma once

#include <array>
#include <cstdint>

namespace isbesim::texture {

/// How a block is decoded to texels. `plain` formats have one texel whose channels are bit fields.
enum class encoding : std::uint8_t {
    plain,
    shared_exponent, ///< three 9-bit mantissas and their exponent
    green_second,    ///< two texels: red, green 0, blue, green 1
    green_first,     ///< two texels: green 0, red, green 1, blue
    bc1,
    bc2,
    bc3,
    bc4,
    bc5,
    bc6_signed,
    bc6_unsigned,
    bc7,
};

/// Bits of a texel within one 32-bit word. A count of 0: the format has no such channel.
struct bit_field {
    std::uint8_t first = 0;
    std::uint8_t count = 0;
};

struct format {
    std::uint8_t sizes = 0; ///< the header's COMPONENTS_SIZES
    encoding how = encoding::plain;
    std::uint8_t bytes = 0; ///< of a block
    std::uint8_t block_width = 1;
    std::uint8_t block_height = 1;
    std::array<bit_field, 4> channels{}; ///< red to alpha
    std::uint8_t depth_channel = 0;      ///< the channel that a depth comparison compares
};

/// Null for unsupported formats: ETC2, ASTC, coverage-sampled depth, video.
const format* find_format(unsigned sizes);

} // namespace isbesim::texture
