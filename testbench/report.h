// report.json's object, from the counters of a finished system. Everything but host.* follows from input and seed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <boost/json/object.hpp>

#include "testbench/proxies.h"
#include "testbench/system.h"

namespace isbesim::testbench {

/// What the report says beside the counters.
struct report_facts {
    std::string scenario; ///< as it was named
    std::string backend;
    std::uint64_t seed = 1;
    std::string status;     ///< "done", "mismatch", "trap", "deadlock", "watchdog", "failed", "protocol"
    std::string text;       ///< the same as a sentence
    std::uint64_t rows = 0; ///< vertices captured
    double wall_s = 0;
    coefficient_table coefficients;
    boost::json::object series; ///< run_series's
};

/// All comparisons of a lockstep run added up; empty for other back ends.
std::optional<lockstep_totals> lockstep_totals_of(const simulated_system& system);

boost::json::object make_report(simulated_system& system, const run_outcome& outcome, const report_facts& facts);

} // namespace isbesim::testbench
