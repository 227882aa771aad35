// SPDX-License-Identifier: Apache-2.0
#include "testbench/load/load_meter.h"

#include <algorithm>

#include "testbench/load/load_operations.h"

namespace isbesim::testbench {

void load_meter::responded(unsigned port, const warp_op& op, const warp_result& result, const transaction_times& times,
                           std::uint64_t arrival)
{
    constexpr std::uint64_t progress_step = 512;
    end_ = times.response;
    at_port_[static_cast<unsigned>(op.op)].add(times.response - times.begin_request);
    if (op.op == opcode::bind) { // comes before all other operations
        first_ = times.response;
        return;
    }
    const bool measured = responded_ >= warmup_ && !done();
    ++responded_;
    if (progress && responded_ % progress_step == 0) progress(responded_);
    if (result.error != op_error::none) ++errors_;
    if (responded_ == warmup_) first_ = times.response;
    auto& seen = spans_[port];
    if (seen.first_response == 0) seen = {0, arrival, times.response, arrival, times.response};
    if (measured) last_ = times.response;
    in_flight_cycles_ += measured_cycles(arrival, times.response);
    in_block_cycles_ += measured_cycles(times.begin_request, times.response);
    if (!measured) return;
    ++seen.operations;
    seen.last_arrival = arrival;
    seen.last_response = times.response;
    total_.add(times.response - arrival);
    bytes_ += bytes_of(op);
    passes_ += result.passes;
    square_passes_ += std::uint64_t{result.passes} * result.passes;
}

} // namespace isbesim::testbench
