// SPDX-License-Identifier: Apache-2.0
// Produces the traffic of one port, with its request gaps and response holds.
#pragma once

#include "testbench/crosscheck/traffic/operation_producer.h"
#include "testbench/crosscheck/traffic/traffic.h"

namespace isbesim::testbench {

class traffic_producer : public operation_producer {
public:
    traffic_producer(unsigned port, traffic_source& source, traffic_listener& listener)
        : port_(port), source_(source), listener_(listener)
    {
    }

    std::uint64_t due(std::uint64_t now) override;
    std::optional<issued> next(std::uint64_t, warp_op& op) override;
    void accepted(std::uint64_t, std::uint64_t, std::uint64_t next) override { channel_free_ = next; }
    unsigned responded(std::uint64_t tag, const warp_op& op, const warp_result& result,
                       const transaction_times& times) override;
    bool done() const override { return exhausted_ && pending_ == 0; }

private:
    unsigned port_;
    traffic_source& source_;
    traffic_listener& listener_;
    const traffic_item* next_ = nullptr; ///< drawn and not issued yet
    std::uint64_t channel_free_ = 0;     ///< cycle in which the request channel can carry the next request
    std::uint64_t pending_ = 0;          ///< issued, without a response yet
    bool exhausted_ = false;
};

} // namespace isbesim::testbench
