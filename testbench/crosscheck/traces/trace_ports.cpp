// SPDX-License-Identifier: Apache-2.0
#include "testbench/crosscheck/traces/trace_ports.h"

namespace isbesim::testbench {

trace_ports::trace_ports(const trace_file& trace, answer_check* check) : check_(check)
{
    for (unsigned port = 0; port < trace.ports; ++port) places_.emplace_back(trace);
}

// Called by processes: must not throw.
const traffic_item* trace_ports::draw(unsigned port)
{
    if (port >= places_.size() || !failure_.empty()) return nullptr;
    auto& [reader, item] = places_[port];
    try {
        do {
            if (!reader.next(record_)) return nullptr;
        } while (record_.port != port);
    } catch (const trace_error& error) {
        failure_ = error.what();
        return nullptr;
    }
    item.earliest = record_.request;
    item.response_hold = record_.response_hold;
    item.op = record_.op;
    if (check_ != nullptr) check_->expect(port, reader.operations() - 1, record_.answer);
    return &item;
}

} // namespace isbesim::testbench
