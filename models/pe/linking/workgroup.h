// SPDX-License-Identifier: Apache-2.0
// Common to task and mesh workgroups: one warp, and two spaces in one run of ISBE lines.
//
// A workgroup owns both its spaces, unlike stages whose input is the output of an earlier stage: the first word of the
// input is different for each workgroup, and with header bit 25 the outputs overwrite the input. One run of lines for
// both keeps the allocator's promise that a reserve serves one warp (allocator.h).
//
// The layout is always skewed, regardless of isbe.skew: the programs compute its addresses themselves.
#pragma once

#include "models/pe/linking/spaces.h"

namespace isbesim {

struct workgroup_needs {
    unsigned threads = 0;
    space_needs input;
    space_needs output;
    bool shared = false; ///< header bit 25
};

/// 128-byte lines of both spaces.
unsigned workgroup_lines(const workgroup_needs& needs);
/// Places both spaces from a line on; the caller sets `enabled`.
space_pair place_workgroup(const workgroup_needs& needs, unsigned first_line);

} // namespace isbesim
