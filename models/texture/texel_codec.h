// SPDX-License-Identifier: Apache-2.0
// Bytes of a texel to channels and back.
#pragma once

#include "models/texture/header.h"
#include "models/texture/request.h"

namespace isbesim::texture {

/// Channels red to alpha of texel (x, y) of a block: float bits or integers by their types. sRGB is decoded where
/// asked; channels that the format does not have are 0.
texel decode_texel(const header& header, const std::uint8_t* block, unsigned x, unsigned y, bool srgb);

/// Formats with a texel a block, and no sRGB: what images can be stored to.
bool can_encode(const header& header);
void encode_texel(const header& header, const texel& channels, std::uint8_t* bytes);

/// The result's components from the channels, and the channels of a store from its components.
texel swizzle(const header& header, const texel& channels);
texel unswizzle(const header& header, const texel& components);

} // namespace isbesim::texture
