// ALD and AST: attribute addresses, vertices, maps and defaults (micro-architecture sections 4.2 and 4.3).
//
// One object serves one operation. Lanes with the same address go together: nearly every instruction that compilers
// emit has one address for the warp, which is then worked out once and applied to 32 lanes in loops that vectorise.
#pragma once

#include <algorithm>
#include <array>

#include "models/attribute/attribute_set.h"
#include "models/isbe/context.h"
#include "models/isbe/resolved_op.h"
#include "models/machine_config.h"

namespace isbesim {

/// Ra + immediate of a lane, in bytes, never wrapped.
inline std::int64_t byte_sum(const warp_op& op, unsigned lane)
{
    return std::int64_t{static_cast<std::int32_t>(op.address[lane])} + op.immediate;
}

inline unsigned component_count(const warp_op& op)
{
    return std::clamp<unsigned>(op.size, 1, max_components);
}

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
    /// An attribute after its address is understood.
    struct place {
        unsigned id = 0;
        bool enabled = false;
        unsigned rank = 0;
    };

    void logical(lane_mask lanes);
    void physical(lane_mask lanes);
    void map_vertices(vertex_map& map) const;
    void map_numbers(const per_lane<word>& vertex, vertex_map& map) const;
    const vertex_map& vertices_of(unsigned id);

    void component(const place& at, unsigned c, lane_mask lanes);
    void per_primitive(const place& at, unsigned c, lane_mask lanes);
    void disabled(unsigned id, unsigned c, lane_mask lanes);
    void out_of_range(lane_mask lanes, unsigned words);
    void touch(unsigned c, unsigned lane, word byte_address);

    const isbe_config& config_;
    const default_table& defaults_;
    const warp_op& op_;
    const context& context_;
    const space_layout& space_;
    resolved_op& resolved_;
    warp_result& result_;
    status_masks& status_;

    unsigned allocated_ = 0; // n of hardware.md D.2
    vertex_map vertices_;
    vertex_map lanes_as_vertices_; // id 24 of the output space; filled when first needed
    bool have_lanes_ = false;
};

} // namespace isbesim
