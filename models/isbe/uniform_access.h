// The usual ALD and AST: a logical address that is the same for the whole warp, no shared spaces, no fault anywhere.
// Every component then touches the same pattern of words, one rank further on, so vertices, bounds and passes are
// worked out once for all of them. The outcome is exactly the one of attribute_access and the general path.
#pragma once

#include <array>
#include <cstdint>

#include "models/isbe/context.h"
#include "models/machine_config.h"
#include "tlm/warp_op.h"

namespace isbesim {

struct uniform_access {
    bool store = false;
    unsigned components = 0;
    unsigned first_id = 0;   ///< attribute of component 0
    lane_mask reachable = 0; ///< bit c: component c is enabled and allocated; others are defaulted or dropped
    bool lane_order = false; ///< lane i has word i of a line: `index` holds 0..31
    per_lane<word> index{};  ///< word of every lane at rank 0, from the base of ATTR; inactive lanes: any of these
    std::array<word, max_components> base{}; ///< word index that `index` counts from, of reachable components

    /// False when `op` is not of this kind; nothing else is then of use. `op` has passed address_unit::check().
    bool resolve(const warp_op& op, const context& context, const isbe_config& config);

private:
    bool map_vertices(const warp_op& op, const context& context, const space_layout& space, const isbe_config& config,
                      word& highest);
};

} // namespace isbesim
