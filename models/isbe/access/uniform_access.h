// SPDX-License-Identifier: Apache-2.0
// The usual loads and stores, in which every component touches the same pattern of words, shifted by a fixed distance:
// ALD and AST with one address for the whole warp, ISBERD and ISBEWR of aligned words. Vertices, bounds and passes are
// then computed once for all components. Other operations (another form, an address out of range) are left to
// attribute_access and the general path. Both use the same rules (models/isbe/rules).
#pragma once

#include <array>

#include "models/isbe/access/resolved_op.h"
#include "models/isbe/functional/context.h"
#include "models/isbe/functional/lane_set.h"
#include "models/isbe/functional/passes.h"
#include "models/machine_config.h"
#include "tlm/warp_op.h"

namespace isbesim {

struct uniform_access {
    bool store = false;
    bool run = false;          ///< `index` is not filled: it is first + i, modulo 2^32
    bool track_shared = false; ///< as in resolved_op
    unsigned components = 0;
    unsigned first_id = 0;   ///< attribute of component 0
    lane_mask lanes = 0;     ///< lanes with a vertex or an address; `masked_off` has the reasons of the others
    lane_mask reachable = 0; ///< bit c: component c reaches the storage; others are defaulted or dropped
    unsigned served = 0;     ///< components that reach the storage in at least one lane
    word first = 0;
    std::array<word, max_components> base{}; ///< word index to add to `index`; for reachable components
    per_lane<word> index{};                  ///< 0 for lanes outside `lanes`
    pass_count count;                        ///< of each reachable component
    status_masks masked_off;
    discard_counts discarded; ///< words of lanes that a store masked off, per component

    /// False if `op` is not of this kind; the members then have no meaning. `op` has passed address_unit::check().
    bool resolve(const warp_op& op, const context& context, const isbe_config& config, pass_counter& passes);

    /// `index`, also filled in for a run.
    per_lane<word> words() const;

private:
    bool attribute(const warp_op& op, const context& context, const isbe_config& config);
    bool vertices(const warp_op& op, const context& context, const isbe_config& config, const space_layout& space);
    bool patches(const warp_op& op, const context& context, const space_layout& space);
    bool aligned_words(const warp_op& op, const context& context, const isbe_config& config);

    void mask_off(lane_set bad_state, lane_set no_slot, lane_set no_vertex);
    word keep(const per_lane<word>& vertex);
    word keep_existing(const per_lane<word>& vertex, word vertex_count);
    void find_run();
    void place(word n, word highest, bool skew);
};

} // namespace isbesim
