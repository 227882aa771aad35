// SPDX-License-Identifier: Apache-2.0
// One ISBE in RTL with its pins, without SystemC: offer requests, read the ready and valid pins, clock it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "models/machine_config.h"
#include "tlm/warp_op.h"

namespace isbesim::testbench {

/// The pins show the cycle that the last clock() (or reset) started. The edge of clock() samples the inputs set before
/// it; no output may depend on an input of the same cycle (micro-architecture section 2: valid never waits for ready,
/// and ready shows the state of a queue).
class rtl_block {
public:
    virtual ~rtl_block() = default;

    /// Drives rst.
    virtual void set_reset(bool level) = 0;
    /// Drives req_valid and the request payload of a port until withdraw().
    virtual void offer(unsigned port, const warp_op& op) = 0;
    virtual void withdraw(unsigned port) = 0;
    /// Drives resp_ready.
    virtual void set_response_ready(unsigned port, bool ready) = 0;

    virtual bool request_ready(unsigned port) const = 0;
    virtual bool response_valid(unsigned port) const = 0;
    /// The response on the pins; defined while response_valid().
    virtual void read_response(unsigned port, warp_result& result) const = 0;

    /// A rising edge before cycle 0, which no waveform shows.
    virtual void clock_before_start() = 0;
    /// The rising edge that ends the current cycle, which is number `cycle` on the time line of a waveform.
    virtual void clock(std::uint64_t cycle) = 0;
    /// The first failures of the block (`failure` of rtl_plugin.h), one line each; null without one.
    virtual const char* failure() const { return nullptr; }
    /// True if the state of the block may change in idle cycles, so that it needs a clock in every cycle.
    virtual bool clocked_when_idle() const { return false; }
    /// The block is not clocked before `cycle`; for the waveform.
    virtual void idle_until(std::uint64_t /*cycle*/) {}
};

class waveform;

/// The RTL of exactly this configuration, with its signals in `wave` unless that is null. Uses the plug-in of
/// rtl_store.h, which builds a missing one. Throws std::invalid_argument if that is not possible.
std::unique_ptr<rtl_block> require_rtl_block(const isbe_config& config, waveform* wave = nullptr);

using rtl_block_maker = std::function<std::unique_ptr<rtl_block>(const isbe_config&, waveform*)>;

/// The same, with `start` of rtl_plugin.h for the registers before the first reset.
rtl_block_maker rtl_blocks_from(std::uint32_t start);

} // namespace isbesim::testbench
