// SPDX-License-Identifier: Apache-2.0
// `isbesim help figures`: the registry of figures (models/figures/instance_counters.h) for people and for scripts; the
// manual page and completion.
#pragma once

#include <iosfwd>
#include <string>
#include <utility>
#include <vector>

#include <boost/json/array.hpp>

#include "models/figures/instance_counters.h"

namespace isbesim::testbench {

/// Figures with `word` in their key or description, or as their key; all figures for "".
std::vector<const figure*> figures_about(const std::string& word);
/// The same for the report's other keys (`stacks`, `bottleneck`, ...), with their descriptions.
std::vector<std::pair<std::string, std::string>> facts_about(const std::string& word);
void print_figures_help(std::ostream& out, const std::string& word);
/// An object per figure: key, unit, description, merge, better, cost_of, database, series, timeline.
boost::json::array figures_table_json(const std::string& word);

/// `isbesim help --man`: isbesim.1, for man(1).
void print_manual_page(std::ostream& out);

/// `isbesim help --bash-completion`: commands, options, and the values of those that have names.
void print_bash_completion(std::ostream& out);

} // namespace isbesim::testbench
