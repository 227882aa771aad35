// SPDX-License-Identifier: Apache-2.0
// Registers for values that live within one instruction of the text: a ring, so that consecutive instructions do not
// wait for each other's registers.
#pragma once

#include <array>

namespace isbesim::varying {

/// A register per component.
using component_registers = std::array<unsigned, 4>;

class scratch_pool {
public:
    /// More than any one instruction needs.
    static constexpr unsigned size = 64;

    explicit scratch_pool(unsigned first) : first_(first), next_(first) {}

    /// First of `count` consecutive registers; those taken longest ago are used again.
    unsigned take(unsigned count = 1, unsigned alignment = 1)
    {
        next_ = (next_ + alignment - 1) / alignment * alignment;
        if (next_ + count > first_ + size) next_ = first_;
        const unsigned result = next_;
        next_ += count;
        return result;
    }
    /// Where the next registers come from; going back there gives those taken since away.
    unsigned position() const { return next_; }
    void go_back(unsigned position) { next_ = position; }
    component_registers block() { return from(take(4, 4)); }
    /// Registers with the alignment of an address: every access to it is as wide as it can be.
    component_registers block_like(unsigned address) { return from(take(8, 4) + address / 4 % 4); }

private:
    static component_registers from(unsigned first) { return {first, first + 1, first + 2, first + 3}; }

    unsigned first_; ///< a multiple of 4
    unsigned next_;
};

} // namespace isbesim::varying
