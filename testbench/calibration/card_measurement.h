// SPDX-License-Identifier: Apache-2.0
// Results of isbesim_measure (testbench/measure), for a card or for a machine of the model.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "testbench/files/json_document.h"

namespace isbesim::testbench {

struct card_figure {
    double value = 0, spread = 0; ///< nanoseconds or cycles per step, or a count
    double bend = 0;              ///< change of the value with other numbers of trips, in the same unit
    bool noisy = false;
    bool counted = false; ///< a count, or cycles read by the program: independent of the clock

    /// From nanoseconds to cycles, unless `counted`.
    void count_cycles(double clock_ghz)
    {
        if (counted) return;
        for (auto* time : {&value, &spread, &bend}) *time *= clock_ghz;
    }
};

/// By test; "ald_warps.many" is the test with many primitives.
using card_figures = std::map<std::string, card_figure>;

std::vector<std::string> names_of(const card_figures& tests);

/// The reference for the other tests: no key of the ISBE changes it.
constexpr const char* reference_test = "alu";
/// The reference in cycles, if the driver's programs can read the clock.
constexpr const char* clock_test = "clock_alu";

struct card_measurement {
    std::string card, driver, reason;
    bool structure = false;
    card_figures tests;

    bool is_clock_read() const;
    /// From nanoseconds to cycles, with the spreads of tests that depend on keys which the search finds after them.
    void count_cycles(double clock_ghz);
};

/// Throws input_error. A card's file needs two repetitions, by which noise shows; the model's needs one.
card_measurement read_card_measurement(const json_document& file, bool of_model = false);

/// True if both are equal within their spreads and bends and 0.4 cycles (0.5 if counted).
bool is_explained(const card_figure& card, const card_figure& model);

} // namespace isbesim::testbench
