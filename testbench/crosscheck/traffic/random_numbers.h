// SPDX-License-Identifier: Apache-2.0
// Random numbers of generated traffic.
#pragma once

#include <cstdint>

#include "testbench/crosscheck/traffic/mersenne_twister.h"
#include "tlm/warp_op.h"

namespace isbesim::testbench {

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
