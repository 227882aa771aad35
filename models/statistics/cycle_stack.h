// SPDX-License-Identifier: Apache-2.0
// Accounts for all cycles of one resource.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace isbesim {

/// The parts add up to `cycles`: no cycle is missing and none counts twice.
struct cycle_stack {
    struct part {
        const char* name;
        std::uint64_t cycles;
    };

    std::string resource;
    std::uint64_t cycles = 0; ///< from cycle 0 on
    unsigned busy_parts = 1;  ///< number of leading parts that are work; the others are reasons for idling
    std::vector<part> parts{};
    const char* lines_key = ""; ///< of a stage that waits: the configuration key of the lines that it lacks first

    std::uint64_t busy() const
    {
        std::uint64_t sum = 0;
        for (unsigned i = 0; i < busy_parts; ++i) sum += parts[i].cycles;
        return sum;
    }
};

} // namespace isbesim
