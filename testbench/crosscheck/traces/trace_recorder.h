// SPDX-License-Identifier: Apache-2.0
// Records the operations of an ISBE during a run as a trace: attach it to the ISBE's observers.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "models/machine_config.h"
#include "testbench/crosscheck/traces/access_order.h"
#include "testbench/crosscheck/traces/trace_writer.h"
#include "testbench/crosscheck/traces/wait_tracker.h"
#include "tlm/ring.h"
#include "tlm/transaction_observer.h"

namespace isbesim::testbench {

struct recorded_machine {
    isbe_config config;
    std::string json;         ///< of the whole machine
    bool shows_grants = true; ///< false for the RTL: only the order of its responses is known
    bool loosely_timed = false;
};

class trace_recorder : public transaction_observer {
public:
    /// Throws trace_error if the file can't be written. `waits` finds the waits and the streams of a draw's operations;
    /// without it, streams are the ports and waits the recorded cycles.
    trace_recorder(const std::string& path, const recorded_machine& machine, wait_tracker* waits = nullptr);

    void begin_request(std::uint64_t id, unsigned port, const warp_op& op, std::uint64_t cycle) override;
    void accept(std::uint64_t id, unsigned port, std::uint64_t cycle) override;
    void granted(std::uint64_t id, unsigned port, const warp_op& op, const warp_result& result, std::uint64_t cycle,
                 const access_footprint& footprint) override;
    void response(std::uint64_t id, unsigned port, const warp_op& op, const warp_result& result,
                  const transaction_times& times) override;
    void end_response(std::uint64_t id, unsigned port, std::uint64_t cycle) override;

    /// Ends the file. Operations without a response so far, and those executed after them, are left out. Throws
    /// trace_error if a write failed, or if the order of two operations is unknown: the file is then not a trace.
    void close();
    std::uint64_t operations() const { return trace_.operations(); }

private:
    struct entry {
        trace_record record;
        wait_tracker::place place;
        bool finished = false;
    };
    struct request_times {
        std::uint64_t request;
        std::uint64_t accept;
    };
    /// Operations of a port between their request and their end, in order.
    struct port_state {
        ring<request_times> requests; ///< of operations that are not granted
        ring<std::uint64_t> granted;  ///< numbers of operations that are not finished
        std::size_t responded = 0;    ///< number of `granted` with a response
        std::uint64_t last_response = 0;
    };

    entry& entry_of(std::uint64_t number) { return entries_[number - first_]; }
    void check_order(const trace_record& record);
    void finish(unsigned port);

    recorded_machine machine_;
    wait_tracker* waits_;
    trace_writer trace_;
    access_order order_;
    std::array<port_state, max_trace_ports> ports_;
    ring<entry> entries_;                  ///< executed; the first is not finished
    std::uint64_t first_ = 0;              ///< number of entries_.front()
    std::vector<std::uint64_t> responses_; ///< of the last trace_window operations
    std::vector<std::uint8_t> ports_of_;
    std::string unknown_order_; ///< an error text if the order of two operations is unknown
};

} // namespace isbesim::testbench
