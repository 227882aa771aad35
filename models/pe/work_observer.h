// SPDX-License-Identifier: Apache-2.0
// Observer interface of the PE, for what its accesses wait for; costs one null check when unused.
#pragma once

#include <cstdint>

namespace isbesim {

/// Accesses that the PE queues at one place in one cycle, for one warp.
struct pe_act {
    unsigned sm = 0;
    std::uint32_t task = 0;
    std::uint64_t cycle = 0;
    std::uint64_t writes = 0; ///< number of its first write or BIND on that port,
    std::uint64_t reads = 0;  ///< ... and of its first read
};

/// `task` is the index of a warp, which the PE uses again; a warp has it until its last act.
class work_observer {
public:
    virtual ~work_observer() = default;

    // What happens now. Everything until the next of these follows from it.

    /// The fetch that was begun last is over.
    virtual void fetched() = 0;
    /// The accesses of fenced() have responded.
    virtual void answered(unsigned sm, std::uint32_t task) = 0;
    /// The warp has ended on the SM.
    virtual void ended(unsigned sm, unsigned slot) = 0;

    // What the PE does then.

    /// Fetches the next batch, which takes so many cycles.
    virtual void fetches(std::uint64_t cycles) = 0;
    /// There is a warp, which waits for space from now on.
    virtual void created(std::uint32_t task) = 0;
    /// It has got its space; an act follows.
    virtual void begins(std::uint32_t task) = 0;
    virtual void acts(const pe_act& act) = 0;
    /// The warp goes on when access `last`, counted like those of an act, has responded.
    virtual void fenced(unsigned sm, std::uint32_t task, bool reads, std::uint64_t last) = 0;
};

} // namespace isbesim
