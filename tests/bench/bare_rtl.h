// SPDX-License-Identifier: Apache-2.0
// The Verilated RTL alone: no SystemC, no waveform, only the plug-in's C interface between the trace and the pins.
#pragma once

#include <memory>

#include "tests/bench/packed_trace.h"
#include "tests/bench/replayers.h"

namespace isbesim::test {

/// The RTL of the default machine. Responses are taken and counted, their data not looked at.
class bare_rtl {
public:
    bare_rtl();
    ~bare_rtl();

    /// Plays the trace on all ports until everything has responded; the number of clock cycles that took. A block with
    /// nothing in flight is not clocked.
    std::uint64_t play(const packed_trace& trace, pace how);

private:
    struct block;
    std::unique_ptr<block> block_;
};

} // namespace isbesim::test
