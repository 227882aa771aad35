// SPDX-License-Identifier: Apache-2.0
// Reports to memory and conditional rendering, which the 3D and compute classes share.
#pragma once

#include "testbench/gl/channel/engine.h"
#include "testbench/gl/channel/three_d_state.h"

namespace isbesim::gl {

/// Executes a write to three_d::report.
void write_report(const channel_parts& parts, const three_d_state& state, std::uint32_t what);

/// Executes a write to three_d::clear_report: resets a counter to 0, for all streams.
void clear_report(const channel_parts& parts, std::uint32_t which);

/// True if the condition of the class and that of all classes hold.
bool rendering_enabled(const channel_parts& parts, const three_d_state& state);

} // namespace isbesim::gl
