// SPDX-License-Identifier: Apache-2.0
// Measures an ISBE under load, from the end of the warm-up to the last measured operation.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>

#include "models/statistics/latency_histogram.h"
#include "testbench/load/load_profile.h"
#include "tlm/transaction_times.h"
#include "tlm/warp_op.h"

namespace isbesim::testbench {

class load_meter {
public:
    explicit load_meter(const load_profile& profile) : warmup_(profile.warmup), operations_(profile.operations) {}

    /// A closed loop is in its steady state once every operation that was there at the start has responded.
    void warm_up(std::uint64_t at_least) { warmup_ = std::max(warmup_, at_least); }

    /// Enough was measured: no further operations are needed.
    bool done() const { return responded_ >= warmup_ + operations_; }
    void responded(unsigned port, const warp_op& op, const warp_result& result, const transaction_times& times,
                   std::uint64_t arrival);
    /// An operation that arrived and was never requested: enough was measured before.
    void left(std::uint64_t arrival) { in_flight_cycles_ += measured_cycles(arrival, last_); }

    /// Measured operations, and the cycles from the response before the first to the response of the last.
    std::uint64_t operations() const { return total_.count(); }
    std::uint64_t cycles() const { return last_ - first_; }
    /// Cycle of the last response, measured or not.
    std::uint64_t end() const { return end_; }
    std::uint64_t last() const { return last_; }
    /// From a port's first operation, warm-up included, to its last measured one: the cycles of their arrivals divided
    /// by the cycles of their responses, each port by its operations. Close to 1 for any random arrivals; less if a
    /// queue grew.
    double kept_up() const
    {
        double arrived = 0, took = 0;
        for (const auto& port : spans_) {
            arrived += port.operations * static_cast<double>(port.last_arrival - port.first_arrival);
            took += port.operations * static_cast<double>(port.last_response - port.first_response);
        }
        return took == 0 ? 1 : arrived / took;
    }
    /// Of measured operations, per cycle.
    double accepted() const { return per_cycle(static_cast<double>(operations())); }
    double bytes_per_cycle() const { return per_cycle(static_cast<double>(bytes_)); }
    /// Operations that have arrived and not responded, mean over the measured cycles; those that were requested at a
    /// port, too.
    double in_flight() const { return per_cycle(static_cast<double>(in_flight_cycles_)); }
    double in_block() const { return per_cycle(static_cast<double>(in_block_cycles_)); }
    /// From arrival to response, including the wait in front of the port.
    const latency_histogram& total() const { return total_; }
    /// From the request at the port to its response, by opcode; of all operations, as in a replay.
    const std::array<latency_histogram, opcode_count>& at_port() const { return at_port_; }
    std::uint64_t all_operations() const { return responded_; }
    /// Passes of the measured operations: mean and mean square.
    double mean_passes() const { return mean(static_cast<double>(passes_)); }
    double mean_square_passes() const { return mean(static_cast<double>(square_passes_)); }
    std::uint64_t errors() const { return errors_; }

    std::function<void(std::uint64_t)> progress; ///< called with the number of responses; may be empty

private:
    /// The first operation and the last measured one of a port.
    struct span {
        double operations = 0;
        std::uint64_t first_arrival = 0, first_response = 0, last_arrival = 0, last_response = 0;
    };
    /// Of the cycles from `begin` to `end`, those within the measured ones.
    std::uint64_t measured_cycles(std::uint64_t begin, std::uint64_t end) const
    {
        begin = std::max(begin, first_);
        end = std::min(end, last_);
        return end > begin ? end - begin : 0;
    }
    double per_cycle(double amount) const { return cycles() == 0 ? 0 : amount / static_cast<double>(cycles()); }
    double mean(double sum) const { return operations() == 0 ? 0 : sum / static_cast<double>(operations()); }

    std::uint64_t warmup_;
    std::uint64_t operations_;
    std::uint64_t responded_ = 0;
    std::uint64_t first_ = 0;
    std::uint64_t last_ = 0;
    std::uint64_t end_ = 0;
    std::array<span, 2> spans_;
    std::uint64_t bytes_ = 0;
    std::uint64_t passes_ = 0;
    std::uint64_t square_passes_ = 0;
    std::uint64_t errors_ = 0;
    std::uint64_t in_flight_cycles_ = 0; ///< summed over operations
    std::uint64_t in_block_cycles_ = 0;
    latency_histogram total_;
    std::array<latency_histogram, opcode_count> at_port_;
};

} // namespace isbesim::testbench
