// SPDX-License-Identifier: Apache-2.0
// Produces the operations of a trace in a closed loop: those of one initiator, or all in recorded order.
#pragma once

#include <array>

#include "testbench/crosscheck/traces/replay_schedule.h"
#include "testbench/crosscheck/traffic/operation_producer.h"
#include "testbench/crosscheck/traffic/traffic.h"

namespace isbesim::testbench {

/// The operations of one initiator, in four phases.
class replay_producer : public operation_producer {
public:
    replay_producer(unsigned initiator, replay_schedule& schedule, traffic_listener& listener)
        : initiator_(initiator), schedule_(schedule), listener_(listener)
    {
    }

    /// The other initiator of the same port: if both begin a request in one cycle, the recorded order decides.
    void share_with(const replay_producer& other) { other_ = &other; }

    std::uint64_t due(std::uint64_t) override { return next_cycle(); }
    std::optional<issued> next(std::uint64_t now, warp_op& op) override;
    void accepted(std::uint64_t tag, std::uint64_t now, std::uint64_t next) override;
    unsigned responded(std::uint64_t tag, const warp_op& op, const warp_result& result,
                       const transaction_times& times) override;
    bool done() const override { return schedule_.finished(); }

private:
    std::uint64_t next_cycle() const;
    /// True if the port's other initiator requests an operation in this cycle that was recorded before `number`.
    bool other_goes_first(std::uint64_t number, std::uint64_t now) const;

    unsigned initiator_;
    replay_schedule& schedule_;
    traffic_listener& listener_;
    const replay_producer* other_ = nullptr;
    bool requesting_ = false;
    std::uint64_t channel_free_ = 0;       ///< cycle in which the request channel can carry the next request
    std::uint64_t responses_seen_ = never; ///< cycle whose responses have been seen
};

/// The operations of all initiators, loosely timed: they are called in their recorded order of execution, so data are
/// the recorded ones. An operation begins when it is due, but not before the previously called operation, nor before
/// its port accepts it.
class ordered_replay_producer : public operation_producer {
public:
    ordered_replay_producer(unsigned ports, replay_schedule& schedule, traffic_listener& listener)
        : ports_(ports), schedule_(schedule), listener_(listener)
    {
    }

    std::uint64_t due(std::uint64_t) override;
    std::optional<issued> next(std::uint64_t now, warp_op& op) override;
    void accepted(std::uint64_t tag, std::uint64_t now, std::uint64_t next) override
    {
        channel_free_[port_of(tag)] = next;
        schedule_.accepted(tag, now);
    }
    unsigned responded(std::uint64_t tag, const warp_op& op, const warp_result& result,
                       const transaction_times& times) override;
    bool done() const override { return schedule_.finished(); }

private:
    unsigned port_of(std::uint64_t number) const;

    unsigned ports_;
    replay_schedule& schedule_;
    traffic_listener& listener_;
    std::uint64_t number_ = 0; ///< of the operation that is due
    std::array<std::uint64_t, max_trace_ports> channel_free_{};
    std::array<std::uint64_t, max_trace_ports> last_response_{};
};

} // namespace isbesim::testbench
