// SPDX-License-Identifier: Apache-2.0
#include "models/pe/tessellation/edge_division.h"

namespace isbesim {

namespace {

constexpr fixed one_half = fixed_one / 2;

constexpr unsigned floor_of(fixed value)
{
    return value / fixed_one;
}
constexpr unsigned ceiling_of(fixed value)
{
    return (value + fixed_one - 1) / fixed_one;
}

/// 1 / n, rounded to nearest.
constexpr fixed reciprocal(unsigned n)
{
    return (fixed_one + n / 2) / n;
}

constexpr unsigned without_highest_bit(unsigned value)
{
    unsigned bit = 1;
    while (bit <= value / 2) bit *= 2;
    return value == 0 ? 0 : value - bit;
}

} // namespace

edge_division::edge_division(fixed level, bool odd) : odd_(odd)
{
    auto half = (level + 1) / 2;
    if (odd || half == one_half) half += one_half;
    const auto below = floor_of(half);
    half_ = ceiling_of(half);
    fraction_ = half - below * fixed_one;
    if (half_ != below) {
        // New points appear where a ruler has its next finer marks, from the end of the edge to the middle.
        if (!odd)
            split_ = 2 * without_highest_bit(below) + 1;
        else
            split_ = below == 1 ? 0 : 2 * without_highest_bit(below - 1) + 1;
    }
    smaller_ = reciprocal(2 * below - (odd ? 1 : 0));
    larger_ = reciprocal(2 * half_ - (odd ? 1 : 0));
}

fixed edge_division::position(unsigned point) const
{
    const auto mirrored = point >= half_;
    if (mirrored) point = 2 * half_ - point - (odd_ ? 1 : 0);
    if (point == half_) return one_half; // the sums of rounded segments may miss it
    const auto before = point > split_ ? point - 1 : point;
    const auto sum =
        std::uint64_t{before} * smaller_ * (fixed_one - fraction_) + std::uint64_t{point} * larger_ * fraction_;
    const auto place = static_cast<fixed>((sum + one_half) / fixed_one);
    return mirrored ? fixed_one - place : place;
}

unsigned split_order(unsigned place)
{
    if (place == 1) return 32; // the last one: only level 64 has 32 segments in a half
    unsigned mark = place - 1, level = 16;
    while (mark % 2 == 0) {
        mark /= 2;
        level /= 2;
    }
    return level + mark / 2;
}

} // namespace isbesim
