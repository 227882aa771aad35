// Small helpers for loops over the 32 lanes of a warp.
#pragma once

#include "models/attribute/bit_count.h"
#include "tlm/warp_op.h"

namespace isbesim {

namespace detail {
constexpr per_lane<word> make_lane_bits()
{
    per_lane<word> bits{};
    for (unsigned i = 0; i < warp_lanes; ++i) bits[i] = word{1} << i;
    return bits;
}
constexpr per_lane<word> make_lane_numbers()
{
    per_lane<word> numbers{};
    for (unsigned i = 0; i < warp_lanes; ++i) numbers[i] = i;
    return numbers;
}
} // namespace detail

/// Bit of each lane. `mask & lane_bit[i]` vectorises on every target, a shift by i does not.
inline constexpr per_lane<word> lane_bit = detail::make_lane_bits();

inline constexpr per_lane<word> lane_numbers = detail::make_lane_numbers();

/// All ones for a lane of the mask, 0 for others.
constexpr word lane_on(lane_mask lanes, unsigned lane)
{
    return (lanes & lane_bit[lane]) != 0 ? ~word{0} : 0;
}

constexpr unsigned lane_count(lane_mask lanes)
{
    return bit_count(lanes);
}

/// Lowest lane of a mask that is not 0.
constexpr unsigned first_lane(lane_mask lanes)
{
    return static_cast<unsigned>(__builtin_ctz(lanes));
}

/// Highest lane of a mask that is not 0.
constexpr unsigned last_lane(lane_mask lanes)
{
    return 31U - static_cast<unsigned>(__builtin_clz(lanes));
}

/// Calls f(i) for every lane of the mask, lowest first.
template <typename F>
void for_each_lane(lane_mask lanes, F&& f)
{
    for (; lanes != 0; lanes &= lanes - 1) f(first_lane(lanes));
}

/// True when all lanes of the mask, which is not 0, have one value.
inline bool all_equal(const per_lane<word>& values, lane_mask lanes)
{
    const word value = values[first_lane(lanes)];
    word difference = 0;
    for (unsigned i = 0; i < warp_lanes; ++i) difference |= (values[i] ^ value) & lane_on(lanes, i);
    return difference == 0;
}

/// Calls f(lanes) for every group of lanes whose value is the same: once for the uniform address of usual code.
template <typename F>
void for_each_group(const per_lane<word>& values, lane_mask lanes, F&& f)
{
    while (lanes != 0) {
        const word value = values[first_lane(lanes)];
        lane_mask same = 0;
        for (unsigned i = 0; i < warp_lanes; ++i) same |= values[i] == value ? lane_bit[i] : 0;
        f(same & lanes);
        lanes &= ~same;
    }
}

} // namespace isbesim
