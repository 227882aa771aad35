// SPDX-License-Identifier: Apache-2.0
// Pixels of the 2D class and of the 3D class's targets: what their bytes mean where a blit turns one format into
// another, or a clear writes them.
#pragma once

#include <cstdint>

#include "models/texture/header.h"

namespace isbesim::gl {

struct pixel_format {
    std::uint32_t code;     ///< SET_DST_FORMAT, SET_SRC_FORMAT
    texture::format layout; ///< bytes, and the bits of each channel
    texture::number_type type;
    bool srgb = false;
};

/// Null for a code that the class does not have.
const pixel_format* find_pixel_format(std::uint32_t code);

/// Of a colour target: these and integers.
const pixel_format* find_target_format(std::uint32_t code);

/// False where there is no such conversion: to or from the curve of sRGB.
bool can_convert(const pixel_format& from, const pixel_format& to);
/// A pixel; channels that `from` does not have are 0, alpha 1.
void convert_pixel(const pixel_format& from, const std::uint8_t* source, const pixel_format& to, std::uint8_t* target);
/// Of four channels in 32 bits, by the format's type: floating point or integers.
void encode_pixel(const pixel_format& to, const std::uint32_t* channels, std::uint8_t* target);

} // namespace isbesim::gl
