// SPDX-License-Identifier: Apache-2.0
// ALD and AST of any kind: attribute addresses, vertices, maps and defaults (micro-architecture sections 4.2 and 4.3).
//
// One object serves one operation. Each step processes the 32 lanes in one loop, whatever their addresses, and records
// the outcome of each test in lane masks; the order of tests then decides for all lanes at once. These loops write only
// to local variables, so that the compiler can vectorise them.
#pragma once

#include <array>

#include "models/attribute/attribute_set.h"
#include "models/isbe/access/resolved_op.h"
#include "models/isbe/functional/context.h"
#include "models/isbe/functional/lane_set.h"
#include "models/isbe/rules/attribute_tests.h"
#include "models/machine_config.h"

namespace isbesim {

class attribute_access {
public:
    using default_table = std::array<word, attribute_ids>;

    /// The inputs of the computation, and the places for its results.
    struct parts {
        const isbe_config& config;
        const default_table& defaults; ///< section 4.2's default values by attribute id
        const warp_op& op;
        const context& slot;
        const space_layout& space; ///< the slot's space that the operation accesses
        resolved_op& resolved;
        warp_result& result; ///< receives default values
        status_masks& status;
    };

    explicit attribute_access(const parts& given);

    /// Logical and .PHYS forms.
    void vertex();
    /// .P form.
    void patch();

private:
    using facts = rules::attribute_facts<lane_set>;
    using verdict = rules::attribute_verdict<lane_set>;

    /// The vertex of each lane: its byte offset at rank 0, and the lanes without a vertex.
    struct vertex_map {
        per_lane<word> offset;
        lane_mask bad_state = 0;
        lane_mask no_slot = 0;
        lane_mask no_vertex = 0;
    };

    facts logical();
    facts physical();
    vertex_map vertices() const;
    vertex_map numbered(const per_lane<word>& vertex) const;

    void next_rank(unsigned c);
    lane_mask enabled(unsigned c) const;
    void component(unsigned c, const facts& named, const vertex_map& map);
    void in_prim(unsigned c, const facts& named);
    lane_mask lanes_in_prim(unsigned c) const;
    lane_mask primitive_ids() const;
    void take(unsigned c, const facts& known, const per_lane<word>& index);
    void disabled(unsigned c, lane_mask lanes);
    void out_of_range(lane_mask lanes);

    parts parts_;
    map_lookup& at_;     ///< `rank` advances from component to component
    unsigned allocated_; ///< n of HARDWARE.md D.2
};

} // namespace isbesim
