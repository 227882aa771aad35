// SPDX-License-Identifier: Apache-2.0
// What `isbesim run` was asked for.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "testbench/arguments/command_arguments.h"
#include "testbench/command_line/machine_options.h"
#include "testbench/files/input_error.h"
#include "testbench/processes/process_pool.h"
#include "testbench/report/cycle_window.h"
#include "testbench/rtl/isbe_backend.h"
#include "testbench/system/system.h"

namespace isbesim::testbench {

struct run_request {
    std::string scenario_file;
    machine_config config;
    const isbe_backend* backend = nullptr;
    sm_timing timing = sm_timing::by_cycle;
    source_place isbe_place;
    std::string record; ///< trace file, or empty
    source_place record_place;
    std::string out;
    source_place out_place;
    std::uint64_t seed = 1;
    run_limits limits;
    unsigned wave_sm = 0;
    bool write_vertices = true;
    bool strict_traps = false;
    bool strict_warnings = false;
    machine_programs machine;
    bool check_protocol = false;
    path_recording path = path_recording::sums;
    bool quiet = false;
    std::optional<unsigned> tpc;     ///< of a chip: the only one to be simulated
    std::uint64_t every = 0;         ///< cycles of a row of windows.csv; 0: none
    std::optional<cycle_window> one; ///< of the report
    bool what_if = false;
    bool pairs = false; ///< of changes, too
    deadline reruns_end;
    unsigned jobs = 1; ///< processes at a time

    /// TPCs side by side.
    bool is_chip() const { return config.chip.all_tpcs() > 1 && !tpc; }
};

/// Of the options of run_options(). Throws input_error.
run_request read_run_request(const command_arguments& arguments);

} // namespace isbesim::testbench
