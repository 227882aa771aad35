// SPDX-License-Identifier: Apache-2.0
// The maps of a space, asked for an attribute per lane: what ALD, AST and AL2P begin with (micro-architecture sections
// 3, 4.2 and 4.4). Lanes never wait for each other here: addresses that differ cost what equal ones do.
#pragma once

#include <algorithm>
#include <cstdint>

#include "models/isbe/functional/context.h"
#include "tlm/warp_op.h"

namespace isbesim {

inline unsigned component_count(const warp_op& op)
{
    return std::clamp<unsigned>(op.size, 1, max_components);
}

struct map_lookup {
    lane_mask inside = 0;       ///< lanes with an attribute's address, 0 .. 0x3ff
    per_lane<word> id{};        ///< of component 0; some attribute for every lane, below 256
    per_lane<word> rank{};      ///< of that
    per_lane<word> allocated{}; ///< bit c: component c is allocated
    per_lane<word> enabled{};   ///< bit c: and enabled

    /// Logical addresses. Inactive lanes may be `inside` too.
    void find(const warp_op& op, const space_layout& space);
};

/// AL2P of every lane of the mask, 0 for others. `found` is of the same operation.
void translate_al2p(const map_lookup& found, const warp_op& op, per_lane<word>& results);

} // namespace isbesim
