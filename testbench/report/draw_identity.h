// SPDX-License-Identifier: Apache-2.0
// `draw` of report.json: identifies the draw, so that two results of the same draw are known as such.
#pragma once

#include <boost/json/object.hpp>

#include "models/pe/front_end/draw.h"

namespace isbesim::testbench {

/// Sizes by their values, everything else by digests of its content. Before the run, which may write to the memory.
boost::json::object draw_identity(const draw_call& draw);

} // namespace isbesim::testbench
