// SPDX-License-Identifier: Apache-2.0
// Blocks of 4 x 4 texels: S3TC (BC1 to BC3), RGTC (BC4, BC5), BPTC (BC6H, BC7). Each function decodes one texel.
#pragma once

#include <array>
#include <cstdint>

namespace isbesim::texture {

/// Red, green, blue, alpha as exact fractions, rounded once. `only_four_colors` is for BC2 and BC3.
std::array<float, 4> decode_color_block(const std::uint8_t* block, unsigned x, unsigned y, bool only_four_colors);
/// The four explicit bits of BC2.
float decode_explicit_alpha(const std::uint8_t* block, unsigned x, unsigned y);
/// The interpolated channel of BC3, BC4 and BC5.
float decode_ramp_block(const std::uint8_t* block, unsigned x, unsigned y, bool with_sign);

/// BC6H: the bits of three half floats. Reserved modes decode to 0.
std::array<std::uint16_t, 3> decode_bc6(const std::uint8_t* block, unsigned x, unsigned y, bool with_sign);
/// BC7: four 8-bit channels. The reserved mode decodes to 0.
std::array<std::uint8_t, 4> decode_bc7(const std::uint8_t* block, unsigned x, unsigned y);

} // namespace isbesim::texture
