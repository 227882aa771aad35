// SPDX-License-Identifier: Apache-2.0
// The plan of the cross-check: phases, each a kind of traffic that finds a kind of mistake soon.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "testbench/crosscheck/traffic/random_traffic.h"

namespace isbesim::testbench {

struct phase {
    const char* name;
    const char* description;
    unsigned histories;         ///< runs with seeds that follow each other; 0: not on the machine of the command
    std::uint64_t reset_cycles; ///< of run_resets(), before the operations
    std::uint64_t transactions;
    traffic_setting traffic;
    bool interfaces = false; ///< run_interfaces() instead of a comparison with the RTL
};

const std::vector<phase>& phases();
/// Null for an unknown name.
const phase* find_phase(const std::string& name);

/// The phase of a run of its own: --transactions.
inline constexpr auto usual_phase = "random";
/// Those that run on the named configurations, in which parameters differ from each other.
const std::vector<const char*>& phases_of_configurations();
const std::vector<const char*>& crosschecked_configurations();

} // namespace isbesim::testbench
