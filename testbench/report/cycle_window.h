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
    /// True if cycles `begin` to `end` lie at least partly inside.
    bool overlaps(std::uint64_t begin, std::uint64_t end) const { return begin <= last && first <= end; }
};

} // namespace isbesim::testbench
