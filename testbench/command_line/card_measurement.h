// SPDX-License-Identifier: Apache-2.0
// Results of isbesim_measure (testbench/measure), for a card or for a machine of the model.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "models/machine_config.h"
#include "testbench/files/json_document.h"
#include "testbench/gl/chip/chip.h"

namespace isbesim::testbench {

struct card_figure {
    double value = 0, spread = 0; ///< nanoseconds or cycles per step, or a count
    double bend = 0;              ///< what the value changes with other numbers of trips, in the same unit
    bool noisy = false;
    bool counted = false; ///< a count, or cycles read by the program: independent of the clock

    /// From nanoseconds to cycles, if `clock_ghz` applies.
    void count_cycles(double clock_ghz)
    {
        if (counted) return;
        for (auto* time : {&value, &spread, &bend}) *time *= clock_ghz;
    }
};

/// By test; "ald_warps.many" is the test with many primitives.
using card_figures = std::map<std::string, card_figure>;

std::vector<std::string> names_of(const card_figures& tests);

struct card_measurement {
    std::string card, driver, reason;
    bool structure = false;
    card_figures tests;
};

/// The reference for the other tests: no key of the ISBE changes it.
constexpr const char* reference_test = "alu";
/// The same in cycles, if the driver's programs can read the clock.
constexpr const char* clock_test = "clock_alu";

/// Throws input_error. A card's file has at least two repetitions, by which noise shows; the model's needs one.
card_measurement read_card_measurement(const json_document& file, bool of_model = false);

/// True if both are equal within their spreads and the resolution of the card's timer.
bool is_explained(const card_figure& card, const card_figure& model);

/// Runs the tests on machines of the model, in cycles. Keeps results, so nothing is measured twice.
class measured_model {
public:
    explicit measured_model(const gl::chip& chip) : chip_(chip) {}

    /// The figures of `tests`, named as in card_figures, and others of the machine. None if the machine cannot run
    /// them. The clock does not matter. The spread of a figure is what the tests before it change.
    std::optional<card_figures> run(machine_config config, const std::vector<std::string>& tests);

private:
    struct machine_figures {
        std::set<std::string> tested; ///< as in isbesim_measure's option
        card_figures figures;
    };

    const gl::chip& chip_;
    std::map<std::string, machine_figures> known_;
    std::set<std::string> refused_; ///< machine and tests
};

} // namespace isbesim::testbench
