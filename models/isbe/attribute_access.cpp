#include "models/isbe/attribute_access.h"

#include "models/attribute/al2p.h"
#include "models/attribute/attribute_map.h"
#include "models/attribute/layout.h"
#include "models/isbe/gs_state.h"
#include "models/isbe/lanes.h"
#include "models/isbe/vector_clones.h"

namespace isbesim {

attribute_access::attribute_access(const isbe_config& config, const default_table& defaults, const warp_op& op,
                                   const context& context, const space_layout& space, resolved_op& resolved,
                                   warp_result& result, status_masks& status)
    : config_(config),
      defaults_(defaults),
      op_(op),
      context_(context),
      space_(space),
      resolved_(resolved),
      result_(result),
      status_(status),
      at_(resolved.lookup),
      allocated_(space.allocated.count())
{
}

ISBESIM_VECTOR_CLONES
void attribute_access::vertex()
{
    const unsigned words = component_count(op_);
    const lane_mask lanes = op_.form == address_form::phys ? physical() : logical();
    if (lanes == 0) return;
    const vertex_map map = vertices();
    // Vectors are aligned: PRIMITIVE_ID is always component 0.
    const lane_mask primitives = resolved_.store ? 0 : primitive_ids(lanes);
    if (primitives != 0) {
        if (op_.space == space::input)
            per_primitive(primitives);
        else
            component(0, primitives, numbered(lane_numbers));
    }
    component(0, lanes & ~primitives, map);
    for (unsigned c = 1; c < words; ++c) {
        next_rank(c);
        component(c, lanes, map);
    }
}

// From component c - 1 to component c.
inline void attribute_access::next_rank(unsigned c)
{
    per_lane<word> rank;
    for (unsigned i = 0; i < warp_lanes; ++i) rank[i] = at_.rank[i] + (at_.allocated[i] >> (c - 1) & 1U);
    copy_lanes(rank.data(), at_.rank.data());
}

// Tests 1 and 2 of section 4.2: these return the lanes that mean some attribute.
lane_mask attribute_access::logical()
{
    at_.find(op_, space_);
    if (const lane_mask outside = op_.lanes & ~at_.inside; outside != 0) out_of_range(outside, component_count(op_));
    return op_.lanes & at_.inside;
}

// The register says everything; the maps of the context are not looked at again.
lane_mask attribute_access::physical()
{
    const auto which = resolved_.store ? space::output : op_.space;
    per_lane<word> id;
    per_lane<word> rank;
    per_lane<word> enabled;
    lane_mask foreign = 0;
    lane_mask beyond = 0;
    for (unsigned i = 0; i < warp_lanes; ++i) {
        const word value = op_.address[i];
        foreign |= is_al2p_result(value, which) ? 0 : lane_bit[i];
        beyond |= (value & al2p_bits::out_of_range) != 0 ? lane_bit[i] : 0;
        id[i] = value >> 8 & 0xffU;
        rank[i] = value & 0xffU;
        enabled[i] = value / al2p_bits::enabled & 1U;
    }
    copy_lanes(id.data(), at_.id.data());
    copy_lanes(rank.data(), at_.rank.data());
    copy_lanes(enabled.data(), at_.enabled.data());
    foreign &= op_.lanes;
    beyond &= op_.lanes & ~foreign;
    status_.set(lane_status::not_al2p, foreign);
    if (beyond != 0) out_of_range(beyond, 1);
    return op_.lanes & ~foreign & ~beyond;
}

// Vertex of every lane: the lane itself, a handle, or the slot that the geometry state stands for.
inline attribute_access::vertex_map attribute_access::vertices() const
{
    if (!resolved_.store) return numbered(lane_is_vertex(context_.stage) ? lane_numbers : op_.handle);
    if (context_.stage != stage::geometry || context_.fast_geometry) return numbered(lane_numbers);
    const gs_slots slots = slots_of(op_.handle, context_.geometry, config_.gs_slot_order);
    vertex_map map = numbered(slots.vertex);
    map.bad_handle = 0; // a geometry thread has no handle: a vertex beyond the space is its overflow
    map.bad_state = slots.bad_state;
    map.bad_slot = slots.overflow;
    for (unsigned i = 0; i < warp_lanes; ++i) map.bad_slot |= slots.vertex[i] >= space_.vertex_count ? lane_bit[i] : 0;
    map.bad_slot &= ~map.bad_state;
    return map;
}

inline attribute_access::vertex_map attribute_access::numbered(const per_lane<word>& vertex) const
{
    const word count = space_.vertex_count;
    const word n = allocated_;
    const word group_bytes = n * line_bytes;
    per_lane<word> offset;
    lane_mask bad = 0;
    for (unsigned i = 0; i < warp_lanes; ++i) bad |= vertex[i] >= count ? lane_bit[i] : 0;
    // Handles beyond the count may overflow here; those lanes are faulty and never use the offset.
    if (config_.skew)
        for (unsigned i = 0; i < warp_lanes; ++i)
            offset[i] = (vertex[i] / warp_lanes) * group_bytes + (vertex[i] % warp_lanes) * 4;
    else
        for (unsigned i = 0; i < warp_lanes; ++i) offset[i] = vertex[i] * (n * 4);
    vertex_map map;
    map.bad_handle = bad;
    copy_lanes(offset.data(), map.offset.data());
    return map;
}

inline lane_mask attribute_access::primitive_ids(lane_mask lanes) const
{
    lane_mask found = 0;
    for (unsigned i = 0; i < warp_lanes; ++i) found |= is_per_primitive(at_.id[i]) ? lane_bit[i] : 0;
    return found & lanes;
}

inline lane_mask attribute_access::enabled(unsigned c, lane_mask lanes) const
{
    lane_mask on = 0;
    for (unsigned i = 0; i < warp_lanes; ++i) on |= (at_.enabled[i] >> c & 1U) != 0 ? lane_bit[i] : 0;
    return on & lanes;
}

// Tests 4 to 8 of section 4.2.
inline void attribute_access::component(unsigned c, lane_mask lanes, const vertex_map& map)
{
    if (const lane_mask faulty = map.faulty() & lanes; faulty != 0) {
        status_.set(lane_status::gs_state, map.bad_state & lanes);
        status_.set(lane_status::gs_overflow, map.bad_slot & lanes);
        status_.set(lane_status::handle_range, map.bad_handle & lanes);
        if (resolved_.store) {
            resolved_.discarded.gs_overflow += lane_count(map.bad_slot & lanes);
            resolved_.discarded.out_of_range += lane_count(map.bad_handle & lanes);
        }
        lanes &= ~faulty;
    }
    if (const lane_mask off = lanes & ~enabled(c, lanes); off != 0) {
        disabled(c, off);
        lanes &= ~off;
    }
    if (lanes == 0) return;

    const word rank_bytes = config_.skew ? line_bytes : 4;
    const word end = space_.attr_bytes;
    const word base = space_.attr_base;
    per_lane<word> index;
    lane_mask unranked = 0; // logical ranks are below n: this is a .PHYS value that AL2P did not make
    lane_mask beyond = 0;
    for (unsigned i = 0; i < warp_lanes; ++i) {
        const word rank = at_.rank[i];
        const word offset = map.offset[i] + rank * rank_bytes;
        unranked |= rank >= allocated_ ? lane_bit[i] : 0;
        beyond |= offset + 4 > end ? lane_bit[i] : 0;
        index[i] = (base + offset) / 4;
    }
    unranked &= lanes;
    beyond &= lanes & ~unranked;
    status_.set(lane_status::not_al2p, unranked);
    if (beyond != 0) out_of_range(beyond, 1);
    reach(c, lanes & ~unranked & ~beyond, index);
}

inline void attribute_access::reach(unsigned c, lane_mask lanes, const per_lane<word>& index)
{
    auto& access = resolved_.component[c];
    if (access.lanes == 0)
        copy_lanes(index.data(), access.index.data());
    else
        for_each_lane(lanes, [&](unsigned i) { access.index[i] = index[i]; });
    access.lanes |= lanes;
}

// Test 3 of section 4.2.
inline void attribute_access::per_primitive(lane_mask lanes)
{
    if (const lane_mask off = lanes & ~enabled(0, lanes); off != 0) {
        disabled(0, off);
        lanes &= ~off;
    }
    per_lane<word> index;
    lane_mask beyond = 0;
    for (unsigned i = 0; i < warp_lanes; ++i) {
        const word offset = word{context_.primitive[i]} * 4;
        beyond |= offset + 4 > space_.prim_bytes ? lane_bit[i] : 0;
        index[i] = (space_.prim_base + offset) / 4;
    }
    beyond &= lanes;
    if (beyond != 0) out_of_range(beyond, 1);
    reach(0, lanes & ~beyond, index);
}

inline void attribute_access::disabled(unsigned c, lane_mask lanes)
{
    if (resolved_.store) {
        status_.set(lane_status::dropped_map, lanes);
        resolved_.discarded.bmap += lane_count(lanes);
        return;
    }
    status_.set(lane_status::defaulted, lanes);
    auto& data = result_.data[c]; // 0 so far
    const per_lane<word> on = lane_masks(lanes);
    const word* const defaults = defaults_.data();
    per_lane<word> value;
    for (unsigned i = 0; i < warp_lanes; ++i)
        value[i] = data[i] | (defaults[static_cast<std::int32_t>((at_.id[i] + c) % attribute_ids)] & on[i]);
    copy_lanes(value.data(), data.data());
}

inline void attribute_access::out_of_range(lane_mask lanes, unsigned words)
{
    status_.set(lane_status::out_of_range, lanes);
    if (resolved_.store) resolved_.discarded.out_of_range += lane_count(lanes) * words;
}

// Section 4.3: no maps, no defaults, no handle.
ISBESIM_VECTOR_CLONES
void attribute_access::patch()
{
    const unsigned words = component_count(op_);
    const word alignment = alignment_of_size(words);
    const word patch_bytes = 4 * space_.patch_words;
    const word patches = space_.patch_count;
    const word base = space_.patch_base;
    const auto immediate = static_cast<word>(op_.immediate);
    const word negative = negative_sum_bit(op_);
    for (unsigned c = 0; c < words; ++c) {
        const word behind = 4 * c + 4;
        const word first_outside = patch_bytes >= behind ? patch_bytes - behind + 1 : 0;
        auto& access = resolved_.component[c];
        per_lane<word> index;
        lane_mask inside = 0;
        for (unsigned i = 0; i < warp_lanes; ++i) {
            const word aligned = (op_.address[i] + immediate) & alignment;
            const word primitive = context_.primitive[i];
            const bool fits = (aligned < first_outside) & (primitive < patches) & ((op_.address[i] & negative) == 0);
            inside |= lane_bit[i] & (fits ? ~word{0} : 0);
            index[i] = (base + primitive * patch_bytes + aligned) / 4 + c;
        }
        copy_lanes(index.data(), access.index.data());
        access.lanes = inside & op_.lanes;
        if (const lane_mask outside = op_.lanes & ~inside; outside != 0) out_of_range(outside, 1);
    }
}

} // namespace isbesim
