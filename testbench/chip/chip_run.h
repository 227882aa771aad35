// SPDX-License-Identifier: Apache-2.0
// A draw on a chip: each TPC is simulated alone in a separate process, with the batches that the front end deals to it
// (models/pe/front_end/dealing.h). Then results are put in the order of the draw, and counts are added up.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <boost/json/object.hpp>

#include "testbench/figures/chip_account.h"
#include "testbench/report/run_account.h"
#include "testbench/scenario/vertex_csv.h"
#include "testbench/system/system.h"

namespace isbesim::testbench {

/// Observations of a TPC's process besides its counts.
struct tpc_notes {
    boost::json::object series; ///< of the report; empty if not recorded
    std::string profile;        ///< run_analysis's profile_bytes()
    std::optional<window_account> window;
};

/// Observers in the process of a TPC; this base class has none.
class tpc_watch {
public:
    virtual ~tpc_watch() = default;
    /// Observer of some cycles, or null.
    virtual run_stops* begins(simulated_system&, unsigned /*tpc*/) { return nullptr; }
    virtual tpc_notes ended(std::uint64_t /*cycles*/) { return {}; }
};

struct chip_parts {
    const machine_config& config;
    const isbe_backend& backend;
    const draw_call& draw;
    const std::vector<input_warning>& warnings; ///< of the draw
    vertex_output& vertices;
    bool keeps_rows = true; ///< `vertices` needs the rows, not only their number
    run_limits limits;
    bool check_protocol = false;
    path_recording path = path_recording::sums;
    sm_timing timing = sm_timing::by_cycle;
    unsigned jobs = 1;    ///< TPCs at a time; does not affect the result
    std::string row_file; ///< path for temporary use; empty: the system's folder for temporary files
    tpc_watch& watch;
    std::function<void(std::size_t)> progress; ///< receives the number of ended TPCs
};

struct chip_result {
    run_outcome outcome;
    run_account account;
    chip_account chip;
    boost::json::object series;
    std::vector<std::string> profiles; ///< by TPC
};

/// To be called before any simulation in this process. Throws draw_error and batch_too_large, and std::runtime_error if
/// the process of a TPC fails.
chip_result run_on_chip(const chip_parts& parts);

} // namespace isbesim::testbench
