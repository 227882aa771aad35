// SPDX-License-Identifier: Apache-2.0
#include "models/texture/sampler.h"

namespace isbesim::texture {

namespace {

word sampler_bits(word bits, unsigned first, unsigned count)
{
    return bits >> first & ((1U << count) - 1);
}

/// Levels of detail have 8 fraction bits.
constexpr float lod_steps = 256;

float signed_lod(word bits, unsigned count)
{
    const word sign = 1U << (count - 1);
    return static_cast<float>(static_cast<std::int32_t>(bits ^ sign) - static_cast<std::int32_t>(sign)) / lod_steps;
}

} // namespace

fault decode_sampler(const entry& words, sampler& result)
{
    result = {};
    for (unsigned i = 0; i < 3; ++i) result.address[i] = static_cast<address_mode>(sampler_bits(words[0], 3 * i, 3));
    result.compare = static_cast<comparison>(sampler_bits(words[0], 10, 3));
    result.srgb = sampler_bits(words[0], 13, 1) != 0;

    const word magnify = sampler_bits(words[1], 0, 3);
    const word minify = sampler_bits(words[1], 4, 2);
    const word mip = sampler_bits(words[1], 6, 2);
    const word reduce = sampler_bits(words[1], 10, 2);
    if (magnify == 0 || magnify > 2 || minify == 0 || mip == 0 || reduce > 2) return fault::bad_sampler;
    result.magnify = static_cast<filter>(magnify);
    result.minify = minify == 1 ? filter::point : filter::linear; // 3 is anisotropic: linear here
    result.mip = static_cast<mip_filter>(mip);
    const word edges = sampler_bits(words[1], 8, 2);
    result.edges = edges >= 2 ? cube_edges::seamless : static_cast<cube_edges>(edges);
    result.reduce = static_cast<reduction>(reduce);
    result.bias = signed_lod(sampler_bits(words[1], 12, 13), 13);
    result.unnormalized = sampler_bits(words[1], 25, 1) != 0;

    result.min_lod = static_cast<float>(sampler_bits(words[2], 0, 12)) / lod_steps;
    result.max_lod = static_cast<float>(sampler_bits(words[2], 12, 12)) / lod_steps;
    for (unsigned i = 0; i < 4; ++i) result.border[i] = words[4 + i];
    return fault::none;
}

} // namespace isbesim::texture
