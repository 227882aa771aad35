// SPDX-License-Identifier: Apache-2.0
// Counts the passes of the observed operations under every rule of micro-architecture section 5 that affects them:
// access, banks, bank map, and the places of words by skew and the order of geometry slots.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "models/machine_config.h"
#include "testbench/calibration/observed_traffic.h"
#include "testbench/calibration/timing_fit.h"

namespace isbesim::testbench {

/// No ISBE of the micro-architecture page accepts the observed operation `number`.
class observation_error : public std::runtime_error {
public:
    observation_error(std::size_t number, const std::string& text) : std::runtime_error(text), number_(number) {}
    std::size_t number() const { return number_; }

private:
    std::size_t number_;
};

/// Rules under which all observed operations take the same passes.
struct pass_group {
    std::vector<isbe_config> machines; ///< that differ only in these keys, each combination once
    timing_fit::pass_list passes;
    std::uint64_t contradictions = 0; ///< operations whose response has other passes
};

/// Makes all groups, with storage, context slots and ports of `size`. `as_seen`: the passes of unbound operations are
/// those of their responses. Throws observation_error.
std::vector<pass_group> make_pass_groups(const observed_traffic& traffic, const isbe_config& size, bool as_seen);

} // namespace isbesim::testbench
