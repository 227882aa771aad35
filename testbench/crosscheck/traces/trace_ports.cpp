#include "testbench/crosscheck/traces/trace_ports.h"

namespace isbesim::testbench {

trace_ports::trace_ports(const trace_file& trace, answer_check* check) : check_(check)
{
    for (unsigned port = 0; port < trace.ports; ++port) readers_.emplace_back(trace);
}

// Called by processes: nothing may be thrown.
bool trace_ports::next(unsigned port, traffic_item& item)
{
    if (port >= readers_.size() || !failure_.empty()) return false;
    auto& reader = readers_[port];
    try {
        do {
            if (!reader.next(record_)) return false;
        } while (record_.port != port);
    } catch (const trace_error& error) {
        failure_ = error.what();
        return false;
    }
    item.earliest = record_.request;
    item.response_hold = record_.response_hold;
    item.op = record_.op;
    if (check_ != nullptr) check_->expect(port, reader.operations() - 1, record_.answer);
    return true;
}

} // namespace isbesim::testbench
