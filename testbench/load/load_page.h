// SPDX-License-Identifier: Apache-2.0
// Shows the curve of a load: a picture and a page that works offline.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "testbench/load/load_curve.h"

namespace isbesim::testbench {

/// The results of the curve, one sentence each.
std::vector<std::string> curve_sentences(const load_curve& curve);
inline constexpr double wide_picture = 760;
/// Latency over accepted bandwidth, or over operations if they move no bytes. `width`: of the picture, in which text is
/// 12 high.
void write_curve_svg(std::ostream& out, const load_curve& curve, double width = wide_picture);
/// `facts`: properties of the simulation, with their names.
void write_curve_page(std::ostream& out, const load_curve& curve,
                      const std::vector<std::pair<std::string, std::string>>& facts);

} // namespace isbesim::testbench
