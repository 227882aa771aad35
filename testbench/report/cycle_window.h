// SPDX-License-Identifier: Apache-2.0
// The cycles of a run to record.
#pragma once

#include <cstdint>

namespace isbesim::testbench {

/// Both bounds are inclusive.
struct cycle_window {
    std::uint64_t first = 0;
    std::uint64_t last = UINT64_MAX;

    bool contains(std::uint64_t cycle) const { return first <= cycle && cycle <= last; }
    /// True if cycles `from` to `to` lie at least partly inside.
    bool overlaps(std::uint64_t from, std::uint64_t to) const { return from <= last && first <= to; }
};

} // namespace isbesim::testbench
