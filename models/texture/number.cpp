// SPDX-License-Identifier: Apache-2.0
#include "models/texture/number.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace isbesim::texture {

namespace {

constexpr word ones(unsigned count)
{
    return count == 32 ? ~0U : (1U << count) - 1;
}

/// Floats with five exponent bits.
constexpr int small_bias = 15;
constexpr unsigned small_special = 31;

constexpr unsigned small_fraction_bits(unsigned count)
{
    return count == 16 ? 10 : count - 5;
}

double exact_srgb_to_linear(double value)
{
    return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
}

} // namespace

float unorm_to_float(word bits, unsigned count)
{
    // Rounding twice is harmless: the quotient's digits repeat every `count` places, so that it is never close enough
    // to the midpoint of two floats.
    return static_cast<float>(static_cast<double>(bits) / static_cast<double>(ones(count)));
}

float snorm_to_float(word bits, unsigned count)
{
    const double value = sign_extended(bits, count);
    return std::max(static_cast<float>(value / static_cast<double>(ones(count - 1))), -1.0F);
}

word float_to_unorm(float value, unsigned count)
{
    if (!(value > 0)) return 0;
    return static_cast<word>(std::nearbyint(std::min(static_cast<double>(value), 1.0) * ones(count)));
}

word float_to_snorm(float value, unsigned count)
{
    if (std::isnan(value)) return 0;
    const double scaled = std::clamp(static_cast<double>(value), -1.0, 1.0) * ones(count - 1);
    return static_cast<word>(static_cast<std::int32_t>(std::nearbyint(scaled))) & ones(count);
}

float small_float_to_float(word bits, unsigned count)
{
    const unsigned fraction_bits = small_fraction_bits(count);
    const word sign = (bits & 0x8000U) << 16; // only floats of 16 bits have a sign
    const word fraction = bits & ones(fraction_bits);
    const word exponent = bits >> fraction_bits & small_special;
    if (exponent == 0) {
        const float magnitude =
            std::ldexp(static_cast<float>(fraction), 1 - small_bias - static_cast<int>(fraction_bits));
        return to_float(to_bits(magnitude) | sign);
    }
    const word biased = exponent == small_special ? 255 : exponent + (127 - small_bias);
    return to_float(sign | biased << 23 | fraction << (23 - fraction_bits));
}

word float_to_small_float(float value, unsigned count)
{
    const int fraction_bits = static_cast<int>(small_fraction_bits(count));
    const bool has_sign = count == 16;
    const word sign = has_sign && std::signbit(value) ? 0x8000U : 0;
    const word infinity = small_special << fraction_bits;
    if (std::isnan(value)) return sign | infinity | ones(static_cast<unsigned>(fraction_bits));
    if (value == 0 || (!has_sign && value < 0)) return sign;
    if (std::isinf(value)) return sign | infinity;
    int exponent = 0;
    std::frexp(value, &exponent);
    const int scale = std::max(exponent - 1, 1 - small_bias) - fraction_bits;
    const auto steps = static_cast<word>(std::nearbyint(std::ldexp(std::fabs(static_cast<double>(value)), -scale)));
    // A carry out of the fraction increments the exponent, also when a denormal becomes normal.
    const word exponent_field = static_cast<word>(scale + fraction_bits + small_bias - 1) << fraction_bits;
    const word result = std::min(exponent_field + steps, infinity);
    return sign | (result == infinity && !has_sign ? infinity - 1 : result);
}

float srgb_to_linear(float value)
{
    return static_cast<float>(exact_srgb_to_linear(value));
}

float linear_to_srgb(float value)
{
    const double linear = value > 0 ? std::min(static_cast<double>(value), 1.0) : 0.0;
    return static_cast<float>(linear <= 0.0031308 ? 12.92 * linear : 1.055 * std::pow(linear, 1 / 2.4) - 0.055);
}

float srgb8_to_linear(word bits)
{
    static const auto table = [] {
        std::array<float, 256> values{};
        for (unsigned i = 0; i < values.size(); ++i) values[i] = static_cast<float>(exact_srgb_to_linear(i / 255.0));
        return values;
    }();
    return table[bits & 0xffU];
}

} // namespace isbesim::texture
