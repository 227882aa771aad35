// SPDX-License-Identifier: Apache-2.0
// Pixel formats of the 2D class and of the 3D class's targets, for blits that convert pixels and clears that write
// them.
#pragma once

#include <cstdint>

#include "models/texture/header.h"

namespace isbesim::gl {

struct pixel_format {
    std::uint32_t code;     ///< SET_DST_FORMAT, SET_SRC_FORMAT
    texture::format layout; ///< bytes, and the bits of each channel
    texture::number_type type;
    bool srgb = false;
    bool depth = false; ///< green is stencil, an integer
};

/// Null for a code that the 2D class does not have.
const pixel_format* find_pixel_format(std::uint32_t code);

/// For a colour target: the same formats, and integers.
const pixel_format* find_target_format(std::uint32_t code);
/// For a depth target: red is depth of the format's type, green is stencil.
const pixel_format* find_depth_format(std::uint32_t code);

/// False if only one of the formats is sRGB: there is no such conversion.
bool can_convert(const pixel_format& source, const pixel_format& target);
/// Converts a pixel; channels that `source_format` lacks become 0, alpha 1.
void convert_pixel(const pixel_format& source_format, const std::uint8_t* source, const pixel_format& target_format,
                   std::uint8_t* target);
/// Encodes four channels of 32 bits; the format's type defines whether they are floating point or integers. For sRGB
/// formats the channels are linear values.
void encode_pixel(const pixel_format& to, const std::uint32_t* channels, std::uint8_t* target);

} // namespace isbesim::gl
