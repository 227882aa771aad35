// SPDX-License-Identifier: Apache-2.0
// The request of `isbesim run`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <boost/program_options.hpp>

#include "testbench/arguments/command_arguments.h"
#include "testbench/command_line/machine_options.h"
#include "testbench/processes/process_pool.h"
#include "testbench/report/cycle_window.h"
#include "testbench/rtl/isbe_backend.h"
#include "testbench/system/system.h"

namespace isbesim::testbench {

/// Values of the command's own options.
struct run_choices {
    std::string isbe = "at", sm_time = "at", record, strict, what_if;
    bool contained = false, no_vertices = false, check_protocol = false, no_critical_path = false;
    bool quiet = false, full = false;
    std::uint64_t seed = 1;
    std::optional<std::uint64_t> max_cycles, every, draw, frame;
    std::optional<unsigned> what_if_seconds, tpc;
    unsigned wave_sm = 0;

    boost::program_options::options_description options();
};

struct run_request : run_choices {
    /// Throws input_error.
    explicit run_request(std::vector<std::string> words);

    command_arguments arguments;
    std::string scenario_file;
    machine_config config;
    machine_programs machine;
    const isbe_backend* backend = nullptr;
    sm_timing timing = sm_timing::by_cycle;
    result_place out;
    run_limits limits;
    path_recording path = path_recording::sums;
    bool is_sequence = false;        ///< several draws of a capture
    std::optional<cycle_window> one; ///< window of the report
    bool measures = false;           ///< the likeliest steps, after the run
    deadline reruns_end;
    unsigned jobs = 1; ///< processes at a time

    /// True if several TPCs are simulated.
    bool is_chip() const { return config.chip.all_tpcs() > 1 && !tpc; }
    bool writes_vertices() const { return !no_vertices && !tpc; }
    bool is_estimate() const { return backend->style == warp_initiator::style::loosely_timed; }
    /// The place that names the ISBE, for errors about it.
    source_place isbe_place() const { return arguments.place_of("--isbe"); }

private:
    void read_tpc();
    void read_timing();
    void read_what_if();
    void read_jobs();
};

} // namespace isbesim::testbench
