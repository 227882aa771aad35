// SPDX-License-Identifier: Apache-2.0
// Observed traffic from a trace.
#pragma once

#include "testbench/calibration/observed_traffic.h"
#include "testbench/crosscheck/traces/trace_reader.h"

namespace isbesim::testbench {

/// Operations stay in the file and are read again at every visit. The machine in its header is ignored.
class trace_observation : public observed_traffic {
public:
    /// Throws trace_error, also for a loosely timed trace, whose cycles are estimates.
    explicit trace_observation(const trace_file& trace);
    void visit(const visitor& each) const override;

private:
    trace_file trace_;
};

} // namespace isbesim::testbench
