// SPDX-License-Identifier: Apache-2.0
#include "testbench/crosscheck/traffic/random_numbers.h"

#include <algorithm>

#include "tlm/vector_clones.h"

namespace isbesim::testbench {

namespace {

// Matsumoto and Nishimura's parameters of 64 bits, as the C++ standard has them ([rand.predef]).
constexpr std::size_t shift_size = 156;
constexpr std::uint64_t lower_mask = (std::uint64_t{1} << 31) - 1;
constexpr std::uint64_t xor_mask = 0xb5026f5aa96619e9U;

constexpr std::uint64_t twisted(std::uint64_t upper, std::uint64_t lower)
{
    const std::uint64_t joined = (upper & ~lower_mask) | (lower & lower_mask);
    return (joined >> 1) ^ ((std::uint64_t{0} - (joined & 1)) & xor_mask);
}

constexpr std::uint64_t tempered(std::uint64_t value)
{
    value ^= (value >> 29) & 0x5555555555555555U;
    value ^= (value << 17) & 0x71d67fffeda60000U;
    value ^= (value << 37) & 0xfff7eee000000000U;
    return value ^ (value >> 43);
}

} // namespace

mersenne_twister::mersenne_twister(std::uint64_t seed)
{
    state_[0] = seed;
    for (std::size_t i = 1; i < size; ++i)
        state_[i] = 6364136223846793005U * (state_[i - 1] ^ (state_[i - 1] >> 62)) + i;
}

void mersenne_twister::take(std::uint32_t* to, std::size_t count)
{
    while (count > 0) {
        if (next_ == size) renew();
        const std::size_t some = std::min(count, size - next_);
        std::copy_n(values_.data() + next_, some, to);
        next_ += some;
        to += some;
        count -= some;
    }
}

ISBESIM_LOGIC_CLONES
void mersenne_twister::renew()
{
    std::uint64_t* const state = state_.data();
    for (std::size_t i = 0; i < size - shift_size; ++i)
        state[i] = state[i + shift_size] ^ twisted(state[i], state[i + 1]);
    for (std::size_t i = size - shift_size; i < size - 1; ++i)
        state[i] = state[i - (size - shift_size)] ^ twisted(state[i], state[i + 1]);
    state[size - 1] = state[shift_size - 1] ^ twisted(state[size - 1], state[0]);
    for (std::size_t i = 0; i < size; ++i) values_[i] = static_cast<std::uint32_t>(tempered(state[i]) >> 32);
    next_ = 0;
}

} // namespace isbesim::testbench
