// SPDX-License-Identifier: Apache-2.0
// Decodes the bytes of texels to channels, and encodes them.
#pragma once

#include "models/texture/header.h"
#include "models/texture/request.h"

namespace isbesim::texture {

/// Channels red to alpha of texel (x, y) of a block: float bits or integers by their types. `srgb` decodes sRGB;
/// channels that the format does not have are 0.
texel decode_texel(const header& header, const std::uint8_t* block, unsigned x, unsigned y, bool srgb);

/// Whether images of the format can be stored to: plain formats without sRGB.
bool can_encode(const header& header);
void encode_texel(const header& header, const texel& channels, std::uint8_t* bytes);

/// Converts channels to the result's components, and a store's components to channels.
texel swizzle(const header& header, const texel& channels);
texel unswizzle(const header& header, const texel& components);

} // namespace isbesim::texture
