// Writes what an ISBE is asked during a run as a trace: attach it to the ISBE's observers.
#pragma once

#include <string>

#include "testbench/crosscheck/trace.h"
#include "tlm/transaction_observer.h"

namespace isbesim::testbench {

/// Each request with the cycle in which it appeared at its port; responses are taken at once when replayed.
class trace_recorder : public transaction_observer {
public:
    trace_recorder(const std::string& path, const std::string& config_json, unsigned ports)
        : trace_(path, config_json, ports)
    {
    }
    void begin_request(std::uint64_t, unsigned port, const warp_op& op, std::uint64_t cycle) override
    {
        item_.earliest = cycle;
        item_.op = op;
        trace_.record(port, item_);
    }
    void close() { trace_.close(); }

private:
    trace_writer trace_;
    traffic_item item_;
};

} // namespace isbesim::testbench
