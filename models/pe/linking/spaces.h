// SPDX-License-Identifier: Apache-2.0
// Places the regions of a space in the lines that the PE allocated: ATTR first (it must start on a line), then MAP,
// PRIM and PATCH, each on a word. Also finds one attribute component of 32 consecutive vertices, the unit that the PE
// moves in one physical access.
#pragma once

#include "models/attribute/attribute_set.h"
#include "models/attribute/layout.h"
#include "models/isbe/functional/context.h"

namespace isbesim {

/// Contents of a space.
struct space_needs {
    attribute_set allocated;
    unsigned vertices = 0;
    unsigned extra_lines = 0; ///< ATTR lines after the vertices: per-primitive attributes and shared memory
    unsigned map_bytes = 0;
    unsigned prim_bytes = 0;
    unsigned patch_words = 0; ///< per patch
    unsigned patches = 0;
};

/// Header bit 25: room in a stage's lines for other spaces that share them. All ATTR regions start on the same line, so
/// only the largest counts (as in US patent 9,214,008); MAP, PRIM and PATCH regions follow, one space after the other.
struct shared_room {
    unsigned attr_bytes = 0; ///< of the largest ATTR region, whole lines
    unsigned rest_bytes = 0; ///< of all other regions
    void add(const space_needs& needs, bool skew);
};

/// 128-byte lines of the whole space.
unsigned space_lines(const space_needs& needs, bool skew, const shared_room& room = {});

/// Places the space at a line; the caller sets `enabled`.
space_layout place_space(const space_needs& needs, unsigned first_line, bool skew, const shared_room& room = {});

/// Places a space over `input`: its ATTR region starts where that of `input` does, its other regions start after the
/// end of `input`. place_space() of `input` must have left room for both.
space_layout place_over(const space_layout& input, const space_needs& needs, bool skew);

/// First byte after all regions.
word end_of(const space_layout& space);

/// Both spaces of a stage that makes its own input. With header bit 25 they share lines. The input has only an ATTR
/// region.
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

/// Common to task and mesh workgroups: one warp, and two spaces in one run of ISBE lines.
///
/// A workgroup owns both its spaces, unlike stages whose input is the output of an earlier stage: the first word of the
/// input is different for each workgroup, and with header bit 25 the outputs overwrite the input. One run of lines for
/// both keeps the allocator's promise that a reserve serves one warp (allocator.h).
///
/// The layout is always skewed, regardless of isbe.skew: the programs compute its addresses themselves.
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
