// SPDX-License-Identifier: Apache-2.0
// Reads TGSI text: one statement per line, `DCL` optional, comments `//` and `#`.
//
//   DCL OUT[0..7].x, CLIPDIST, ARRAY(1)          scalars, one register each
//   OUT[4..5].xyz, GENERIC[3].x                  vectors of three, packed from component x of GENERIC[3] on
//   OUT[0..7].x, GENERIC[0..7]                   a semantic index for every register: GENERIC[0].x, GENERIC[1].x, …
//   MOV OUT(1)[ADDR[0].x+1].y, IMM[0].xxxx       element ADDR[0].x + 1 of array 1
//   MOV OUT[ADDR[0].x+1](1).y, IMM[0].xxxx       the same by register number
//   DCL OUT[0..1], GENERIC[0], ARRAY(1), COMPONENT_INDEX
//   MOV OUT(1)[ADDR[0].x+1].y, IMM[0].xxxx       component ADDR[0].x + 4 * 1 + 1 of the array's eight
#pragma once

#include <string_view>
#include <vector>

#include "models/varying/language/shader.h"

namespace isbesim::varying {

/// The programs of a text. A line VERT, TESS_CTRL, TESS_EVAL, GEOM or FRAG begins a program; a text without such a line
/// is a single program of kind `unspecified`. Throws shader_error at the first error.
std::vector<shader> parse(std::string_view text);

} // namespace isbesim::varying
