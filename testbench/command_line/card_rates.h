// SPDX-License-Identifier: Apache-2.0
// Rates of a card: each key is found from the draws that wait for nothing else (testbench/measure/README.md).
#pragma once

#include <string>
#include <vector>

#include "testbench/command_line/card_search.h"

namespace isbesim::testbench {

/// Takes the tests of rates out of `card`.
card_figures take_rates(card_figures& card);

/// True if the model's time of an item is the card's, within its spread and a part of it.
bool is_same_rate(const card_figure& card, const card_figure& model);

struct rate_findings {
    std::vector<key_finding> keys;
    card_figures explained; ///< all of the card's rates on the machine with these keys
};

/// `card`: cycles of an item. `found` has the keys of the result; a key whose draws take as long without its limit has
/// all values from the lowest that explains them.
rate_findings find_rates(measured_model& model, const card_figures& card, machine_config& found);

} // namespace isbesim::testbench
