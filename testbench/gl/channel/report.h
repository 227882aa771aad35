// SPDX-License-Identifier: Apache-2.0
// What the 3D class and compute have alike: reports to memory, and the condition of conditional rendering.
#pragma once

#include "testbench/gl/channel/engine.h"
#include "testbench/gl/channel/three_d_state.h"

namespace isbesim::gl {

/// Carries out a write to three_d::report.
void write_report(const channel_parts& parts, const three_d_state& state, std::uint32_t what);

/// Carries out a write to three_d::clear_report: a counter, of all streams, begins at 0 again.
void clear_report(const channel_parts& parts, std::uint32_t which);

/// By the condition of the class and that of all.
bool rendering_enabled(const channel_parts& parts, const three_d_state& state);

} // namespace isbesim::gl
