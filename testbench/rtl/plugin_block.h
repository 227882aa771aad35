// SPDX-License-Identifier: Apache-2.0
// An rtl_block for the block of a plug-in.
#pragma once

#include <string>

#include "testbench/rtl/rtl_block.h"
#include "testbench/rtl/rtl_plugin.h"

namespace isbesim::testbench {

class plugin_block final : public rtl_block {
public:
    /// A block after reset. Unless `wave` is null, it shows the block's signals and must outlive the block. `start`:
    /// see rtl_plugin.h.
    explicit plugin_block(const isbesim_rtl_interface& plugin, waveform* wave = nullptr, std::uint32_t start = 0);
    ~plugin_block() override;
    /// The failure of the last block that had one, or empty. The results of its run may be written by then.
    static const std::string& final_failure();

    void set_reset(bool level) override { plugin_.set_reset(block_, level ? 1 : 0); }
    void offer(unsigned port, const warp_op& op) override;
    void withdraw(unsigned port) override { plugin_.withdraw(block_, port); }
    void set_response_ready(unsigned port, bool ready) override
    {
        plugin_.set_response_ready(block_, port, ready ? 1 : 0);
    }

    bool request_ready(unsigned port) const override { return plugin_.request_ready(block_, port) != 0; }
    bool response_valid(unsigned port) const override { return plugin_.response_valid(block_, port) != 0; }
    void read_response(unsigned port, warp_result& result) const override;

    void clock_before_start() override { plugin_.clock(block_); }
    void clock(std::uint64_t cycle) override;
    const char* failure() const override { return plugin_.failure(block_); }
    bool clocked_when_idle() const override { return clocked_when_idle_; }
    void idle_until(std::uint64_t cycle) override;

    /// A word of the storage, read without the pins; `address` is a multiple of 4 below the storage's size.
    word peek(word address) const;

private:
    const isbesim_rtl_interface& plugin_;
    waveform* wave_;
    bool clocked_when_idle_;
    isbesim_rtl_block* block_;
};

/// The request of an operation in the form of the interface; points into `op`.
isbesim_rtl_request rtl_request_of(const warp_op& op);
/// The same of a response.
isbesim_rtl_response rtl_response_of(warp_result& result);

} // namespace isbesim::testbench
