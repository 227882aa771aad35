// SPDX-License-Identifier: Apache-2.0
// Checks of a draw that do not depend on the machine.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "models/pe/front_end/draw.h"

namespace isbesim {

/// The draw is invalid; the text names the mistake and the expected value.
class draw_error : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// True if a header of type `type` is valid for a stage whose own type is `expected`. After a task stage, a mesh
/// program is a tessellation program; the public sources disagree on which of the two (HARDWARE.md D.6 says
/// TESSELLATION, Mesa's notes the control stage).
bool accepts_header_type(stage which, shader_type expected, shader_type type);

/// Throws draw_error for invalid combinations of stages and topology, a program of another architecture, data shorter
/// than the draw, and values out of range.
void validate_draw(const draw_call& draw);

/// Legal but suspicious settings of a valid draw, one line each: those of its headers (sph.h), and settings of a
/// geometry stage that its mode ignores.
std::vector<std::string> warnings_of_draw(const draw_call& draw);

/// True if there is a geometry stage and it runs without output state: gs_mode fast or a passthrough header
/// (HARDWARE.md E.4).
bool is_fast_geometry(const draw_call& draw);

} // namespace isbesim
