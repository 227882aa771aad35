#include "models/isbe/uniform_access.h"

#include <algorithm>

#include "models/attribute/al2p.h"
#include "models/attribute/attribute_map.h"
#include "models/attribute/layout.h"
#include "models/isbe/attribute_access.h"
#include "models/isbe/gs_state.h"
#include "models/isbe/lanes.h"

namespace isbesim {

namespace {

bool same_address(const warp_op& op)
{
    const word address = op.address[first_lane(op.lanes)];
    word difference = 0;
    for (unsigned i = 0; i < warp_lanes; ++i) difference |= (op.address[i] ^ address) & lane_on(op.lanes, i);
    return difference == 0;
}

} // namespace

bool uniform_access::resolve(const warp_op& op, const context& context, const isbe_config& config)
{
    store = op.op == opcode::ast;
    if ((!store && op.op != opcode::ald) || op.form != address_form::logical || op.lanes == 0) return false;
    if (context.shared_spaces || !same_address(op)) return false;
    if (config.access == access_rule::line && !config.skew) return false; // lines per component differ

    const auto sum = byte_sum(op, first_lane(op.lanes));
    if (sum < 0 || sum >= attribute_space_bytes) return false;
    components = component_count(op);
    first_id = static_cast<unsigned>(align_to_size(sum, components)) / 4;
    if (!store && first_id <= primitive_id_attribute && primitive_id_attribute < first_id + components) return false;

    const auto& space = store || op.space == space::output ? context.output : context.input;
    word highest = 0; // vertex
    if (!map_vertices(op, context, space, config, highest)) return false;

    const unsigned n = space.allocated.count();
    unsigned rank = space.allocated.rank(first_id);
    reachable = 0;
    for (unsigned c = 0; c < components; ++c) {
        if (!space.allocated.contains(first_id + c)) continue;
        if (space.enabled.contains(first_id + c)) {
            if (attribute_offset(config.skew, n, rank, highest) + 4 > space.attr_bytes) return false;
            reachable |= 1U << c;
            base[c] = space.attr_base / 4 + rank * (config.skew ? line_bytes / 4 : 1);
        }
        ++rank;
    }
    return true;
}

// Section 4.2, "Vertex"; offsets grow with the vertex, so the bounds of the highest one hold for all.
bool uniform_access::map_vertices(const warp_op& op, const context& context, const space_layout& space,
                                  const isbe_config& config, word& highest)
{
    const lane_mask lanes = op.lanes;
    const unsigned first = first_lane(lanes);
    const unsigned last = last_lane(lanes);
    const word n = space.allocated.count();
    const bool state = store && context.stage == stage::geometry && !context.fast_geometry;
    lane_order = store ? !state : lane_is_vertex(context.stage);
    if (lane_order && config.skew) {
        highest = last;
        index = lane_numbers;
        return highest < space.vertex_count;
    }

    per_lane<word> vertex;
    if (lane_order) {
        vertex = lane_numbers;
    } else if (state) {
        const auto& geometry = context.geometry;
        const bool interleaved = config.gs_slot_order == gs_slot_order::interleaved;
        const word per_slot = interleaved ? geometry.thread_count : 1;
        const word per_lane_number = interleaved ? 1 : geometry.max_vertices;
        word refused = last >= geometry.thread_count ? 1 : 0;
        for (unsigned i = 0; i < warp_lanes; ++i) {
            const word slot = op.handle[i] & 0xffffU;
            const bool good = gs_state_valid(op.handle[i], geometry.max_vertices) & (slot < geometry.max_vertices);
            refused |= good ? 0 : lane_on(lanes, i);
            vertex[i] = slot * per_slot + i * per_lane_number;
        }
        if (refused != 0) return false;
    } else {
        vertex = op.handle;
    }
    lane_order = false;
    highest = 0;
    for (unsigned i = 0; i < warp_lanes; ++i) {
        vertex[i] = (lanes & lane_bit[i]) != 0 ? vertex[i] : vertex[first];
        highest = std::max(highest, vertex[i]);
    }
    if (highest >= space.vertex_count) return false;
    if (config.skew)
        for (unsigned i = 0; i < warp_lanes; ++i)
            index[i] = vertex[i] / warp_lanes * (n * line_bytes / 4) + vertex[i] % warp_lanes;
    else
        for (unsigned i = 0; i < warp_lanes; ++i) index[i] = vertex[i] * n;
    return true;
}

} // namespace isbesim
