// SPDX-License-Identifier: Apache-2.0
// Runs program text on one warp; tests set and read its registers.
#pragma once

#include <random>
#include <string>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>

#include "models/isa/execution/executor.h"
#include "models/isa/text/text.h"
#include "tlm/float_bits.h"
#include "tlm/warp_op.h"

namespace isbesim::isa {

using words = per_lane<word>;
using word_list = std::vector<word>;

/// Random words, a third of them boundary values.
inline words awkward_words(std::mt19937& random)
{
    static constexpr word special[] = {0,          1,      2,      0xffffffff, 0x80000000,
                                       0x7fffffff, 0x8000, 0xffff, 0x10000,    0xffff8000};
    words result;
    for (auto& w : result) w = random() % 3 == 0 ? special[random() % 10] : static_cast<word>(random());
    return result;
}

/// A warp with registers R0..R63 to fill before the program runs. The program gets an EXIT at its end.
class lab {
public:
    explicit lab(const std::string& text, lane_mask lanes = all_lanes, std::size_t local_bytes = 0,
                 architecture arch = architecture::sm50)
        : code(assemble(text + "\nEXIT;", arch))
    {
        code.register_count = 64;
        warp.constants = &constants;
        warp.launch(code, lanes, local_bytes);
    }

    lab(const std::string& text, architecture arch) : lab(text, all_lanes, 0, arch) {}

    words& operator[](unsigned index) { return warp.registers[index]; }
    /// 64 bits in two registers.
    std::uint64_t pair(unsigned first, unsigned lane) const
    {
        return std::uint64_t{warp.registers[first + 1][lane]} << 32 | warp.registers[first][lane];
    }
    /// A lane's values of consecutive registers.
    word_list values(unsigned first, unsigned count, unsigned lane) const
    {
        word_list result;
        for (unsigned r = first; r < first + count; ++r) result.push_back(warp.registers[r][lane]);
        return result;
    }
    /// Values of consecutive uniform registers.
    word_list uniform(unsigned first, unsigned count) const
    {
        const auto begin = warp.uniform.begin() + first;
        return {begin, begin + count};
    }

    void fill(unsigned index, word value) { warp.registers[index].fill(value); }
    /// Fills consecutive registers.
    lab& fill(unsigned first, std::initializer_list<word> all)
    {
        for (const word value : all) fill(first++, value);
        return *this;
    }
    void fill_pair(unsigned first, std::uint64_t value)
    {
        fill(first, {static_cast<word>(value), static_cast<word>(value >> 32)});
    }
    void set_pair(unsigned first, std::size_t lane, std::uint64_t value)
    {
        (*this)[first][lane] = static_cast<word>(value);
        (*this)[first + 1][lane] = static_cast<word>(value >> 32);
    }
    /// Fills the registers from `first` to `final`.
    void fill_awkward(unsigned first, unsigned final, unsigned seed)
    {
        std::mt19937 random{seed};
        for (unsigned r = first; r <= final; ++r) (*this)[r] = awkward_words(random);
    }

    /// One step of the program.
    step issue() { return execute(warp, op, rules); }
    /// Runs to the end; calls `look` with the address of each instruction before its issue.
    template <typename Function>
    void watch(Function look)
    {
        while (!warp.finished()) {
            look(code.code[code.index_of(warp.pc)].address);
            issue();
        }
    }

    /// Runs to the end; throws after `limit` instructions.
    lab& run(unsigned limit = 10000)
    {
        while (!warp.finished()) {
            if (limit-- == 0) throw std::runtime_error("the program does not end");
            last = issue();
            if (last.kind == step_kind::trap) break;
        }
        return *this;
    }

    program code;
    constant_banks constants;
    warp_state warp;
    warp_op op;
    execution_rules rules;
    step last;
};

/// Runs `text` on awkward words in R0, R1 and R2; R3 must be `expected` of the first one, two or three of them.
template <typename Function>
void check(const std::string& text, Function expected, architecture arch = architecture::sm50)
{
    std::mt19937 random{20240607};
    for (int round = 0; round < 20; ++round) {
        lab bench(text, arch);
        for (unsigned r = 0; r < 3; ++r) bench[r] = awkward_words(random);
        const words a = bench[0], b = bench[1], c = bench[2];
        bench.run();
        const auto expected_word = [&](unsigned i) {
            if constexpr (std::is_invocable_v<Function, word>)
                return static_cast<word>(expected(a[i]));
            else if constexpr (std::is_invocable_v<Function, word, word>)
                return static_cast<word>(expected(a[i], b[i]));
            else
                return static_cast<word>(expected(a[i], b[i], c[i]));
        };
        for (unsigned i = 0; i < warp_lanes; ++i)
            ASSERT_EQ(bench[3][i], expected_word(i))
                << text << " of " << std::hex << a[i] << " " << b[i] << " " << c[i];
    }
}

/// A half float in units of 2^-24. Finite halves only.
inline std::int64_t units(word half)
{
    const std::int64_t fraction = half & 0x3ff, exponent = half >> 10 & 0x1f;
    const std::int64_t magnitude = exponent == 0 ? fraction : (fraction + 1024) << (exponent - 1);
    return (half & 0x8000U) != 0 ? -magnitude : magnitude;
}

__extension__ using wide_integer = __int128; // products of three halves have 80 bits

/// The half nearest to value * 2^-(24 + scale), even at a tie; found by search, not by shifting.
inline word nearest_half(wide_integer value, unsigned scale = 0)
{
    const word sign = value < 0 ? 0x8000U : 0U;
    const wide_integer magnitude = value < 0 ? -value : value;
    // 0x7c00 stands for 2^16; values from half way between the largest half and it become infinite.
    word low = 0, high = 0x7c00;
    const auto scaled = [&](word half) {
        return (half == 0x7c00 ? wide_integer{1} << 40 : wide_integer{units(half)}) << scale;
    };
    if (magnitude >= scaled(high)) return sign | 0x7c00U;
    while (high - low > 1) {
        const word middle = (low + high) / 2;
        (scaled(middle) <= magnitude ? low : high) = middle;
    }
    const wide_integer below = magnitude - scaled(low), above = scaled(high) - magnitude;
    return sign | (below < above || (below == above && low % 2 == 0) ? low : high);
}

// Common to the tests of SM75's registers.

inline lab turing(const std::string& text, lane_mask lanes = all_lanes)
{
    return lab(text, lanes, 64, architecture::sm75);
}

/// A bench with R1..R5 full of awkward numbers.
inline lab with_numbers(const std::string& text, unsigned seed, lane_mask lanes = all_lanes)
{
    lab bench = turing(text, lanes);
    bench.fill_awkward(1, 5, seed);
    return bench;
}

inline std::int64_t as_signed(word value)
{
    return static_cast<std::int32_t>(value);
}

// About half of the lanes, in no regular pattern: tests that the other lanes keep their values.

inline constexpr lane_mask some = 0x9e37'79b9U;

inline bool in_some(unsigned lane)
{
    return (some >> lane & 1U) != 0;
}

} // namespace isbesim::isa
