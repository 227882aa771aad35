// SPDX-License-Identifier: Apache-2.0
// How the PE places the regions of one space in the lines it allocated: ATTR first (it must start on a line), then MAP,
// PRIM and PATCH, each on a word. And where one attribute component of 32 consecutive vertices lies, because that is
// what the PE moves in one physical access.
#pragma once

#include "models/attribute/attribute_set.h"
#include "models/attribute/layout.h"
#include "models/isbe/functional/context.h"

namespace isbesim {

/// What a space has to hold.
struct space_needs {
    attribute_set allocated;
    unsigned vertices = 0;
    unsigned extra_lines = 0; ///< ATTR lines after the vertices: per-primitive attributes and shared memory
    unsigned map_bytes = 0;
    unsigned prim_bytes = 0;
    unsigned patch_words = 0; ///< per patch
    unsigned patches = 0;
};

/// Header bit 25: what a stage's lines must have room for besides its own space, because other spaces lie there too.
/// All ATTR regions start on the same line, so that the largest counts (US patent 9,214,008 sizes them so); MAP, PRIM
/// and PATCH regions follow, one space's after the other's.
struct shared_room {
    unsigned attr_bytes = 0; ///< of the largest ATTR region, whole lines
    unsigned rest_bytes = 0; ///< of all other regions
    void add(const space_needs& needs, bool skew);
};

/// 128-byte lines of the whole space.
unsigned space_lines(const space_needs& needs, bool skew, const shared_room& room = {});

/// The space at a line; `enabled` is left to the caller.
space_layout place_space(const space_needs& needs, unsigned first_line, bool skew, const shared_room& room = {});

/// A space whose ATTR region starts where that of `input` does and whose other regions start after all of `input`, in
/// lines that place_space() gave room for both.
space_layout place_over(const space_layout& input, const space_needs& needs, bool skew);

/// First byte after all regions.
word end_of(const space_layout& space);

/// Both spaces of a stage that makes its own input, with header bit 25. The input has an ATTR region only.
struct space_pair {
    space_layout input;
    space_layout output;
};
unsigned shared_space_lines(const space_needs& input, const space_needs& output, bool skew,
                            const shared_room& room = {});
space_pair place_shared_spaces(const space_needs& input, const space_needs& output, unsigned first_line, bool skew,
                               const shared_room& room = {});

/// Byte addresses base + i * stride of one component of vertices 32 * group + i.
struct component_run {
    word base = 0;
    word stride = 0;
};
component_run attribute_run(const space_layout& space, unsigned attribute, unsigned group, bool skew);

} // namespace isbesim
