// SPDX-License-Identifier: Apache-2.0
// A single run of the cross-check.
#pragma once

#include <iosfwd>

#include "testbench/command_line/crosscheck_plan.h"
#include "testbench/crosscheck/phases.h"

namespace isbesim::testbench {

/// `transactions` of the phase's traffic. Returns the exit status. Throws input_error.
int run_phase(const crosscheck_job& job, const phase& planned, std::uint64_t transactions, std::ostream& out,
              std::ostream& err);

} // namespace isbesim::testbench
