// SPDX-License-Identifier: Apache-2.0
// Numbers of texels, all of them where 16 bits suffice, against long double and against bits written by hand.
#include "models/texture/number.h"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

namespace isbesim::test {
namespace {

using namespace texture;

/// The nearest float to numerator / denominator: the remainder of its neighbours decides, in integers.
bool is_nearest(float value, std::int64_t numerator, std::int64_t denominator)
{
    const auto distance = [&](float to) {
        return std::fabs(static_cast<long double>(to) * denominator - numerator); // 24 + 32 bits: exact
    };
    const long double own = distance(value);
    return own <= distance(std::nextafterf(value, 2)) && own <= distance(std::nextafterf(value, -2));
}

TEST(texture_number, every_unorm_is_the_nearest_float)
{
    for (const unsigned count : {1U, 2U, 4U, 5U, 6U, 8U, 10U, 16U})
        for (word bits = 0; bits < 1U << count; ++bits)
            ASSERT_TRUE(is_nearest(unorm_to_float(bits, count), bits, (std::int64_t{1} << count) - 1))
                << bits << " of " << count;
    std::mt19937 engine(1);
    for (const unsigned count : {24U, 32U})
        for (unsigned i = 0; i < 100000; ++i) {
            const word bits = static_cast<word>(engine()) >> (32 - count);
            ASSERT_TRUE(is_nearest(unorm_to_float(bits, count), bits, (std::int64_t{1} << count) - 1))
                << bits << " of " << count;
        }
    EXPECT_EQ(unorm_to_float(0xffffffffU, 32), 1);
    EXPECT_EQ(unorm_to_float(0xffffffU, 24), 1);
}

TEST(texture_number, every_snorm_is_the_nearest_float_and_the_least_two_are_minus_1)
{
    for (const unsigned count : {2U, 8U, 10U, 16U})
        for (word bits = 0; bits < 1U << count; ++bits) {
            const std::int64_t half = std::int64_t{1} << (count - 1);
            const std::int64_t value = bits < half ? bits : static_cast<std::int64_t>(bits) - 2 * half;
            if (value == -half)
                ASSERT_EQ(snorm_to_float(bits, count), -1);
            else
                ASSERT_TRUE(is_nearest(snorm_to_float(bits, count), value, half - 1)) << bits << " of " << count;
        }
    EXPECT_EQ(snorm_to_float(0x80000000U, 32), -1);
    EXPECT_EQ(snorm_to_float(0x7fffffffU, 32), 1);
    EXPECT_EQ(snorm_to_float(0x80000001U, 32), -1);
}

TEST(texture_number, stores_invert_loads)
{
    for (const unsigned count : {2U, 4U, 5U, 6U, 8U, 10U, 16U})
        for (word bits = 0; bits < 1U << count; ++bits) {
            ASSERT_EQ(float_to_unorm(unorm_to_float(bits, count), count), bits);
            const word least = 1U << (count - 1);
            ASSERT_EQ(float_to_snorm(snorm_to_float(bits, count), count), bits == least ? least + 1 : bits);
        }
}

TEST(texture_number, stores_clamp_and_round_to_the_nearest)
{
    EXPECT_EQ(float_to_unorm(-1, 8), 0U);
    EXPECT_EQ(float_to_unorm(7, 8), 255U);
    EXPECT_EQ(float_to_unorm(std::nanf(""), 8), 0U);
    EXPECT_EQ(float_to_unorm(0.5F, 8), 128U); // 127.5: to even
    EXPECT_EQ(float_to_unorm(0.3F, 8), 77U);  // 76.5000...
    EXPECT_EQ(float_to_snorm(-7, 8), 0x81U);
    EXPECT_EQ(float_to_snorm(std::nanf(""), 8), 0U);
    EXPECT_EQ(float_to_snorm(0.004F, 8), 1U);
    EXPECT_EQ(float_to_unorm(1, 32), 0xffffffffU);
}

/// Value of a float with five exponent bits, from its definition.
long double small_value(word bits, unsigned fraction_bits)
{
    const int exponent = static_cast<int>(bits >> fraction_bits & 31U);
    const long double fraction = static_cast<long double>(bits & ((1U << fraction_bits) - 1)) / (1U << fraction_bits);
    return exponent == 0 ? std::pow(2.0L, -14) * fraction : std::pow(2.0L, exponent - 15) * (1 + fraction);
}

TEST(texture_number, every_half_and_every_11_and_10_bit_float_is_exact)
{
    for (word bits = 0; bits < 0x10000U; ++bits) {
        const float value = small_float_to_float(bits, 16);
        if ((bits & 0x7c00U) == 0x7c00U) {
            ASSERT_EQ(std::isnan(value), (bits & 0x3ffU) != 0);
            ASSERT_EQ(std::isinf(value), (bits & 0x3ffU) == 0);
        } else {
            ASSERT_EQ(static_cast<long double>(std::fabs(value)), small_value(bits, 10));
        }
        ASSERT_EQ(std::signbit(value), bits >= 0x8000U);
    }
    for (const unsigned count : {11U, 10U})
        for (word bits = 0; bits < 1U << count; ++bits) {
            const float value = small_float_to_float(bits, count);
            const word exponent_bits = 31U << (count - 5);
            if ((bits & exponent_bits) == exponent_bits)
                ASSERT_FALSE(std::isfinite(value));
            else
                ASSERT_EQ(static_cast<long double>(value), small_value(bits, count - 5));
        }
}

TEST(texture_number, stores_of_small_floats_take_the_nearest_of_all)
{
    std::mt19937 engine(2);
    for (const unsigned count : {16U, 11U, 10U}) {
        const unsigned fraction_bits = count == 16 ? 10 : count - 5;
        const word greatest = (31U << fraction_bits) - 1;
        for (word bits = 0; bits <= greatest; ++bits)
            ASSERT_EQ(float_to_small_float(small_float_to_float(bits, count), count), bits);
        for (unsigned i = 0; i < 20000; ++i) {
            const auto bits = static_cast<word>(engine() % greatest);
            const long double low = small_value(bits, fraction_bits);
            const long double high = small_value(bits + 1, fraction_bits);
            const auto between = static_cast<float>(low + (high - low) * (engine() % 1000) / 1000);
            const long double to_low = between - low;
            const long double to_high = high - between;
            const word wanted = to_low < to_high ? bits : to_low > to_high ? bits + 1 : bits + (bits & 1U);
            ASSERT_EQ(float_to_small_float(between, count), wanted) << between;
        }
    }
    EXPECT_EQ(float_to_small_float(1e30F, 16), 0x7c00U);
    EXPECT_EQ(float_to_small_float(-1e30F, 16), 0xfc00U);
    EXPECT_EQ(float_to_small_float(1e30F, 11), 0x7bfU); // finite stays finite
    EXPECT_EQ(float_to_small_float(HUGE_VALF, 11), 0x7c0U);
    EXPECT_EQ(float_to_small_float(-1, 11), 0U);
    EXPECT_EQ(float_to_small_float(-HUGE_VALF, 10), 0U);
    EXPECT_EQ(float_to_small_float(std::nanf(""), 10), 0x3ffU);
}

TEST(texture_number, srgb_is_the_two_part_curve)
{
    for (word bits = 0; bits < 256; ++bits) {
        const long double c = bits / 255.0L;
        const long double linear = c <= 0.04045L ? c / 12.92L : std::pow((c + 0.055L) / 1.055L, 2.4L);
        ASSERT_NEAR(srgb8_to_linear(bits), static_cast<double>(linear), 6e-8 * static_cast<double>(linear));
        ASSERT_NEAR(srgb_to_linear(static_cast<float>(c)), static_cast<double>(linear),
                    3e-7 * static_cast<double>(linear));
    }
    EXPECT_EQ(srgb8_to_linear(0), 0);
    EXPECT_EQ(srgb8_to_linear(255), 1);
}

} // namespace
} // namespace isbesim::test
