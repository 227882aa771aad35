// SPDX-License-Identifier: Apache-2.0
// Vertex formats: convert the bytes of an element to the four words that the vertex stage reads.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

namespace isbesim::gl {

/// The format word's fields (SET_VERTEX_ATTRIBUTE_A, class headers).
struct vertex_format {
    std::uint32_t buffer = 0;
    std::uint32_t offset = 0; ///< bytes in an element
    bool constant = false;    ///< the value is from VTX_ATTR_DEFINE, not an array
    std::uint32_t size = 0;   ///< code of the components and their bits
    std::uint32_t type = 0;   ///< code of the number type
    bool swapped = false;     ///< first and third component are exchanged

    static vertex_format of(std::uint32_t word);
    /// Bytes of an element; none for an unknown code.
    std::optional<unsigned> bytes() const;
    /// Values of components that an element does not have: 0, 0, 0, and 1 or integer 1.
    std::array<std::uint32_t, 4> defaults() const;
    /// `element` holds bytes() bytes, which must have a value.
    std::array<std::uint32_t, 4> decode(const std::uint8_t* element) const;
};

} // namespace isbesim::gl
