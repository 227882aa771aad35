// SPDX-License-Identifier: Apache-2.0
// BC1 to BC5, from EXT_texture_compression_s3tc and ARB_texture_compression_rgtc: the fractions of their formulas,
// rounded once. Decoders that work in 8 bits differ by up to 1/255.
#include "models/texture/block_codec.h"
#include "models/texture/number.h"

namespace isbesim::texture {

namespace {

unsigned two_bytes(const std::uint8_t* bytes)
{
    return bytes[0] | static_cast<unsigned>(bytes[1]) << 8;
}

/// Two end points, mixed in steps: ((steps - i) a + i b) / steps / greatest.
float mixed(int a, int b, int i, int steps, int greatest)
{
    return static_cast<float>((steps - i) * a + i * b) / static_cast<float>(steps * greatest);
}

} // namespace

std::array<float, 4> decode_color_block(const std::uint8_t* block, unsigned x, unsigned y, bool only_four_colors)
{
    const std::array<unsigned, 2> end{two_bytes(block), two_bytes(block + 2)};
    const unsigned code = block[4 + y] >> (2 * x) & 3U;
    const bool four = only_four_colors || end[0] > end[1];
    if (!four && code == 3) return {};
    const int steps = code < 2 ? 1 : four ? 3 : 2;
    const int place = code < 2 ? static_cast<int>(code) : static_cast<int>(code) - 1;
    constexpr unsigned shifts[] = {11, 5, 0};
    constexpr unsigned greatest[] = {31, 63, 31};
    std::array<float, 4> values{0, 0, 0, 1};
    for (unsigned i = 0; i < 3; ++i) {
        const auto a = static_cast<int>(end[0] >> shifts[i] & greatest[i]);
        const auto b = static_cast<int>(end[1] >> shifts[i] & greatest[i]);
        values[i] = mixed(a, b, place, steps, static_cast<int>(greatest[i]));
    }
    return values;
}

float decode_explicit_alpha(const std::uint8_t* block, unsigned x, unsigned y)
{
    return unorm_to_float(two_bytes(block + 2 * y) >> (4 * x) & 15U, 4);
}

float decode_ramp_block(const std::uint8_t* block, unsigned x, unsigned y, bool with_sign)
{
    const std::array<int, 2> ends{with_sign ? sign_extended(block[0], 8) : block[0],
                                  with_sign ? sign_extended(block[1], 8) : block[1]};
    const unsigned place = 3 * (4 * y + x); // of the code in the 48 bits after the end points
    const unsigned first = 2 + place / 8;
    const unsigned pair = block[first] | (first < 7 ? static_cast<unsigned>(block[first + 1]) << 8 : 0);
    const auto code = static_cast<int>(pair >> (place % 8) & 7U);

    const int greatest = with_sign ? 127 : 255;
    const bool eight = ends[0] > ends[1];
    if (!eight && code >= 6) return code == 7 ? 1.0F : with_sign ? -1.0F : 0.0F;
    // -128 also means -1.
    const int a = ends[0] < -127 ? -127 : ends[0];
    const int b = ends[1] < -127 ? -127 : ends[1];
    if (code < 2) return mixed(a, b, code, 1, greatest);
    return mixed(a, b, code - 1, eight ? 7 : 5, greatest);
}

} // namespace isbesim::texture
