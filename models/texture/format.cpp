// SPDX-License-Identifier: Apache-2.0
#include "models/texture/format.h"

namespace isbesim::texture {

namespace {

using channel_fields = std::array<bit_field, 4>;

/// Consecutive channels from bit 0 on.
constexpr channel_fields packed(unsigned red, unsigned green = 0, unsigned blue = 0, unsigned alpha = 0)
{
    const std::array<unsigned, 4> counts{red, green, blue, alpha};
    channel_fields fields{};
    unsigned first = 0;
    for (std::size_t i = 0; i < counts.size(); ++i) {
        fields[i] = {static_cast<std::uint8_t>(counts[i] != 0 ? first : 0), static_cast<std::uint8_t>(counts[i])};
        first += counts[i];
    }
    return fields;
}

constexpr format plain(std::uint8_t sizes, std::uint8_t bytes, const channel_fields& channels,
                       std::uint8_t depth_channel = 0)
{
    return {sizes, encoding::plain, bytes, 1, 1, channels, depth_channel};
}

constexpr format compressed(std::uint8_t sizes, encoding how, std::uint8_t bytes)
{
    return {sizes, how, bytes, 4, 4, {}, 0};
}

/// The vendor's names list channels from the highest bit to the lowest: A8B8G8R8 has red in the first byte.
constexpr format formats[] = {
    plain(0x01, 16, packed(32, 32, 32, 32)), // R32_G32_B32_A32
    plain(0x02, 12, packed(32, 32, 32)),     // R32_G32_B32
    plain(0x03, 8, packed(16, 16, 16, 16)),  // R16_G16_B16_A16
    plain(0x04, 8, packed(32, 32)),          // R32_G32
    plain(0x05, 8, packed(32, 8, 24)),       // R32_B24G8
    plain(0x07, 4, packed(8, 8, 8)),         // X8B8G8R8
    plain(0x08, 4, packed(8, 8, 8, 8)),      // A8B8G8R8
    plain(0x09, 4, packed(10, 10, 10, 2)),   // A2B10G10R10
    plain(0x0c, 4, packed(16, 16)),          // R16_G16
    plain(0x0d, 4, packed(24, 8)),           // G8R24
    plain(0x0e, 4, packed(8, 24)),           // G24R8
    plain(0x0f, 4, packed(32)),              // R32
    compressed(0x10, encoding::bc6_signed, 16),
    compressed(0x11, encoding::bc6_unsigned, 16),
    plain(0x12, 2, packed(4, 4, 4, 4)), // A4B4G4R4
    plain(0x13, 2, packed(1, 5, 5, 5)), // A5B5G5R1
    plain(0x14, 2, packed(5, 5, 5, 1)), // A1B5G5R5
    plain(0x15, 2, packed(5, 6, 5)),    // B5G6R5
    plain(0x16, 2, packed(5, 5, 6)),    // B6G5R5
    compressed(0x17, encoding::bc7, 16),
    plain(0x18, 2, packed(8, 8)),                                // G8R8
    plain(0x1b, 2, packed(16)),                                  // R16
    plain(0x1d, 1, packed(8)),                                   // R8
    plain(0x1e, 1, packed(4, 4)),                                // G4R4
    {0x20, encoding::shared_exponent, 4, 1, 1, packed(9, 9, 9)}, // E5B9G9R9_SHAREDEXP
    plain(0x21, 4, packed(11, 11, 10)),                          // BF10GF11RF11
    {0x22, encoding::green_second, 4, 2, 1, {}},                 // G8B8G8R8
    {0x23, encoding::green_first, 4, 2, 1, {}},                  // B8G8R8G8
    compressed(0x24, encoding::bc1, 8),
    compressed(0x25, encoding::bc2, 16),
    compressed(0x26, encoding::bc3, 16),
    compressed(0x27, encoding::bc4, 8),
    compressed(0x28, encoding::bc5, 16),
    plain(0x29, 4, packed(8, 24), 1), // Z24S8: stencil below depth
    plain(0x2a, 4, packed(24)),       // X8Z24
    plain(0x2b, 4, packed(24, 8)),    // S8Z24: depth below stencil
    plain(0x2f, 4, packed(32)),       // ZF32
    plain(0x30, 8, packed(32, 8)),    // ZF32_X24S8
    plain(0x3a, 2, packed(16)),       // Z16
};

/// Index + 1 in `formats` by COMPONENTS_SIZES, 0 for none; looked up for each request with a changed header.
constexpr auto by_sizes = [] {
    std::array<std::uint8_t, 64> places{};
    for (std::size_t i = 0; i < std::size(formats); ++i) places[formats[i].sizes] = static_cast<std::uint8_t>(i + 1);
    return places;
}();

} // namespace

const format* find_format(unsigned sizes)
{
    if (sizes >= by_sizes.size() || by_sizes[sizes] == 0) return nullptr;
    return &formats[by_sizes[sizes] - 1U];
}

} // namespace isbesim::texture
