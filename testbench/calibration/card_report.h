// SPDX-License-Identifier: Apache-2.0
// The machine that was found for a card, for people and for programs.
#pragma once

#include <iosfwd>
#include <string>

#include <boost/json/object.hpp>

#include "testbench/calibration/card_search.h"

namespace isbesim::testbench {

/// A card's tests and rates, and what explains them.
struct explained_card {
    card_measurement card; ///< its tests in cycles, without the rates
    card_figures rates;
    machine_config found;
    card_findings structure, speed;
};

/// Prints the keys with their values, then the tests with the card's figures and the model's.
void print_card(std::ostream& out, const explained_card& result);

/// A file for --config. Each key has its source; `base`: whose values the other keys have, as "gm107's".
boost::json::object card_machine(const explained_card& result, const std::string& base);

} // namespace isbesim::testbench
