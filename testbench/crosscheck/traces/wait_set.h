// SPDX-License-Identifier: Apache-2.0
// The earliest cycle of an event: the maximum over several events of operations, each plus a gap in cycles.
#pragma once

#include <cstdint>
#include <vector>

#include "testbench/crosscheck/traces/trace.h"
#include "tlm/enum_table.h"

namespace isbesim::testbench {

/// Queues whose operations an ISBE executes in the order of queueing: the SM's, the PE's writes (with BINDs) and the
/// PE's reads.
enum class operation_queue : std::uint8_t { sm, pe_writes, pe_reads };
inline constexpr auto last_operation_queue = operation_queue::pe_reads;

class wait_set {
public:
    /// The cycle of `event` of an operation, plus the gap.
    struct entry {
        awaited_event event = awaited_event::start;
        operation_queue queue = operation_queue::sm;
        std::uint64_t number = 0; ///< in its queue
        std::int64_t gap = 0;
    };

    /// The start of the recording.
    static wait_set from_start() { return wait_set(entry{}); }
    wait_set() = default;
    explicit wait_set(const entry& only) : entries_{only} {}

    const std::vector<entry>& entries() const { return entries_; }
    void clear() { entries_.clear(); }
    /// Moves the earliest cycle later by `cycles`.
    wait_set& delay(std::int64_t cycles);
    /// Adds `one` to the events.
    wait_set& add(const entry& one);
    wait_set& add(const wait_set& others, std::int64_t delay = 0);

private:
    std::vector<entry> entries_;
};

} // namespace isbesim::testbench
