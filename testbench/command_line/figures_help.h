// `isbesim help figures`: the registry of figures (models/statistics/figure.h) for people and for scripts.
#pragma once

#include <iosfwd>

#include <boost/json/array.hpp>

namespace isbesim::testbench {

void print_figures_help(std::ostream& out);
/// models/statistics/FIGURES.md.
void print_figures_markdown(std::ostream& out);
/// An object per figure: key, unit, description, merge, better, cost_of, database, series, timeline.
boost::json::array figures_table_json();

} // namespace isbesim::testbench
