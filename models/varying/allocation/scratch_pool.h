// SPDX-License-Identifier: Apache-2.0
// Registers for values that are used within one instruction of the text. They form a ring, so that consecutive
// instructions do not wait for each other's registers.
#pragma once

#include <array>
#include <vector>

#include "tlm/rounded_up.h"

namespace isbesim::varying {

/// A register per component.
using component_registers = std::array<unsigned, 4>;

class scratch_pool {
public:
    /// More than any one instruction needs.
    static constexpr unsigned size = 64;

    explicit scratch_pool(unsigned first) : first_(first), next_(first) {}

    /// First of `count` consecutive registers; the least recently taken are reused.
    unsigned take(unsigned count = 1, unsigned alignment = 1)
    {
        next_ = rounded_up(next_, alignment);
        if (next_ + count > first_ + size) next_ = first_;
        const unsigned result = next_;
        next_ += count;
        return result;
    }
    /// The next register to take; go_back() to it releases all registers taken since.
    unsigned position() const { return next_; }
    void go_back(unsigned position) { next_ = position; }
    component_registers block() { return four_from(take(4, 4)); }
    /// Registers at the address's place in its vector of four, so that accesses to it can be as wide as possible.
    component_registers block_like(unsigned address) { return four_from(take(8, 4) + address / 4 % 4); }

private:
    static component_registers four_from(unsigned first) { return {first, first + 1, first + 2, first + 3}; }

    unsigned first_; ///< a multiple of 4
    unsigned next_;
};

/// An access to `words` components from `component` on.
struct access_run {
    unsigned component;
    unsigned words;
};

/// Whether an access of `words` words may begin at this scalar address or register; three words need the alignment of
/// four (HARDWARE.md B.4).
bool is_aligned(unsigned words, unsigned scalar);

/// Divides the components of `mask` into accesses as wide as the alignment of the address (in scalars) and of the
/// registers allows. No access crosses a boundary of four scalars, as low address bits are dropped (HARDWARE.md B.4).
std::vector<access_run> runs_of(unsigned mask, unsigned scalar, const component_registers& where);

} // namespace isbesim::varying
