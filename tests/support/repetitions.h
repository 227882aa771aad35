// SPDX-License-Identifier: Apache-2.0
// How much of a long loop runs: where ISBESIM_SHARE is N, one in N random inputs and cases of exhaustive loops.
// scripts/test runs a tenth without --all. CI runs all on one release, and a tenth under the sanitizers and on the
// other release; ISBESIM_SHARE_SEED, the commit, chooses which.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>

namespace isbesim {

inline std::uint64_t variable_or(const char* name, std::uint64_t value)
{
    const char* text = std::getenv(name);
    return text == nullptr ? value : std::strtoull(text, nullptr, 0);
}

/// The number of repetitions of a test with random inputs.
inline unsigned repetitions(unsigned all)
{
    const auto divisor = std::max<std::uint64_t>(variable_or("ISBESIM_SHARE", 1), 1);
    return static_cast<unsigned>((all + divisor - 1) / divisor);
}

/// Chooses cases of an exhaustive loop: each call is a case.
class share {
public:
    bool skips_next()
    {
        if (divisor_ <= 1) return false;
        // splitmix64: neighbouring cases are independent, whatever the strides of the loops are.
        std::uint64_t x = state_ += 0x9e3779b97f4a7c15;
        x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
        x = (x ^ x >> 27) * 0x94d049bb133111eb;
        return (x ^ x >> 31) % divisor_ != 0;
    }

private:
    std::uint64_t divisor_ = variable_or("ISBESIM_SHARE", 1), state_ = variable_or("ISBESIM_SHARE_SEED", 0);
};

} // namespace isbesim
