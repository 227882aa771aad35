// The usual loads and stores, in which nothing goes wrong and every component touches the same pattern of words, a
// fixed distance further on: ALD and AST with one address for the whole warp, ISBERD and ISBEWR of aligned words.
// Vertices, bounds and passes are then worked out once for all components. Whatever is out of the ordinary (another
// form, a fault, shared spaces, lanes that write one word) is left to attribute_access and the general path; the
// outcome is the same.
#pragma once

#include <array>
#include <cstdint>

#include "models/isbe/context.h"
#include "models/isbe/passes.h"
#include "models/machine_config.h"
#include "tlm/warp_op.h"

namespace isbesim {

struct uniform_access {
    bool store = false;
    unsigned components = 0;
    unsigned first_id = 0;   ///< attribute of component 0
    lane_mask reachable = 0; ///< bit c: component c reaches the storage; others are defaulted or dropped
    std::array<word, max_components> base{}; ///< word index that `index` counts from, of reachable components
    per_lane<word> index{};                  ///< inactive lanes: that of any active one, or of the same line
    pass_count count;                        ///< of each reachable component

    /// False when `op` is not of this kind; nothing else is then of use. `op` has passed address_unit::check().
    bool resolve(const warp_op& op, const context& context, const isbe_config& config);

private:
    bool attribute(const warp_op& op, const context& context, const isbe_config& config);
    bool vertices(const warp_op& op, const context& context, const isbe_config& config, const space_layout& space);
    bool output_slots(const warp_op& op, const geometry_output& geometry, gs_slot_order order);
    bool patches(const warp_op& op, const context& context, const space_layout& space);
    bool aligned_words(const warp_op& op, const context& context, const isbe_config& config);

    bool lane_order_ = false; // lane i has word i of a line
};

} // namespace isbesim
