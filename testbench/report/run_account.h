// SPDX-License-Identifier: Apache-2.0
// The counts of a run, without the machine that counted them. Reports are built from them; those of a chip's TPCs are
// added up.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/figures/instance_counters.h"
#include "models/statistics/cycle_stack.h"
#include "testbench/report/run_warnings.h"
#include "testbench/rtl/lockstep.h"
#include "tlm/cause_log.h"

namespace isbesim::testbench {

/// An SM with its ISBE.
struct site_account {
    sm_counters sm; ///< its warnings are in run_account
    pe_site_counters pe;
    isbe_counters isbe;
    std::vector<isbe_timing_counters> ports;
    std::uint64_t shared_port_cycles = 0;
};

/// The stages of the pipeline.
std::vector<stage> stages_of(const simulated_system& system);
/// Accounts of all SMs, so far.
std::vector<site_account> sites_of(simulated_system& system);
/// All counters of a site, with its ports added up and levels up to `cycles`.
instance_counters counters_of(const site_account& site, std::uint64_t cycles);

/// The counts of some cycles, of all SMs together.
struct window_account {
    std::uint64_t first = 0; ///< cycle
    std::uint64_t cycles = 0;
    instance_counters counters;
    std::vector<cycle_stack> stacks; ///< empty: not kept
};

struct run_account {
    std::vector<stage> stages; ///< stages of the pipeline
    std::vector<site_account> sites;
    pe_draw_counters draw;
    std::vector<cycle_stack> stacks; ///< empty: not kept
    std::vector<path_part> path;
    std::vector<run_warning> warnings; ///< not merged
    std::optional<lockstep_totals> comparison;
    std::vector<std::string> violations; ///< of the protocol, described
    std::uint64_t violation_count = 0;
    std::optional<window_account> window; ///< none: not requested; without cycles if the run ended before it

    std::uint64_t operations() const; ///< granted by the ports of all ISBEs
    std::uint64_t traps() const;
};

/// The account of a run that has ended. `loosely`: the SMs have no cycles, and therefore no stacks.
run_account account_of(simulated_system& system, const std::vector<input_warning>& input, bool loosely);

/// Serialized for another process, which reads it by account_from().
std::string to_bytes(run_account account);
run_account account_from(const std::string& bytes);

} // namespace isbesim::testbench
