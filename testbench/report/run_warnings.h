// SPDX-License-Identifier: Apache-2.0
// Legal but suspicious input and behaviour, collected from the scenario, the draw and the programs for the report's
// `warnings`, the database and the terminal.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include <boost/json/array.hpp>

#include "testbench/files/input_warning.h"

namespace isbesim::testbench {

class simulated_system;
struct site_account;

struct run_warning {
    std::string kind;                ///< one word, for scripts; README.md lists them
    std::string text;                ///< one line, after the place if known
    std::string stage;               ///< "" if it is about the whole draw
    std::optional<std::uint32_t> pc; ///< byte address of the instruction
    std::uint64_t count = 1;         ///< occurrences: warp instructions, primitives; 1 for settings
    std::optional<std::uint64_t> first_cycle;
    std::optional<unsigned> sm; ///< the SM of the program; none for settings
};

/// Warnings of the input, then those of the ended run, SM by SM.
std::vector<run_warning> collect_warnings(const std::vector<input_warning>& input, simulated_system& system);

/// Merges the warnings of several SMs about the same place: counts add up, the earliest cycle stays.
std::vector<run_warning> merged(const std::vector<run_warning>& warnings);

/// [{kind, text, stage, pc, count, first_cycle}]; null if a warning has none.
boost::json::array warnings_json(const std::vector<run_warning>& warnings);

/// The traps of an ended run by place, the first one first.
std::vector<run_warning> traps_of(const std::vector<site_account>& sites);

/// Prints the first few, one per line, and their number; an empty list prints nothing. `what`: "warning" or "trap".
/// `where`: the file with all of them.
void print_warnings(std::ostream& err, const std::vector<run_warning>& warnings, const std::string& what,
                    std::uint64_t number, const std::string& where);

} // namespace isbesim::testbench
