// SPDX-License-Identifier: Apache-2.0
// Measures one draw on several machines, each in a separate process.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "models/pe/front_end/draw.h"
#include "testbench/processes/process_pool.h"
#include "testbench/system/system.h"
#include "testbench/what_if/machine_changes.h"
#include "testbench/what_if/rerun.h"

namespace isbesim::testbench {

/// Runs the draw on the machine of each change with an AT ISBE, at most `jobs` at a time. A rerun that does not end
/// before `until` has no figures. To be called before any simulation in this process. `progress` receives the number of
/// ended reruns.
std::vector<rerun> run_on_machines(const std::vector<machine_change>& changes, const draw_call& draw,
                                   const run_limits& limits, unsigned jobs, const deadline& until,
                                   const std::function<void(std::size_t)>& progress);

/// Reruns that are chosen after the run. No process can run two simulations, so a copy that is made before the run
/// waits for the choice. Without room for a process there are no reruns.
class later_reruns {
public:
    /// To be called before any simulation in this process.
    later_reruns(std::vector<machine_change> changes, const draw_call& draw, const run_limits& limits, unsigned jobs);
    ~later_reruns();
    later_reruns(const later_reruns&) = delete;
    later_reruns& operator=(const later_reruns&) = delete;

    const std::vector<machine_change>& changes() const { return changes_; }
    /// Reruns of the chosen changes, in this order. To be called once.
    std::vector<rerun> measure(const std::vector<std::size_t>& chosen);

private:
    std::vector<machine_change> changes_;
    int choice_[2] = {-1, -1}; ///< pipe; both ends stay open here, so that a copy that died raises no signal
    process_pool copy_;
};

} // namespace isbesim::testbench
