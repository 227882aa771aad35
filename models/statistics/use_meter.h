// SPDX-License-Identifier: Apache-2.0
// Counts the cycles that a resource spends in each of several uses.
#pragma once

#include <cstdint>

#include "tlm/enum_table.h"

namespace isbesim {

/// Needs an update() at every change of use. Begins in cycle 0 with `first`.
template <auto last>
class use_meter {
public:
    using use = decltype(last);

    explicit use_meter(use first) : current_(first) {}

    /// From cycle `now` on the use is `next`.
    void update(std::uint64_t now, use next)
    {
        cycles_[current_] += now - since_;
        since_ = now;
        current_ = next;
    }
    /// Cycles before `now`, by use.
    enum_array<last, std::uint64_t> cycles(std::uint64_t now) const
    {
        auto result = cycles_;
        result[current_] += now - since_;
        return result;
    }

private:
    enum_array<last, std::uint64_t> cycles_;
    use current_;
    std::uint64_t since_ = 0;
};

} // namespace isbesim
