// SPDX-License-Identifier: Apache-2.0
// An image in memory: a header, its layout, and the bytes of its texels.
#pragma once

#include "models/memory/memory_space.h"
#include "models/texture/layout.h"

namespace isbesim::texture {

/// A texel; of a multisample image, a sample.
struct texel_place {
    unsigned level = 0;
    std::uint32_t layer = 0;
    std::uint32_t x = 0, y = 0, z = 0;
};

class image {
public:
    /// Returns a fault if the header can't be used; does not throw.
    fault decode(const entry& words, access kind);

    const header& description() const { return header_; }
    const level_layout& level(unsigned number) const { return layout_.levels[number]; }
    std::uint32_t layers() const { return layout_.layers; }
    unsigned levels() const { return header_.view_last - header_.view_first + 1U; } ///< of the view
    bool contains(const texel_place& place) const;

    /// The bytes of the block that contains a texel, null if they are not in memory. `place` must be in the image.
    std::uint8_t* find(memory_space& memory, const texel_place& place) const;
    /// `count` bytes of a texel's row from byte `x` on, null also if they are not contiguous.
    std::uint8_t* find_bytes(memory_space& memory, const texel_place& row, std::uint64_t x, std::size_t count) const;

private:
    std::uint64_t offset(const texel_place& row, std::uint64_t x, std::uint32_t y) const;

    header header_;
    image_layout layout_;
};

} // namespace isbesim::texture
