// SPDX-License-Identifier: Apache-2.0
// `critical_path` of report.json: the reason of every cycle of the draw, from its end back to its start (tlm/cause.h).
#pragma once

#include <string>
#include <vector>

#include <boost/json/object.hpp>

#include "tlm/cause_log.h"

namespace isbesim::testbench {

/// "passes.geometry", "write_latency.vertex_input", "pipeline_latency.vertex_output": reason, stage, and the part of a
/// warp's life unless it runs.
std::string part_name(const path_part& part);
std::string place_name(path_place place);

/// {"cycles": N, "parts": {name: cycles}, "counts": {name: traversals}}; parts add up to cycles.
boost::json::object path_json(const std::vector<path_part>& path);

/// One sentence about the reasons of most cycles. `path`: from path_json().
std::string path_text(const boost::json::object& path);

/// Explains the parts, for pages.
std::string path_covers();

} // namespace isbesim::testbench
