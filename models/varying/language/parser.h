// SPDX-License-Identifier: Apache-2.0
// Reads TGSI text: one statement per line, `DCL` optional, comments `//` and `#`.
//
//   DCL OUT[0..7].x, CLIPDIST, ARRAY(1)          scalars, one register each
//   OUT[4..5].xyz, GENERIC[3].x                  vectors of three, packed from GENERIC[3].x on
//   OUT[0..7].x, GENERIC[0..7]                   a semantic index for every register: GENERIC[0].x, GENERIC[1].x, …
//   MOV OUT(1)[ADDR[0].x+1].y, IMM[0].xxxx       element ADDR[0].x + 1 of array 1
//   MOV OUT[ADDR[0].x+1](1).y, IMM[0].xxxx       the same by register number
//   DCL OUT[0..1], GENERIC[0], ARRAY(1), COMPONENT_INDEX
//   MOV OUT(1)[ADDR[0].x+1].y, IMM[0].xxxx       component ADDR[0].x + 4 * 1 + 1 of the array's eight
//   OUT[0].xyzw, ARRAY(1)                        the same as the mail that proposed arrays writes it: .xyzw in the
//   MOV OUT(array 1)[ADDR[0].x+1].y, IMM[0].xxxx declaration and "array" in the access
//   OUT[0..1], GENERIC[0], ARRAY(1)              declarations that continue each other are one array
//   OUT[2..3], GENERIC[2], ARRAY(1)
#pragma once

#include <string_view>
#include <vector>

#include "models/varying/language/shader.h"

namespace isbesim::varying {

/// What `.x`, `.xy` and `.xyz` mean after a range of registers: packed registers of one to three components, as in that
/// mail, or the used components of whole vectors, as in dumps of drivers. Not stated: packed, with a
/// warning where a DCL makes a dump likely.
enum class mask_reading : std::uint8_t { not_stated, packed, usage };

/// The programs of a text. A line VERT, TESS_CTRL, TESS_EVAL, GEOM or FRAG begins a program; a text without such a line
/// is a single program of kind `unspecified`. Throws shader_error at the first error.
std::vector<shader> parse(std::string_view text, mask_reading masks = mask_reading::not_stated);

} // namespace isbesim::varying
