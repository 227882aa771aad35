// SPDX-License-Identifier: Apache-2.0
// A load, or a curve of loads, for people.
#pragma once

#include <string>
#include <vector>

#include <boost/json/object.hpp>

#include "testbench/load/load_curve.h"
#include "testbench/report/report_page.h"

namespace isbesim::testbench {

/// The figures of one load, in lines.
std::string load_text(const load_figures& figures);
/// The results of the curve, one sentence each.
std::vector<std::string> curve_sentences(const load_curve& curve);
/// `report`: report.json's object.
report_page make_curve_page(const load_curve& curve, const boost::json::object& report);
/// Latency over accepted bandwidth, or over operations if they move no bytes: a chart of the page.
boost::json::object curve_chart(const load_curve& curve);

} // namespace isbesim::testbench
