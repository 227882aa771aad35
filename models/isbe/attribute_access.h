// ALD and AST: attribute addresses, vertices, maps and defaults (micro-architecture sections 4.2 and 4.3).
//
// One object serves one operation. Every step treats the 32 lanes in one loop, whatever their addresses, and notes in
// lane masks who drops out. Such loops write local variables only: then nothing keeps them from being vectorised.
#pragma once

#include <array>

#include "models/attribute/attribute_set.h"
#include "models/isbe/context.h"
#include "models/isbe/resolved_op.h"
#include "models/machine_config.h"

namespace isbesim {

/// Stages without vertex handles: ALD takes the lane number.
constexpr bool lane_is_vertex(stage stage)
{
    return stage == stage::vertex_a || stage == stage::vertex || stage == stage::task || stage == stage::mesh;
}

class attribute_access {
public:
    using default_table = std::array<word, attribute_ids>;

    attribute_access(const isbe_config& config, const default_table& defaults, const warp_op& op,
                     const context& context, const space_layout& space, resolved_op& resolved, warp_result& result,
                     status_masks& status);

    /// Logical and .PHYS forms.
    void vertex();
    /// .P form.
    void patch();

private:
    /// Which vertex each lane means: its byte offset at rank 0, and the lanes that have none.
    struct vertex_map {
        per_lane<word> offset;
        lane_mask bad_state = 0;
        lane_mask bad_slot = 0;
        lane_mask bad_handle = 0;
        lane_mask faulty() const { return bad_state | bad_slot | bad_handle; }
    };

    lane_mask logical();
    lane_mask physical();
    vertex_map vertices() const;
    vertex_map numbered(const per_lane<word>& vertex) const;

    lane_mask primitive_ids(lane_mask lanes) const;
    lane_mask enabled(unsigned c, lane_mask lanes) const;
    void next_rank(unsigned c);
    void component(unsigned c, lane_mask lanes, const vertex_map& map);
    void reach(unsigned c, lane_mask lanes, const per_lane<word>& index);
    void per_primitive(lane_mask lanes);
    void disabled(unsigned c, lane_mask lanes);
    void out_of_range(lane_mask lanes, unsigned words);

    const isbe_config& config_;
    const default_table& defaults_;
    const warp_op& op_;
    const context& context_;
    const space_layout& space_;
    resolved_op& resolved_;
    warp_result& result_;
    status_masks& status_;
    map_lookup& at_;     ///< `rank` moves on from component to component
    unsigned allocated_; ///< n of hardware.md D.2
};

} // namespace isbesim
