// SPDX-License-Identifier: Apache-2.0
// Decides when a trace's operations are requested in a closed loop: the trace determines their order, the machine that
// plays them determines their times.
//
// An operation waits for events: those of its waits (trace.h), the request of the previous operation of its stream, the
// events of its dependencies, and the responses of all operations a window or more before it. It is due when all have
// come and the gap after each of its waits has passed. An initiator then requests due operations, first come first
// served; at the PE, a write that was already due in an earlier cycle goes before all reads (isbe_port.h).
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "testbench/crosscheck/traces/slot_names.h"
#include "testbench/crosscheck/traces/trace_reader.h"
#include "tlm/enum_table.h"

namespace isbesim::testbench {

/// Holds only the window: memory does not grow.
class replay_schedule {
public:
    static constexpr std::uint64_t never = ~std::uint64_t{0};
    /// The ports of a trace; or, if it has one port, the SM and the PE, which share it.
    static constexpr unsigned initiators = 2;

    /// by_initiator: four phases, every initiator asks for its next operation. in_order: one after the other, as in the
    /// trace.
    enum class style : std::uint8_t { by_initiator, in_order };

    /// `slots`: context slots that warps can get.
    replay_schedule(const trace_file& trace, style how, unsigned slots);

    /// Called when the next operation of an initiator has changed; may be empty.
    void on_ready(std::function<void(unsigned initiator)> call) { ready_call_ = std::move(call); }

    // By initiator.

    /// First cycle in which its next operation can be requested; never: another event has to come first.
    std::uint64_t next_cycle(unsigned initiator) const;
    /// The operation that it requests in cycle `now`, not before next_cycle().
    std::uint64_t next_operation(unsigned initiator, std::uint64_t now) const;

    // In order.

    /// False if all operations have responded. The previous operation must have responded.
    bool next_in_order(std::uint64_t& number, std::uint64_t& cycle) const;

    unsigned initiator_of(std::uint64_t number) const { return slot_of(number).initiator; }
    std::uint32_t response_hold(std::uint64_t number) const { return slot_of(number).response_hold; }
    const operation_answer& recorded_answer(std::uint64_t number) const { return slot_of(number).answer; }
    /// Fills in a cleared request.
    void load(std::uint64_t number, warp_op& op) const
    {
        decode(operations_[number % trace_window].data(), op);
        op.context = slot_of(number).context;
    }
    /// by_initiator: only for the initiator's next operation.
    void requested(std::uint64_t number, std::uint64_t cycle);
    void accepted(std::uint64_t number, std::uint64_t cycle) { happens(number, awaited_event::accept, cycle); }
    void responded(std::uint64_t number, std::uint64_t cycle);

    bool finished() const { return exhausted_ && responded_ == loaded_; }
    /// The read error that ended the trace; empty without one.
    const std::string& failure() const { return failure_; }

private:
    static constexpr std::uint64_t none = ~std::uint64_t{0};

    /// An event of an operation.
    struct event_state {
        std::uint64_t cycle = never; ///< in this replay; never: it has not come
        std::uint32_t waiting = 0;   ///< head of the list in waiting_ of operations that wait for it
    };
    /// The state of an operation in the window that other operations need; without the operation itself.
    struct alignas(64) slot {
        enum_array<last_awaited_event, event_state> events;
        std::uint64_t due = 0;   ///< by the events that have come so far
        std::uint32_t waits = 0; ///< number of events that have not come
        bool responded = true;
        std::uint8_t initiator = 0;
        std::uint8_t queue = 0; ///< in ready_
        std::uint16_t context = 0;
        std::uint32_t response_hold = 0;
        operation_answer answer;
    };
    /// An element of a list in waiting_.
    struct waiting_operation {
        std::uint64_t number = 0;
        std::uint64_t gap = 0;
        std::uint32_t next = 0; ///< 0: end of the list
    };
    struct due_operation {
        std::uint64_t cycle;
        std::uint64_t number;
        bool operator>(const due_operation& other) const
        {
            return cycle != other.cycle ? cycle > other.cycle : number > other.number;
        }
    };
    using heap = std::vector<due_operation>; ///< the earliest first

    slot& slot_of(std::uint64_t number) { return slots_[number % trace_window]; }
    const slot& slot_of(std::uint64_t number) const { return slots_[number % trace_window]; }
    bool in_window(std::uint64_t number) const { return number != none && number + trace_window > loaded_; }
    void fill();
    void plan(slot& s, const encoded_operation& op);
    void name_slot(slot& s, const encoded_operation& op);
    static awaited_event order_after(const slot& before, const slot& s);
    void wait_for(slot& s, std::uint64_t other, awaited_event event, std::uint64_t gap);
    void happens(std::uint64_t number, awaited_event event, std::uint64_t cycle);
    void prefetch(std::uint64_t number) const;
    void ready(std::uint64_t number);
    /// True if the PE's next operation is a read.
    static bool read_is_next(const heap& writes, const heap& reads, std::uint64_t now);

    trace_reader reader_;
    style style_;
    bool one_port_;
    std::function<void(unsigned)> ready_call_;
    record_facts record_; ///< read last
    std::vector<slot> slots_;
    std::vector<std::array<std::uint8_t, max_operation_bytes>> operations_; ///< decoded when they are requested
    std::vector<waiting_operation> waiting_;                                ///< element 0 belongs to no list
    std::uint32_t free_waiting_ = 0;
    std::array<std::array<heap, 2>, initiators> ready_; ///< [1]: reads of the PE
    std::array<std::uint64_t, max_streams> last_;       ///< newest operation of each stream
    slot_names names_;
    std::array<std::uint64_t, slot_names::most>
        users_; ///< by slot: the newest operation of its warp, its BIND included
    std::uint64_t loaded_ = 0;
    std::uint64_t responded_ = 0;
    std::uint64_t old_response_ = 0; ///< latest response of the operations that have left the window
    bool exhausted_ = false;
    std::string failure_;
};

} // namespace isbesim::testbench
