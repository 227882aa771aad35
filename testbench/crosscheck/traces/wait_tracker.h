// SPDX-License-Identifier: Apache-2.0
// Finds the events that each operation of a draw waits for, from the reports of the SM and the PE.
//
// A warp's next instruction waits for the previous one, by its stall count, and for scoreboards, which responses and
// fixed latencies release. So an operation is due when certain gaps have passed since the warp's previous operation and
// since each response that the warp has awaited in between. The PE queues an access because of an event: accesses have
// responded, a warp has ended, a batch has arrived; a warp's first accesses wait for the events that made the warp and
// that freed its space.
//
// If a warp got the place in the attribute queue that another operation left, it waits for that operation's transfer.
// Any further cycles are waits for issue slots: they extend the gap of the last event, so that a replay on the recorded
// machine has the recorded cycles.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "models/pe/pe_observer.h"
#include "models/sm/scoreboards.h"
#include "models/sm/sm_observer.h"
#include "testbench/crosscheck/traces/slot_names.h"
#include "testbench/crosscheck/traces/wait_set.h"
#include "tlm/enum_table.h"
#include "tlm/ring.h"

namespace isbesim::testbench {

/// Observes one SM and the PE; of the other SMs it knows only which work is theirs. Memory does not grow: events too
/// old to be waited for are forgotten.
class wait_tracker : public sm_observer, public work_observer {
public:
    explicit wait_tracker(const sm_config& config);

    /// An operation, by its number in its queue.
    struct place {
        operation_queue queue = operation_queue::sm;
        std::uint64_t number = 0;
    };
    /// The next executed operation is number `number` of the trace; fills in its waits and its stream. `record` already
    /// has the transfer of its request.
    place carried_out(std::uint64_t number, trace_record& record);
    void responded(const place& operation, std::uint64_t cycle) { known(operation).response = cycle; }

private:
    static constexpr std::size_t memory = 2 * trace_window; ///< operations of a queue

    struct known_operation {
        std::uint64_t number = never_cycle; ///< in its queue
        std::uint64_t record = 0;           ///< in the trace
        std::uint64_t due = 0;
        std::uint64_t accept = 0;
        std::uint64_t response = 0;
        wait_set waits; ///< of an SM's operation, until it is executed
    };
    struct warp {
        wait_set now; ///< the last issue, at first the launch
        unsigned stall = 1;
        std::array<wait_set, scoreboards::count> released;
        wait_set answered; ///< the last response
        wait_set token;    ///< the response of its last OUT
    };
    struct waiting_act {
        pe_act what;
        wait_set waits;
    };
    /// A wait of a record, with the recorded cycle of its event.
    struct dated_wait {
        std::uint64_t cycle;
        wait_entry entry;
    };
    struct queue_state {
        std::vector<known_operation> operations{memory};
        std::uint64_t carried_out = 0;
    };

    void launched(const warp_launch& launch, std::uint64_t cycle) override;
    void completed(unsigned slot, const warp_completion& completion, std::uint64_t cycle) override;
    void issued(const issue_event& issue) override;
    void submitted(const attribute_operation& operation) override;
    void responded(const attribute_operation&, const warp_result&, std::uint64_t) override {}
    void trapped(const trap_record&) override {}
    void stalled(unsigned, stall_reason, std::uint64_t, std::uint64_t) override {}

    void fetched() override;
    void answered(unsigned sm, std::uint32_t task) override;
    void ended(unsigned sm, unsigned slot) override;
    void fetches(std::uint64_t cycles) override;
    void created(std::uint32_t task) override;
    void begins(std::uint32_t task) override;
    void acts(const pe_act& what) override;
    void fenced(unsigned sm, std::uint32_t task, bool reads, std::uint64_t last) override;

    static void release(warp& state, std::uint8_t scoreboard, const wait_set& when, std::int64_t delay);
    void happens(wait_set event);
    queue_state& queue(operation_queue which) { return queues_[static_cast<std::size_t>(which)]; }
    known_operation& known(const place& operation)
    {
        return queue(operation.queue).operations[operation.number % memory];
    }
    const known_operation& known(const place& operation) const
    {
        return queues_[static_cast<std::size_t>(operation.queue)].operations[operation.number % memory];
    }
    /// The act that the next access of a queue belongs to.
    const waiting_act& act_of(operation_queue which, std::uint64_t number);
    std::optional<dated_wait> find(const wait_set::entry& entry, std::uint64_t number, std::uint64_t due) const;
    /// `freed`: the event that freed the last place in the attribute queue.
    void resolve(const wait_set& waits, const std::optional<wait_set::entry>& freed, std::uint64_t number,
                 std::uint64_t due, wait_list& list);

    unsigned read_release_latency_;
    unsigned queue_depth_;
    std::array<queue_state, enum_count<last_operation_queue>> queues_;
    std::vector<warp> warps_;          ///< by slot
    std::vector<wait_set> ended_;      ///< the end of the slot's last warp
    std::vector<std::uint64_t> bound_; ///< by slot: the number of its BIND among the writes
    slot_names streams_{slot_names::most};
    std::uint64_t submitted_ = 0;

    wait_set now_;   ///< waits of the current event
    wait_set doing_; ///< waits of the next act
    wait_set fetched_;
    std::vector<wait_set> created_; ///< by task
    std::vector<wait_set> fenced_;
    ring<waiting_act> acts_;
    std::uint64_t first_act_ = 0;                                              ///< number of acts_.front()
    std::array<std::uint64_t, enum_count<last_operation_queue>> act_number_{}; ///< by queue: of its current act
};

} // namespace isbesim::testbench
