// SPDX-License-Identifier: Apache-2.0
// How many passes the observed operations take under every rule of the page that decides about it (micro-architecture
// section 5): access, banks, bank map, and where words lie, skew and the order of geometry slots.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "models/machine_config.h"
#include "testbench/calibration/observed_traffic.h"
#include "testbench/calibration/timing_fit.h"

namespace isbesim::testbench {

/// No ISBE of the page accepts the observed operation `number`.
class observation_error : public std::runtime_error {
public:
    observation_error(std::size_t number, const std::string& text) : std::runtime_error(text), number_(number) {}
    std::size_t number() const { return number_; }

private:
    std::size_t number_;
};

/// Rules under which all observed operations take the same passes.
struct pass_group {
    std::vector<isbe_config> machines; ///< that differ in these keys alone, each combination once
    timing_fit::pass_list passes;
    std::uint64_t contradictions = 0; ///< operations whose response names other passes
};

/// All groups; storage, context slots and ports are those of `size`. Throws observation_error.
std::vector<pass_group> make_pass_groups(const observed_traffic& traffic, const isbe_config& size);

} // namespace isbesim::testbench
