// SPDX-License-Identifier: Apache-2.0
// Turns a warp operation into word accesses: the word that each lane touches per component, and the results that do not
// come from storage, i.e. default values, AL2P results and status bits (micro-architecture section 4).
#pragma once

#include <array>

#include "models/isbe/access/resolved_op.h"
#include "models/isbe/functional/context.h"
#include "models/isbe/rules/memory_regions.h"
#include "models/isbe/rules/shared_spaces.h"
#include "models/machine_config.h"
#include "tlm/warp_op.h"

namespace isbesim {

/// Place and size of a region of ISBERD and ISBEWR, in bytes. A look-up: a branch on the region would be unpredictable.
inline rules::region_extent<word> extent_of(region region, const space_layout& space, word storage_bytes)
{
    rules::region_extent<word> extents[region_count];
    for (word each = 0; each < region_count; ++each) extents[each] = rules::extent_of(each, space, storage_bytes);
    return extents[static_cast<word>(region)];
}

/// ISBERD or ISBEWR of the whole storage, which needs no context.
constexpr bool names_storage(const warp_op& op)
{
    // & and not &&: branches on these conditions would be unpredictable.
    return is_raw(op.op) & (op.region == region::physical);
}

/// True if `op` sets the overwritten bits of its words (a store) or reports them (a load), by section 4.7.
constexpr bool tracks_overwrites(const warp_op& op, const context& context)
{
    return rules::tracks_overwritten(context.shared_spaces, names_storage(op), is_store(op.op),
                                     op.space == space::input);
}

class address_unit {
public:
    explicit address_unit(const isbe_config& config);

    /// The error of section 4.1 that `op` has in `context`. The caller checks BIND and the slot number.
    static op_error check(const warp_op& op, const context& context);

    /// Fills `resolved`, and in `result`, which the caller has cleared, the values that do not come from storage. `op`
    /// has passed check() and is neither OUT (gs_state.h) nor BIND.
    void resolve(const warp_op& op, const context& context, resolved_op& resolved, warp_result& result) const;

    /// Default value of attribute `id`: section 4.2's table.
    word default_value(unsigned id) const { return defaults_[id]; }

private:
    void raw(const warp_op& op, const context& context, resolved_op& resolved, status_masks& status) const;

    isbe_config config_;
    std::array<word, attribute_ids> defaults_; // section 4.2's table by attribute id
};

} // namespace isbesim
