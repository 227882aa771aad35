// SPDX-License-Identifier: Apache-2.0
// Random numbers of generated traffic.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "tlm/warp_op.h"

namespace isbesim::testbench {

/// The upper halves of the numbers of std::mt19937_64 for the same seed, three times as fast: loops that vectorise
/// renew the state, 312 numbers at a time, and the lower halves are never computed.
class mersenne_twister {
public:
    explicit mersenne_twister(std::uint64_t seed);
    std::uint32_t operator()()
    {
        if (next_ == size) renew();
        return values_[next_++];
    }

    /// The next `count` numbers.
    void take(std::uint32_t* to, std::size_t count);

private:
    static constexpr std::size_t size = 312;
    void renew();

    std::array<std::uint64_t, size> state_;
    std::array<std::uint32_t, size> values_; ///< unused from next_ on
    std::size_t next_ = size;
};

/// Deterministic on every platform: distributions of the standard library are not.
class random_numbers {
public:
    explicit random_numbers(std::uint64_t seed) : engine_(seed) {}
    std::uint32_t bits() { return engine_(); }
    /// One bits() for each lane.
    void fill(per_lane<word>& values) { engine_.take(values.data(), values.size()); }
    /// Uniform in [0, n), n >= 1.
    std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>((std::uint64_t{bits()} * n) >> 32); }
    /// Uniform in [low, high].
    std::int32_t between(std::int32_t low, std::int32_t high)
    {
        return low + static_cast<std::int32_t>(below(static_cast<std::uint32_t>(high - low) + 1));
    }
    /// True `percent` times of 100.
    bool chance(std::uint32_t percent) { return below(100) < percent; }

private:
    mersenne_twister engine_;
};

} // namespace isbesim::testbench
