// SPDX-License-Identifier: Apache-2.0
// Compares the responses of a replay with the recorded responses.
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
    /// Operation `number` of the trace is the next one sent to `port`; `answer` is its recorded response.
    void expect(unsigned port, std::uint64_t number, const operation_answer& answer);
    /// The oldest expected operation of `port` has responded.
    void responded(unsigned port, const warp_op& op, const warp_result& result, std::uint64_t cycle);

    std::uint64_t compared() const { return compared_; }
    std::uint64_t differences() const { return differences_; }
    /// Description of the first difference: the operation, its cycle and both answers.
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
