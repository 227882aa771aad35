// SPDX-License-Identifier: Apache-2.0
// A draw on a chip: each TPC simulated by itself in a process of its own, with the batches that the front end deals to
// it (models/pe/front_end/dealing.h); then their results put in the order of the draw, and their counts added up.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <boost/json/object.hpp>

#include "testbench/report/chip_account.h"
#include "testbench/report/run_account.h"
#include "testbench/scenario/vertex_csv.h"
#include "testbench/system/system.h"

namespace isbesim::testbench {

/// What a TPC's process has seen beside its counts.
struct tpc_notes {
    boost::json::object series; ///< of a report; empty without
    std::string profile;        ///< run_analysis's profile_bytes()
    std::optional<window_account> window;
};

/// What runs in the process of a TPC beside the machine: this does nothing.
class tpc_watch {
public:
    virtual ~tpc_watch() = default;
    /// What must see some cycles, or null.
    virtual run_stops* begins(simulated_system&, unsigned /*tpc*/) { return nullptr; }
    virtual tpc_notes ended(std::uint64_t /*cycles*/) { return {}; }
};

struct chip_parts {
    const machine_config& config;
    const isbe_backend& backend;
    const draw_call& draw;
    const std::vector<input_warning>& warnings; ///< of the draw
    vertex_output& vertices;
    bool keeps_rows = true; ///< `vertices` does more than to count
    run_limits limits;
    bool check_protocol = false;
    path_recording path = path_recording::sums;
    sm_timing timing = sm_timing::by_cycle;
    unsigned jobs = 1;    ///< TPCs at a time; nothing of the result follows from it
    std::string row_file; ///< a path to be used for a while; empty: the system's folder for such files
    tpc_watch& watch;
    std::function<void(std::size_t)> progress; ///< gets the number of TPCs that have ended
};

struct chip_result {
    run_outcome outcome;
    run_account account;
    chip_account chip;
    boost::json::object series;
    std::vector<std::string> profiles; ///< by TPC
};

/// Why a draw cannot be dealt to several TPCs; empty when it can.
std::string why_not_dealt(const draw_call& draw);

/// No simulation may have begun in this process. Throws draw_error and batch_too_large; std::runtime_error when the
/// process of a TPC came to no end.
chip_result run_on_chip(const chip_parts& parts);

} // namespace isbesim::testbench
