// SPDX-License-Identifier: Apache-2.0
// The decoded content of a texture header (TIC), HARDWARE.md H.1.
#pragma once

#include <array>
#include <cstdint>

#include "models/texture/fault.h"
#include "models/texture/format.h"
#include "tlm/warp_op.h"

namespace isbesim::texture {

/// An entry of the driver's tables.
inline constexpr unsigned entry_words = 8;
using entry = std::array<word, entry_words>;

/// Number format of a channel; values as in the header. The two `half` types are snorm and unorm rounded to 16 bits;
/// the model does not round them.
enum class number_type : std::uint8_t { none, snorm, unorm, sint, uint, snorm_half, unorm_half, floating };
constexpr bool is_integer(number_type type)
{
    return type == number_type::sint || type == number_type::uint;
}

/// Source of a component of the result; values as in the header.
enum class source : std::uint8_t { zero = 0, red = 2, green = 3, blue = 4, alpha = 5, one_int = 6, one_float = 7 };
constexpr bool is_channel(source which)
{
    return which >= source::red && which <= source::alpha;
}
constexpr std::size_t channel_of(source which)
{
    return static_cast<std::size_t>(which) - static_cast<std::size_t>(source::red);
}

/// Values as in the header.
enum class image_type : std::uint8_t {
    one_d,
    two_d,
    three_d,
    cube,
    array_1d,
    array_2d,
    buffer,
    two_d_no_mipmap,
    array_cube
};

enum class memory_layout : std::uint8_t { buffer, pitch, block_linear };

struct header {
    const format* texels = nullptr;
    std::array<number_type, 4> types{}; ///< of the channels red to alpha
    std::array<source, 4> sources{};    ///< of the result's components
    bool srgb = false;
    bool normalized = false; ///< coordinates 0 to 1 span the image
    image_type type = image_type::two_d;
    memory_layout layout = memory_layout::block_linear;
    std::uint64_t address = 0;                      ///< bytes
    std::uint32_t pitch = 0;                        ///< bytes; pitch layout only
    std::uint8_t block_height = 0, block_depth = 0; ///< logarithms: GOBs in a block
    std::uint32_t width = 1, height = 1;            ///< of level 0, in texels (pixels of a multisample image)
    std::uint32_t depth = 1;                        ///< slices, layers, or cubes
    std::uint8_t last_level = 0;                    ///< of the image in memory
    std::uint8_t view_first = 0, view_last = 0;     ///< levels of the view
    std::uint8_t samples_x = 0, samples_y = 0;      ///< logarithms: samples of a pixel side by side
    bool d3d_samples = false;                       ///< the samples are in Direct3D's order
    float min_lod = 0;                              ///< counted from level 0 of the image
};

/// True if any component from memory is an integer; then no filter applies.
bool reads_integers(const header& header);

/// `result` is complete if the fault is `none`.
fault decode_header(const entry& words, header& result);
/// Converts a header of the second version (SM90 and later) to the first version (HARDWARE.md H.1).
entry first_version_header(const entry& second);

} // namespace isbesim::texture
