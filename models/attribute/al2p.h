// AL2P results: the opaque word between AL2P and a .PHYS access (hardware.md C, micro-architecture 4.2 and 4.4).
#pragma once

#include <cstdint>

#include "models/attribute/attribute_set.h"
#include "tlm/warp_op.h"

namespace isbesim {

/// Fields of a result. An out-of-range result carries its space and nothing else.
struct al2p_result {
    std::uint8_t rank = 0; ///< place in the packed vertex record
    std::uint8_t id = 0;   ///< logical attribute, for its default value
    bool enabled = false;
    bool out_of_range = false;
    isbesim::space space = isbesim::space::input;
    bool per_primitive = false;
};

/// Where the fields are, for loops over lanes; `rank` is bits 7:0, `id` bits 15:8.
namespace al2p_bits {
inline constexpr word tag = 0xa2000000U;
inline constexpr word per_primitive = 1U << 19;
inline constexpr word space = 1U << 18;
inline constexpr word out_of_range = 1U << 17;
inline constexpr word enabled = 1U << 16;
} // namespace al2p_bits

word encode_al2p(const al2p_result& value);
al2p_result decode_al2p(word value);

/// True when `value` carries the tag of a result and belongs to `space`. Bits 16, 17, 19 and the fields may be
/// anything.
constexpr bool is_al2p_result(word value, space space)
{
    const word expected = al2p_bits::tag | (space == space::output ? al2p_bits::space : 0U);
    return (value & (0xfff00000U | al2p_bits::space)) == expected;
}

/// Byte address of component 0 after the size has dropped the low bits (hardware.md B.4): 4, 8, 16, 16 bytes for sizes
/// 1, 2, 3, 4 words.
constexpr std::int64_t align_to_size(std::int64_t address, unsigned size)
{
    return address & ~std::int64_t{size == 1 ? 3 : size == 2 ? 7 : 15};
}
/// The same as a mask of 32-bit addresses.
constexpr word alignment_of_size(unsigned size)
{
    return static_cast<word>(align_to_size(~std::int64_t{0}, size));
}

} // namespace isbesim
