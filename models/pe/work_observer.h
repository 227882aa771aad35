// SPDX-License-Identifier: Apache-2.0
// Observer interface of the PE for the events that its accesses wait for; costs one null check when unused.
#pragma once

#include <cstdint>

namespace isbesim {

/// Accesses that the PE queues at one place in one cycle, for one warp.
struct pe_act {
    unsigned sm = 0;
    std::uint32_t task = 0;
    std::uint64_t cycle = 0;
    std::uint64_t writes = 0; ///< number of its first write or BIND on that port
    std::uint64_t reads = 0;  ///< number of its first read on that port
};

/// `task` is the index of a warp, which the PE reuses after the last act of that warp.
class work_observer {
public:
    virtual ~work_observer() = default;

    // Events. The actions of the PE until the next event follow from it.

    /// The last fetch has ended.
    virtual void fetched() = 0;
    /// The accesses of fenced() have responded.
    virtual void answered(unsigned sm, std::uint32_t task) = 0;
    /// The warp has ended on the SM.
    virtual void ended(unsigned sm, unsigned slot) = 0;

    // Actions of the PE after an event.

    /// Begins to fetch the next batch, which takes `cycles` cycles.
    virtual void fetches(std::uint64_t cycles) = 0;
    /// A warp was created, which waits for space from now on.
    virtual void created(std::uint32_t task) = 0;
    /// The warp has got its space; an act follows.
    virtual void begins(std::uint32_t task) = 0;
    virtual void acts(const pe_act& act) = 0;
    /// The warp continues when access `last`, counted like those of an act, has responded.
    virtual void fenced(unsigned sm, std::uint32_t task, bool reads, std::uint64_t last) = 0;
};

} // namespace isbesim
