// SPDX-License-Identifier: Apache-2.0
// What compare_results() found, for people.
#pragma once

#include <cstddef>
#include <iosfwd>
#include <vector>

#include <boost/json/object.hpp>

#include "testbench/compare/compared_result.h"
#include "testbench/report/report_page.h"

namespace isbesim::testbench {

/// `comparison` as compare.json has it; at most `most_rows` parts of stacks and paths, those that moved furthest first.
report_page make_comparison_page(const boost::json::object& comparison, std::size_t most_rows);

/// compare.html: the page and its plots.
void write_comparison_html(std::ostream& out, const boost::json::object& comparison,
                           const std::vector<compared_result>& results);

} // namespace isbesim::testbench
