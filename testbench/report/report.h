// SPDX-License-Identifier: Apache-2.0
// Builds report.json's object from the counters of a finished system. Input and seed determine everything but host.*.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <boost/json/object.hpp>

#include "testbench/figures/chip_account.h"
#include "testbench/report/proxies.h"
#include "testbench/report/run_account.h"
#include "testbench/system/system.h"

namespace isbesim::testbench {

/// Contents of the report besides the counters.
struct report_facts {
    std::string scenario; ///< as it was named
    std::string backend;
    sm_timing timing = sm_timing::by_cycle;
    std::uint64_t seed = 1;
    std::string status;     ///< "done", "mismatch", "trap", "warning", "deadlock", "watchdog", "failed", "protocol"
    std::string text;       ///< the same in words
    std::uint64_t rows = 0; ///< vertices captured
    bool vertices_written = true;
    std::optional<std::uint64_t> lines_peak; ///< of all ISBEs at once
    std::optional<std::uint64_t> warps_peak; ///< of all SMs at once
    std::vector<run_warning> warnings;       ///< merged()
    coefficient_table coefficients;
    boost::json::object series;  ///< run_series's; empty when loosely timed
    boost::json::object profile; ///< program_profile's; empty: not requested
    boost::json::object draw;    ///< draw_identity() before the run
    boost::json::object origin;  ///< origin_json()
    std::optional<chip_account> chip;
};

/// The report without `host`, which is added after everything else has been written.
boost::json::object make_report(const machine_config& config, const run_account& account, std::uint64_t cycles,
                                report_facts facts);

} // namespace isbesim::testbench
