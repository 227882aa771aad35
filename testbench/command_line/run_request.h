// SPDX-License-Identifier: Apache-2.0
// The request of `isbesim run`.
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
    result_place out;
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
    bool full = false;               ///< the summary has all tables
    std::optional<unsigned> tpc;     ///< the only TPC of a chip to simulate
    std::uint64_t every = 0;         ///< cycles per row of windows.csv; 0: no file
    std::optional<cycle_window> one; ///< window of the report
    bool what_if = false;
    bool pairs = false;    ///< also measure pairs of changes
    bool measures = false; ///< the likeliest steps, after the run
    deadline reruns_end;
    unsigned jobs = 1; ///< processes at a time

    /// True if several TPCs are simulated.
    bool is_chip() const { return config.chip.all_tpcs() > 1 && !tpc; }
};

/// Reads the options of run_options(). Throws input_error.
run_request read_run_request(const command_arguments& arguments);

} // namespace isbesim::testbench
