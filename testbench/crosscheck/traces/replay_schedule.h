// SPDX-License-Identifier: Apache-2.0
// When a trace's operations are requested in a closed loop: what order they keep is the trace's, what time they take is
// the machine's that plays them.
//
// An operation waits for events: the request of its stream's operation before, the response of the last operation of
// its stream that had responded when it was recorded, what its dependencies did (trace.h), the responses of
// everything that is a window or more before it. From the last of these that came before its recorded request it was
// requested after some cycles, its gap. It is requested again as many cycles after the last of them all. Time that a
// request spent waiting for its port belongs to the recorded machine, not to the gap; but how long it waited can only
// be estimated: not since before the channel was last idle, nor since before the one in front of it. On the recorded
// machine a replay repeats the recorded cycles, save where an operation was on its way at the same time as one of
// another port that it depends on: it waits for that one's response now.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "testbench/crosscheck/traces/trace_reader.h"

namespace isbesim::testbench {

/// Holds the window: memory does not grow.
class replay_schedule {
public:
    static constexpr std::uint64_t never = ~std::uint64_t{0};

    /// By port: four phases, every port asks for its next one. In order: one after the other, as in the trace.
    enum class style : std::uint8_t { by_port, in_order };

    replay_schedule(const trace_file& trace, style how);
    unsigned ports() const { return ports_; }

    /// Called when the next operation of a port has become another one; may be empty.
    void on_ready(std::function<void(unsigned port)> call) { ready_call_ = std::move(call); }

    // By port.

    /// Cycle from which the port's next operation can be requested; never: something has to respond first.
    std::uint64_t next_cycle(unsigned port) const { return ready_[port].empty() ? never : ready_[port].front().cycle; }
    /// That operation's number.
    std::uint64_t next_operation(unsigned port) const { return ready_[port].front().number; }

    // In order.

    /// False when all have responded. The operation before must have responded.
    bool next_in_order(std::uint64_t& number, std::uint64_t& cycle) const;

    unsigned port_of(std::uint64_t number) const { return at(number).port; }
    std::uint32_t response_hold(std::uint64_t number) const { return at(number).response_hold; }
    const operation_answer& recorded_answer(std::uint64_t number) const { return at(number).answer; }
    /// Fills in a cleared request.
    void load(std::uint64_t number, warp_op& op) const { decode(operations_[number % trace_window].data(), op); }
    /// By port, only for the port's next one.
    void requested(std::uint64_t number, std::uint64_t cycle);
    void responded(std::uint64_t number, std::uint64_t cycle);

    bool finished() const { return exhausted_ && responded_ == loaded_; }
    /// Why the file could not be read on, which ends the trace; empty when it could.
    const std::string& failure() const { return failure_; }

private:
    static constexpr std::uint64_t none = ~std::uint64_t{0};

    /// Of an operation of the window, without the operation itself: what others look at, in two lines of a cache.
    struct alignas(64) slot {
        std::uint64_t before = none; ///< the stream's operation before
        std::uint64_t recorded_request = 0;
        std::uint64_t recorded_response = 0;
        std::uint64_t request = 0; ///< cycles of this replay
        std::uint64_t response = 0;
        std::uint32_t on_request = 0; ///< operations that wait: the first of a list in waiting_
        std::uint32_t on_response = 0;
        bool requested = false;
        bool responded = true;
        std::uint8_t port = 0;
        std::uint32_t waits = 0;  ///< events that have not come
        std::uint64_t events = 0; ///< cycle of the latest event so far
        std::uint64_t gap = 0;
        std::uint32_t response_hold = 0;
        operation_answer answer;
    };
    /// Of a list.
    struct waiting_operation {
        std::uint64_t number = 0;
        std::uint32_t next = 0; ///< 0: the last one
    };
    /// What the request channel of a port was doing, as recorded.
    struct port_state {
        std::uint64_t busy_since = 0; ///< one request after the other from then on
        std::uint64_t busy_until = 0; ///< the last one was accepted
        bool used = false;
        std::uint64_t sent = 0; ///< cycle at which the last one began to wait for the channel, at the earliest
    };
    struct due {
        std::uint64_t cycle;
        std::uint64_t number;
        bool operator>(const due& other) const
        {
            return cycle != other.cycle ? cycle > other.cycle : number > other.number;
        }
    };

    slot& at(std::uint64_t number) { return slots_[number % trace_window]; }
    const slot& at(std::uint64_t number) const { return slots_[number % trace_window]; }
    bool in_window(std::uint64_t number) const { return number != none && number + trace_window > loaded_; }
    void fill();
    void plan(slot& s);
    std::uint64_t sent(std::uint64_t event);
    void wait_in(std::uint32_t& list);
    void end_waiting(std::uint32_t& list, std::uint64_t cycle);
    void wait_request(slot& s, std::uint64_t other, std::uint64_t& recorded);
    void wait_response(slot& s, std::uint64_t other, std::uint64_t& recorded);
    void came(std::uint64_t number, std::uint64_t cycle);
    void prefetch(std::uint64_t number) const;
    void ready(std::uint64_t number);

    trace_reader reader_;
    style style_;
    unsigned ports_;
    std::function<void(unsigned)> ready_call_;
    record_facts record_; ///< the newest
    std::vector<slot> slots_;
    std::vector<std::array<std::uint8_t, max_operation_bytes>> operations_; ///< decoded when they are requested
    std::vector<waiting_operation> waiting_;                                ///< the first one belongs to no list
    std::uint32_t free_waiting_ = 0;
    std::array<std::vector<due>, max_trace_ports> ready_; ///< heaps, the earliest first
    std::array<std::uint64_t, max_streams> last_;         ///< newest of each stream
    std::array<port_state, max_trace_ports> port_states_;
    bool loosely_timed_;
    std::uint64_t loaded_ = 0;
    std::uint64_t responded_ = 0;
    std::uint64_t old_recorded_ = 0; ///< latest response of everything that has left the window, as recorded
    std::uint64_t old_response_ = 0; ///< and now
    bool exhausted_ = false;
    std::string failure_;
};

} // namespace isbesim::testbench
