// SPDX-License-Identifier: Apache-2.0
// A program issued from its first to its last instruction by its control words alone, as if no branch were taken.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "models/isa/latency.h"
#include "models/isa/text/text.h"
#include "models/sm/scoreboards.h"
#include "models/sm/warnings/register_hazards.h"

namespace isbesim {

/// The instructions that use or overwrite a register too early.
inline std::vector<std::string> hazards_of(const isa::program& code)
{
    constexpr std::uint64_t tracked_latency = 24, read_release = 8;
    register_hazards registers;
    scoreboards boards;
    std::uint64_t now = 1;
    std::vector<std::string> found;
    for (const auto& each : code.code) {
        const auto& info = each.issue;
        now = std::max(now, boards.free_at(each.control.wait_mask));
        const bool fixed = isa::has_fixed_latency(info);
        const std::uint64_t ready = now + (fixed ? isa::result_latency(info) : tracked_latency);
        const unsigned number = registers.check(info, now, ready, false);
        if (number != register_hazards::none)
            found.push_back(std::to_string(each.address) + " " + isa::instruction_text(each) + ": " +
                            std::to_string(number));
        registers.issued(info, now);
        if (!fixed) registers.set_ready(info, ready);
        boards.hold_until(each.control.write_barrier, ready);
        boards.hold_until(each.control.read_barrier, now + read_release);
        // What follows an unconditional branch is reached from elsewhere.
        if (info.latency == isa::latency_class::control && each.guard == isa::predicate_true && !each.guard_not)
            registers.reset();
        now += std::max<unsigned>(1, each.control.stall);
    }
    return found;
}

} // namespace isbesim
