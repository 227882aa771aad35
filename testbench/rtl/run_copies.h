// SPDX-License-Identifier: Apache-2.0
// Copies of a run in lockstep, which show a difference without another simulation from the start: every 20,000 cycles
// the process forks and the copy sleeps; the last two copies are kept. When the comparison fails, the youngest copy
// from before the difference continues, writes the waveform around the difference, and ends.
//
// A copy costs the memory pages that the run changes afterwards; there are at most two. They end with the run, however
// it ends.
#pragma once

#include <cstdint>
#include <deque>

#include <sys/types.h>

#include "testbench/rtl/waveform.h"
#include "tlm/transaction_observer.h"

namespace isbesim::testbench {

class run_copies : public transaction_observer {
public:
    static constexpr std::uint64_t interval = 20'000; ///< cycles between copies
    static constexpr std::size_t kept = 2;

    /// `wave` shows nothing (waveform::nothing) until a copy wakes up. Attach this to the ISBE after the comparison. A
    /// run with threads, or with files that it writes and reads back, can't have copies.
    explicit run_copies(waveform& wave);
    ~run_copies() override;
    run_copies(const run_copies&) = delete;
    run_copies& operator=(const run_copies&) = delete;

    void end_response(std::uint64_t id, unsigned port, std::uint64_t cycle) override;

    /// After the simulation: a copy that was woken up closes the waveform and exits here.
    void end_of_run();
    /// Wakes up the youngest copy from before `cycle` and waits for it. False if there is no such copy (the difference
    /// is in the first cycles), or if it fails.
    bool show_from(std::uint64_t cycle);

private:
    struct copy {
        std::uint64_t cycle = 0;
        pid_t process = 0;
        int wake = -1; ///< a byte wakes it up, the end of the pipe ends it
    };
    void take(std::uint64_t cycle);
    void sleep(int wake, std::uint64_t cycle);
    static void end(const copy& which);

    waveform& wave_;
    std::deque<copy> copies_; ///< the oldest first
    std::uint64_t due_ = 0;
    bool awake_ = false; ///< this is a copy that was woken up
};

} // namespace isbesim::testbench
