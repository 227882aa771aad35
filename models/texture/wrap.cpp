// SPDX-License-Identifier: Apache-2.0
#include "models/texture/wrap.h"

#include <algorithm>
#include <cmath>

namespace isbesim::texture {

namespace {

/// Coordinates beyond this have no fraction; the value itself fits into a 32-bit integer.
constexpr float far_away = 0x1p30F;

std::int32_t modulo(std::int32_t i, std::int32_t size)
{
    const std::int32_t rest = i % size;
    return rest < 0 ? rest + size : rest;
}

/// Reflects negative positions at the image's edge: -1 becomes 0, -2 becomes 1.
std::int32_t reflected(std::int32_t i)
{
    return i >= 0 ? i : -1 - i;
}

/// Applies a mode to the coordinate itself, before texels are chosen.
float limited(address_mode mode, float u, std::int32_t size)
{
    if (std::isnan(u)) return 0;
    switch (mode) {
    case address_mode::wrap:
    case address_mode::mirror:
        if (std::fabs(u) < far_away) return u;
        return std::isinf(u) ? 0 : std::fmod(u, 2 * static_cast<float>(size));
    case address_mode::clamp:
        return std::clamp(u, 0.0F, static_cast<float>(size));
    case address_mode::mirror_once_clamp:
        return std::min(std::fabs(u), static_cast<float>(size));
    default:
        return std::clamp(u, -far_away, far_away);
    }
}

} // namespace

std::int32_t wrapped(address_mode mode, std::int32_t i, std::int32_t size)
{
    switch (mode) {
    case address_mode::wrap:
        return modulo(i, size);
    case address_mode::mirror:
        return size - 1 - reflected(modulo(i, 2 * size) - size);
    case address_mode::clamp_to_edge:
        return std::clamp(i, 0, size - 1);
    case address_mode::mirror_once_clamp_to_edge:
        return std::min(reflected(i), size - 1);
    case address_mode::mirror_once_border:
        i = reflected(i);
        break;
    case address_mode::border:
    case address_mode::clamp:
    case address_mode::mirror_once_clamp:
        break;
    }
    return i >= 0 && i < size ? i : border_texel;
}

std::int32_t nearest_texel(address_mode mode, float u, std::int32_t size)
{
    const auto i = static_cast<std::int32_t>(std::floor(limited(mode, u, size)));
    // The coordinate was clamped to the image, whose end belongs to the last texel.
    const bool clamps = mode == address_mode::clamp || mode == address_mode::mirror_once_clamp;
    return wrapped(mode, clamps ? std::min(i, size - 1) : i, size);
}

texel_pair unwrapped_texels(float u)
{
    const float shifted = u - 0.5F;
    const float whole = std::floor(shifted);
    const auto i = static_cast<std::int32_t>(whole);
    return {{i, i + 1}, shifted - whole};
}

texel_pair linear_texels(address_mode mode, float u, std::int32_t size)
{
    texel_pair pair = unwrapped_texels(limited(mode, u, size));
    for (auto& i : pair.at) i = wrapped(mode, i, size);
    return pair;
}

} // namespace isbesim::texture
