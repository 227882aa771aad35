// Parts of report.json that `run`, `replay` and `crosscheck` have in common.
#pragma once

#include <cstdint>
#include <string>

#include <boost/json/object.hpp>

#include "models/isbe/isbe_core.h"
#include "models/statistics/latency_histogram.h"
#include "testbench/rtl/lockstep.h"

namespace isbesim::testbench {

/// `otherwise` when `whole` is 0.
double ratio(double part, double whole, double otherwise = 0);

/// {count,min,mean,p50,p90,p99,max} in cycles.
boost::json::object latency_json(const latency_histogram& latency);
/// `peak`: bytes per cycle that peak_fraction is a fraction of.
boost::json::object bandwidth_json(const isbe_counters& isbe, std::uint64_t cycles, double peak);
boost::json::object conflicts_json(const isbe_counters& isbe);
boost::json::object discarded_json(const isbe_counters& isbe);
boost::json::object crosscheck_json(const lockstep_totals& totals);
/// `operations` of the ISBEs' ports in `wall_s` seconds, and the memory that the process ever had.
boost::json::object host_json(std::uint64_t operations, double wall_s);

/// What these figures cover, in words.
extern const char* const conflicts_cover;
extern const char* const discarded_cover;
extern const char* const host_covers;
/// `peak`: bytes per cycle and ISBE.
std::string bandwidth_covers(double peak);

} // namespace isbesim::testbench
