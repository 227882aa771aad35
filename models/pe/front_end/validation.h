// SPDX-License-Identifier: Apache-2.0
// Everything that can be wrong with a draw by itself, before it meets a machine.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "models/pe/front_end/draw.h"

namespace isbesim {

/// The draw is wrong; the text names the mistake and the expectation.
class draw_error : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// True when a header of type `type` may stand for a stage whose own type is `expected`. Behind a task stage a mesh
/// program is a tessellation program; the public sources don't agree on which of the two (HARDWARE.md D.6 says
/// TESSELLATION, Mesa's notes the control stage).
bool accepts_header_type(stage which, shader_type expected, shader_type type);

/// Throws draw_error for stage combinations and topologies that do not go together, a program of another architecture,
/// data shorter than the draw, values outside their range.
void validate_draw(const draw_call& draw);

/// Legal but suspicious settings of a valid draw, one line each: its headers' (sph.h), and what a geometry stage
/// says that its mode does not look at.
std::vector<std::string> warnings_of_draw(const draw_call& draw);

/// The geometry program, if any, runs without output state: gs_mode fast, or a header that says passthrough
/// (HARDWARE.md E.4).
bool is_fast_geometry(const draw_call& draw);

} // namespace isbesim
