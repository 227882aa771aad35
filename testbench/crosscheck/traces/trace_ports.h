// SPDX-License-Identifier: Apache-2.0
// The operations of a trace port by port with their recorded times: for an open loop and other readers.
#pragma once

#include <vector>

#include "testbench/crosscheck/traces/answer_check.h"
#include "testbench/crosscheck/traces/trace_reader.h"
#include "testbench/crosscheck/traffic/traffic.h"

namespace isbesim::testbench {

/// Reads the file once per port, so that memory does not grow however far the ports are apart.
class trace_ports : public traffic_source {
public:
    /// `check`, unless null, sees every operation handed out.
    explicit trace_ports(const trace_file& trace, answer_check* check = nullptr);
    const traffic_item* draw(unsigned port) override;

    /// The read error that ended every port; empty without one.
    const std::string& failure() const { return failure_; }

private:
    struct place {
        explicit place(const trace_file& trace) : reader(trace) {}
        trace_reader reader;
        traffic_item drawn;
    };

    std::vector<place> places_; // by port
    trace_record record_;
    answer_check* check_;
    std::string failure_;
};

} // namespace isbesim::testbench
