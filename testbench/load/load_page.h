// SPDX-License-Identifier: Apache-2.0
// The curve of a load for people: a picture and a page that works offline.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "testbench/load/load_curve.h"

namespace isbesim::testbench {

/// What the curve says, a sentence each.
std::vector<std::string> curve_sentences(const load_curve& curve);
inline constexpr double wide_picture = 760;
/// Latency over accepted bandwidth, or over operations where those move no bytes. `width`: of the picture, whose text
/// has 12 of it.
void write_curve_svg(std::ostream& out, const load_curve& curve, double width = wide_picture);
/// `facts`: names and values of the simulation.
void write_curve_page(std::ostream& out, const load_curve& curve,
                      const std::vector<std::pair<std::string, std::string>>& facts);

} // namespace isbesim::testbench
