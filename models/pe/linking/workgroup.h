// SPDX-License-Identifier: Apache-2.0
// What task and mesh workgroups have in common: one warp, and two spaces in one run of ISBE lines.
//
// A workgroup owns both its spaces, unlike the stages that share what an earlier one left: the input differs from one
// workgroup to the next in its first word, and with header bit 25 the outputs overwrite it. One run of lines for both
// keeps the allocator's promise that a reserve serves one warp (allocator.h).
//
// The layout is the skewed one whatever isbe.skew says: the programs compute its addresses themselves.
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
/// Both spaces from a line on; `enabled` is left to the caller.
space_pair place_workgroup(const workgroup_needs& needs, unsigned first_line);

} // namespace isbesim
