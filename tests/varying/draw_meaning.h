// SPDX-License-Identifier: Apache-2.0
// The vertices that must come out of a draw of TGSI texts: their meaning (text_meaning.h), stage after stage.
#pragma once

#include "models/pe/tessellation/tessellation.h"
#include "tests/varying/text_meaning.h"

namespace isbesim::test {

struct meant_draw {
    using word = text_meaning::word;

    std::vector<text_meaning> programs; ///< in pipeline order
    std::string topology = "points";    ///< of lists: points, lines, triangles, …_adjacency, patches
    unsigned vertex_count = 0;
    unsigned patch_vertices = 3;
    tessellation_state tessellation;
    /// Words of vertex attributes and of constants.
    std::function<word(unsigned vertex, unsigned address)> attribute;
    std::function<word(unsigned bank, unsigned offset)> constant;
};

struct meant_row {
    unsigned stream = 0;
    unsigned primitive = 0;
    unsigned vertex = 0;
    text_meaning::scalars values;
};

/// Stream after stream, in API order.
std::vector<meant_row> vertices_of(const meant_draw& draw);

} // namespace isbesim::test
