// What a run says of another machine (tlm/cause_join.h), made one number: the cycles there, or a bound of them.
#pragma once

#include <cstdint>
#include <optional>

namespace isbesim::testbench {

/// Of the draw on another machine, from the run on this one.
struct predicted_cycles {
    std::uint64_t cycles = 0;
    bool at_least = false;
};

/// All in cycles of the draw.
struct machine_times {
    std::uint64_t own = 0;     ///< on the machine that ran
    std::uint64_t ordered = 0; ///< on the other one, when everything happens in the order of this run
    /// ... when nothing waits for what another warp does, and no resource works less than it has to; empty: the change
    /// leaves no choice of order.
    std::optional<std::uint64_t> unordered;
    bool freed = false;      ///< warps find room there for which they wait here
    bool incomplete = false; ///< something that is waited for there happens too late here to be known
};

/// The truth is between `unordered` and `ordered`. Where these are far apart and the change moves something, another
/// order, and so another path, decides: then, and where the times are incomplete, it is a bound.
predicted_cycles predict(const machine_times& times);

} // namespace isbesim::testbench
