// SPDX-License-Identifier: Apache-2.0
// Small helpers for loops over the 32 lanes of a warp.
#pragma once

#include <cstddef>
#include <cstring>
#include <type_traits>
#include <utility>

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

/// The lane's bit if the condition holds, else 0. Has no branch, so that loops that collect such bits vectorise.
constexpr lane_mask bit_if(bool condition, unsigned lane)
{
    return lane_bit[lane] & (0U - word{condition});
}

inline constexpr per_lane<word> lane_numbers = detail::make_lane_numbers();

/// All ones for a lane of the mask, 0 for others.
constexpr word lane_on(lane_mask lanes, unsigned lane)
{
    return (lanes & lane_bit[lane]) == lane_bit[lane] ? ~word{0} : 0;
}

namespace detail {
using vector_register [[gnu::vector_size(32)]] = word;
} // namespace detail

/// clear_lanes() and copy_lanes() move whole registers. The compiler's own choice for blocks of this size is a string
/// instruction, which takes longer to start than all these moves take.
template <typename T>
inline void clear_lanes(per_lane<T>& values)
{
    constexpr detail::vector_register zero{};
    for (std::size_t i = 0; i < warp_lanes; i += sizeof zero / sizeof(T)) std::memcpy(&values[i], &zero, sizeof zero);
}
inline void copy_lanes(const word* source, word* to)
{
    detail::vector_register values;
    for (std::size_t i = 0; i < warp_lanes; i += sizeof values / sizeof(word)) {
        std::memcpy(&values, source + i, sizeof values);
        std::memcpy(to + i, &values, sizeof values);
    }
}

/// Sets `bits` in the values of the lanes of the mask.
inline void add_bits(per_lane<std::uint16_t>& values, lane_mask lanes, std::uint16_t bits)
{
    for (unsigned i = 0; i < warp_lanes; ++i)
        values[i] = static_cast<std::uint16_t>(values[i] | (bits & lane_on(lanes, i)));
}

/// lane_on of every lane, for loops in which the compiler would turn lane_on into a branch.
inline per_lane<word> lane_masks(lane_mask lanes)
{
    per_lane<word> masks;
    for (unsigned i = 0; i < warp_lanes; ++i) masks[i] = lane_on(lanes, i);
    return masks;
}

constexpr unsigned lane_count(lane_mask lanes)
{
    return bit_count(lanes);
}

/// Lanes 0 .. count - 1.
constexpr lane_mask first_lanes(unsigned count)
{
    return count < warp_lanes ? lane_bit[count] - 1U : all_lanes;
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

namespace detail {
template <typename F, std::size_t... lanes>
inline void call_with(F&& f, std::index_sequence<lanes...>)
{
    (f(static_cast<unsigned>(lanes)), ...);
}
} // namespace detail

/// Calls f(i) for all 32 lanes, unrolled: for steps that have to follow each other but take an instruction or two each.
template <typename F>
inline void for_all_lanes(F&& f)
{
    detail::call_with(f, std::make_index_sequence<warp_lanes>{});
}

/// Calls f(i) for every lane of the mask, lowest first.
template <typename F>
void for_each_lane(lane_mask lanes, F&& f)
{
    for (; lanes != 0; lanes &= lanes - 1) f(first_lane(lanes));
}

/// Highest first.
template <typename F>
void for_each_lane_down(lane_mask lanes, F&& f)
{
    for (; lanes != 0; lanes &= ~lane_bit[last_lane(lanes)]) f(last_lane(lanes));
}

/// Calls f with `value` as a compile-time constant: a loop over lanes in f is compiled once for each value.
template <typename F>
inline auto with_constant(bool value, F&& f)
{
    return value ? f(std::true_type{}) : f(std::false_type{});
}

/// True when all lanes of the mask, which is not 0, have one value.
inline bool all_equal(const per_lane<word>& values, lane_mask lanes)
{
    const word value = values[first_lane(lanes)];
    word difference = 0;
    for (unsigned i = 0; i < warp_lanes; ++i) difference |= (values[i] ^ value) & lane_on(lanes, i);
    return difference == 0;
}

} // namespace isbesim
