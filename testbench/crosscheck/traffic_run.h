// SPDX-License-Identifier: Apache-2.0
// Plays traffic straight into an ISBE back end, without SM and PE: what `crosscheck` and `replay` do.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "models/isbe/functional/isbe_counters.h"
#include "models/isbe/timing/isbe_module.h"
#include "models/machine_config.h"
#include "models/statistics/cycle_stack.h"
#include "models/statistics/latency_histogram.h"
#include "testbench/crosscheck/traces/answer_check.h"
#include "testbench/crosscheck/traces/trace_reader.h"
#include "testbench/crosscheck/traffic/coverage.h"
#include "testbench/crosscheck/traffic/random_traffic.h"
#include "testbench/crosscheck/traffic/traffic.h"
#include "testbench/rtl/lockstep.h"
#include "testbench/rtl/run_copies.h"

namespace isbesim::testbench {

/// Adds, after the last item of port 0, one read of every line of the storage: the final memory image goes through the
/// same comparison as everything else.
class with_memory_image : public traffic_source {
public:
    with_memory_image(traffic_source& source, const isbe_config& config) : source_(source), lines_(config.lines) {}
    const traffic_item* draw(unsigned port) override;

private:
    traffic_source& source_;
    unsigned lines_;
    unsigned line_ = 0;
    std::uint64_t last_cycle_ = 0;
    traffic_item read_;
};

struct traffic_outcome {
    std::uint64_t cycles = 0;       ///< cycle of the last response, counted from 0
    std::uint64_t transactions = 0; ///< that have responded
    bool stuck = false;             ///< no event was left, but not every operation had responded
    bool compared = false;          ///< `totals` and `mismatch_report` are valid
    bool differs = false;           ///< AT and RTL differ, or the RTL violated an assertion in lockstep
    lockstep_totals totals;
    std::string mismatch_report;
    std::uint64_t difference_cycle = 0; ///< of the first difference, if `differs`
    isbe_counters counters;
    std::vector<cycle_stack> stacks; ///< of the ISBE, until no event was left; empty if it keeps none
    std::array<latency_histogram, opcode_count> latency; ///< cycles from BEGIN_REQ to BEGIN_RESP
    std::uint64_t differences = 0; ///< operations of a trace whose response is not the recorded one
    std::string difference;        ///< description of the first
    std::optional<other_answer> first_difference;
    double wall_s = 0;
};

struct traffic_request {
    isbe_config config;
    unsigned warps = 64; ///< of an SM; for a replay
    double clock_ghz = 1.0;
    std::string backend = "lockstep"; ///< lt, at, rtl or lockstep
    bool check_protocol = false;
    coverage* bins = nullptr;                       ///< unless null, sampled with every response
    rtl_block_maker make_block = require_rtl_block; ///< the RTL of rtl and lockstep
    /// Lockstep only: before the operations, another instance of the block is compared over resets (reset_run.h).
    struct {
        std::uint64_t cycles = 0;
        std::uint64_t seed = 0;
        traffic_setting traffic;
    } resets;
    run_copies* copies = nullptr; ///< unless null, copies the run
    waveform* wave = nullptr;     ///< unless null, shows the ISBE
    /// Called at intervals with the number of transactions that have responded; may be empty.
    std::function<void(std::uint64_t)> progress;
    /// Called with the ISBE before the simulation starts, to attach observers; may be empty.
    std::function<void(isbe_module&)> prepare;
};

/// One per process (it elaborates). Throws std::invalid_argument if a needed RTL does not exist.
traffic_outcome run_traffic(const traffic_request& request, traffic_source& source);

/// Plays a trace and compares every response with the recorded one. Closed loop: an operation is requested when it is
/// due (replay_schedule.h). Open loop: it is requested in its recorded cycle, or as soon after it as its port accepts
/// it; the order is the recorded one only while the times are. Throws trace_error if the file can't be read.
traffic_outcome run_replay(const traffic_request& request, const trace_file& trace, bool open_loop);

} // namespace isbesim::testbench
