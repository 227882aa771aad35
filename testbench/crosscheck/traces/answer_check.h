// SPDX-License-Identifier: Apache-2.0
// The check of a replay: its responses are the recorded ones.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "models/machine_config.h"
#include "testbench/crosscheck/traces/trace.h"
#include "testbench/crosscheck/traces/trace_reader.h"
#include "testbench/crosscheck/traffic/operation_answer.h"
#include "tlm/ring.h"

namespace isbesim::testbench {

/// A response that is not the recorded one.
struct other_answer {
    std::uint64_t number = 0; ///< of the operation in the trace
    unsigned port = 0;
    std::uint64_t cycle = 0;
    warp_op op;
    warp_result result;
};

/// How the response differs from the recorded one: words, status and error, their kinds in the first line. A trace has
/// only digests of its responses, so this executes its operations on its machine, `config`.
std::string describe_answer(const trace_file& trace, const isbe_config& config, const other_answer& got);

/// Compares the responses of each port, in their order, with the recorded ones.
class answer_check {
public:
    /// Operation `number` of the trace is the next one sent to `port`; `answer` is its recorded response.
    void expect(unsigned port, std::uint64_t number, const operation_answer& answer);
    /// The oldest expected operation of `port` has responded.
    void responded(unsigned port, const warp_op& op, const warp_result& result, std::uint64_t cycle);

    std::uint64_t differences() const { return differences_; }
    /// Description of the first difference: the operation, its cycle and both answers.
    const std::string& mismatch_report() const { return mismatch_report_; }
    const std::optional<other_answer>& first_difference() const { return first_difference_; }

private:
    struct expectation {
        std::uint64_t number = 0;
        operation_answer answer;
    };

    std::array<ring<expectation>, max_trace_ports> expected_;
    std::uint64_t differences_ = 0;
    std::string mismatch_report_;
    std::optional<other_answer> first_difference_;
};

} // namespace isbesim::testbench
