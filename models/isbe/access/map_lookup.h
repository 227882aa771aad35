// SPDX-License-Identifier: Apache-2.0
// Looks up one attribute per lane in the maps of a space: the first step of ALD, AST and AL2P (micro-architecture
// sections 3, 4.2 and 4.4). Lanes never wait for each other here: different addresses cost as much as equal addresses.
#pragma once

#include <algorithm>

#include "models/isbe/functional/context.h"
#include "tlm/warp_op.h"

namespace isbesim {

inline unsigned component_count(const warp_op& op)
{
    return std::clamp<unsigned>(op.size, 1, max_components);
}

struct map_lookup {
    lane_mask inside = 0;       ///< lanes whose address is an attribute's: 0 .. 0x3ff
    per_lane<word> id{};        ///< of component 0; below 256 in every lane, also outside `inside`
    per_lane<word> rank{};      ///< rank of that attribute
    per_lane<word> allocated{}; ///< bit c: component c is allocated
    per_lane<word> enabled{};   ///< bit c: component c is enabled, and allocated unless it lies in PRIM
    per_lane<word> in_prim{};   ///< bit c: component c lies in PRIM

    /// For logical addresses. Inactive lanes may be `inside`, too.
    void find(const warp_op& op, const space_layout& space);
};

/// AL2P results of the active lanes, 0 for others. `found` is that of the same operation.
void translate_al2p(const map_lookup& found, const warp_op& op, per_lane<word>& results);

} // namespace isbesim
