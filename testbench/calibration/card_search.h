// SPDX-License-Identifier: Apache-2.0
// Finds the machine with a card's cycles, key after key, by running the tests that the key affects on the model.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "testbench/calibration/card_measurement.h"
#include "testbench/system/config.h"

namespace isbesim::testbench {

/// Runs tests on a machine of the model, in cycles; their names are those of card_figures. None if the machine cannot
/// run them. The clock does not matter. The spread of a figure is what the tests before it change.
using card_model =
    std::function<std::optional<card_figures>(const machine_config& machine, const std::vector<std::string>& tests)>;

/// The result of the search for one key.
struct key_finding {
    const config_key* key = nullptr;
    bool measured = false;      ///< its tests are present and not noisy
    std::vector<double> fits{}; ///< values that fit: lowest and highest number, or all names; may be empty

    bool is_determined() const { return !fits.empty() && fits.front() == fits.back(); }
    std::string range_text() const; ///< if several fit: "2 to 12", "rotate or xor"
};

struct card_findings {
    std::vector<key_finding> keys;
    card_figures explained; ///< the card's tests on the machine with these keys
    bool explains_all = true;
};

/// `card`: in cycles. `found`: the machine to begin with, replaced by the result.
card_findings find_card(const card_model& model, const card_figures& card, machine_config& found);

/// Takes the tests of rates out of `card`: each key is found from the draws that wait for nothing else
/// (testbench/measure/README.md).
card_figures take_rates(card_figures& card);

/// True if the model's time of an item is the card's, within its spread and a part of it.
bool is_same_rate(const card_figure& card, const card_figure& model);

/// find_card() for rates, in cycles of an item. A key whose draws take as long without its limit has all values from
/// the lowest that explains them.
card_findings find_rates(const card_model& model, const card_figures& card, machine_config& found);

} // namespace isbesim::testbench
