// SPDX-License-Identifier: Apache-2.0
// Compares what operations of a replay respond with what they responded when they were recorded.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "testbench/crosscheck/traces/trace.h"
#include "testbench/crosscheck/traffic/operation_answer.h"
#include "tlm/ring.h"

namespace isbesim::testbench {

class answer_check {
public:
    /// Operation `number` of the trace, the next one that `port` is asked for, responded with this.
    void expect(unsigned port, std::uint64_t number, const operation_answer& answer);
    /// The oldest operation of `port` that was expected has responded.
    void responded(unsigned port, const warp_op& op, const warp_result& result, std::uint64_t cycle);

    std::uint64_t compared() const { return compared_; }
    std::uint64_t differences() const { return differences_; }
    /// The first difference in words: which operation, when, and both answers.
    const std::string& mismatch_report() const { return mismatch_report_; }

private:
    struct expectation {
        std::uint64_t number = 0;
        operation_answer answer;
    };

    std::array<ring<expectation>, max_trace_ports> expected_;
    std::uint64_t compared_ = 0;
    std::uint64_t differences_ = 0;
    std::string mismatch_report_;
};

} // namespace isbesim::testbench
