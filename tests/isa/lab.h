// SPDX-License-Identifier: Apache-2.0
// Runs program text on one warp and looks at the registers.
#pragma once

#include <random>
#include <string>

#include "models/isa/execution/executor.h"
#include "models/isa/text/text.h"
#include "tlm/float_bits.h"

namespace isbesim::isa {

using words = per_lane<word>;

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

    words& operator[](unsigned index) { return warp.registers[index]; }

    void fill(unsigned index, word value) { warp.registers[index].fill(value); }

    /// Runs to the end; throws after `limit` instructions.
    lab& run(unsigned limit = 10000)
    {
        while (!warp.finished()) {
            if (limit-- == 0) throw std::runtime_error("the program does not end");
            last = execute(warp, op, rules);
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

/// Random words with the awkward ones among them.
inline words awkward_words(std::mt19937& random)
{
    static constexpr word special[] = {0,          1,      2,      0xffffffff, 0x80000000,
                                       0x7fffffff, 0x8000, 0xffff, 0x10000,    0xffff8000};
    words result;
    for (auto& w : result) w = random() % 3 == 0 ? special[random() % 10] : static_cast<word>(random());
    return result;
}

/// A half float in units of 2^-24. Finite halves only.
inline std::int64_t units(word half)
{
    const std::int64_t fraction = half & 0x3ff, exponent = half >> 10 & 0x1f;
    const std::int64_t magnitude = exponent == 0 ? fraction : (fraction + 1024) << (exponent - 1);
    return (half & 0x8000U) != 0 ? -magnitude : magnitude;
}

} // namespace isbesim::isa
