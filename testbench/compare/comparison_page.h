// SPDX-License-Identifier: Apache-2.0
// The result of compare_results(), for people.
#pragma once

#include <cstddef>
#include <iosfwd>
#include <vector>

#include <boost/json/object.hpp>

#include "testbench/compare/compared_result.h"
#include "testbench/report/report_page.h"

namespace isbesim::testbench {

/// `comparison`: compare.json's object. At most `most_rows` parts of stacks and paths, largest changes first.
report_page make_comparison_page(const boost::json::object& comparison, std::size_t most_rows);

/// compare.html: the page and its plots.
void write_comparison_html(std::ostream& out, const boost::json::object& comparison,
                           const std::vector<compared_result>& results);

} // namespace isbesim::testbench
