// Random numbers of generated traffic.
#pragma once

#include <cstdint>
#include <random>

namespace isbesim::testbench {

/// Deterministic on every platform: distributions of the standard library are not, so only the engine is used.
class random_numbers {
public:
    explicit random_numbers(std::uint64_t seed) : engine_(seed) {}
    std::uint32_t bits() { return static_cast<std::uint32_t>(engine_() >> 32); }
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
    std::mt19937_64 engine_;
};

} // namespace isbesim::testbench
