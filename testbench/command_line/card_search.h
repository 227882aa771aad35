// SPDX-License-Identifier: Apache-2.0
// The machine that takes a card's cycles: key after key, each by the tests that it changes and on the model itself.
#pragma once

#include <string>
#include <vector>

#include "testbench/command_line/card_measurement.h"
#include "testbench/system/config.h"

namespace isbesim::testbench {

/// What the measurement says of one key.
struct key_finding {
    const config_key* key = nullptr;
    bool measured = false;      ///< its tests are there and not noisy
    std::vector<double> fits{}; ///< of numbers: the lowest and the highest; of names: all. Empty: none does

    bool is_told() const { return !fits.empty() && fits.front() == fits.back(); }
    std::string range_text() const; ///< of more than one: "2 to 12", "rotate or xor"
};

class card_search {
public:
    /// `card`: in cycles. `found` is the machine to begin with, and becomes the one that was found.
    card_search(measured_model& model, const card_figures& card, machine_config& found);

    const std::vector<key_finding>& findings() const { return findings_; }
    /// The card's tests on the machine that was found.
    const card_figures& explained() const { return explained_; }
    bool explains_all() const;

private:
    struct number_key;
    struct trial;
    using test_names = std::vector<std::string>;
    static const number_key response_places, write_time, request_places; ///< how writes and queues are seen

    /// What the search has come to.
    struct state {
        machine_config found;
        std::vector<key_finding> findings;
        card_figures explained;
    };

    state state_now() const;
    void return_to(state before);
    bool search();
    void find_rest();
    bool find_rest_as_is();
    test_names present(const test_names& tests) const;
    trial try_machine(const machine_config& machine, const test_names& tests, int direction);
    key_finding find_number(const number_key& key);
    void find_structure();
    void find_writes();
    void find_ports();
    void find_geometry();
    void find_lines();
    void keep(key_finding found);
    const key_finding& finding_of(const config_key* key) const;

    measured_model& model_;
    const card_figures& card_;
    machine_config& found_;
    std::vector<key_finding> findings_;
    card_figures explained_;
};

} // namespace isbesim::testbench
