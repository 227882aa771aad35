// SPDX-License-Identifier: Apache-2.0
#include "testbench/calibration/trace_observation.h"

namespace isbesim::testbench {

trace_observation::trace_observation(const trace_file& trace) : trace_(trace)
{
    if (trace.loosely_timed)
        throw trace_error("was recorded loosely timed, expected one with the cycles of --isbe at, rtl or lockstep",
                          trace.begin - 1);
    ports_ = trace.ports;
    operations_.reserve(trace.operations);
    trace_reader reader(trace);
    for (trace_record record; reader.next(record);) {
        observed_operation seen;
        seen.port = record.port;
        seen.op = record.op.op;
        seen.request = record.request;
        seen.accept = record.accept;
        seen.response = record.response;
        seen.transfer = record.response + record.response_hold;
        operations_.push_back(seen);
    }
    if (operations_.empty()) throw trace_error("has no operations, expected at least one", trace.begin);
}

void trace_observation::visit(const visitor& each) const
{
    trace_reader reader(trace_);
    trace_record record;
    for (std::size_t number = 0; reader.next(record); ++number) each(number, record.op, record.answer);
}

} // namespace isbesim::testbench
