// SPDX-License-Identifier: Apache-2.0
// Finds the machine with a card's cycles, key after key, by running the tests that the key affects on the model.
#pragma once

#include <string>
#include <vector>

#include "testbench/command_line/card_measurement.h"
#include "testbench/system/config.h"

namespace isbesim::testbench {

/// The result of the search for one key.
struct key_finding {
    const config_key* key = nullptr;
    bool measured = false;      ///< its tests are present and not noisy
    std::vector<double> fits{}; ///< values that fit: lowest and highest number, or all names; may be empty

    bool is_told() const { return !fits.empty() && fits.front() == fits.back(); }
    std::string range_text() const; ///< if several fit: "2 to 12", "rotate or xor"
};

class card_search {
public:
    /// `card`: in cycles. `found`: the machine to begin with, replaced by the result.
    card_search(measured_model& model, const card_figures& card, machine_config& found);

    const std::vector<key_finding>& findings() const { return findings_; }
    /// The card's tests on the resulting machine.
    const card_figures& explained() const { return explained_; }
    bool explains_all() const;

private:
    struct number_key;
    struct queue_findings;
    struct trial;
    struct key_range {
        double low, high;
    };
    using test_names = std::vector<std::string>;
    static const number_key load_time, address_time, response_places, write_time, request_places;

    /// The state of the search.
    struct state {
        machine_config found;
        std::vector<key_finding> findings;
        card_figures explained;
        double open;
    };

    state state_now() const;
    void return_to(state before);
    bool search();
    void find_rest();
    bool find_rest_as_is();
    test_names present(const test_names& tests) const;
    trial try_machine(const machine_config& machine, const test_names& tests, int direction);
    key_finding find_number(const number_key& key, const std::vector<double>& within = {});
    void find_structure();
    int side_of_burst(double places, double latency);
    bool may_explain_burst(const key_range& responses, const key_range& writes);
    bool explain_burst(key_range& responses, key_range& writes);
    bool try_depth(queue_findings& all, double depth, bool by_burst);
    void find_queues();
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
    double open_ = 0; ///< cycles of a fetch that the keys' ranges leave open
};

} // namespace isbesim::testbench
