// SPDX-License-Identifier: Apache-2.0
#include "models/isbe/access/attribute_access.h"

#include "models/isbe/functional/gs_state.h"
#include "models/isbe/functional/lanes.h"
#include "models/isbe/rules/address_sum.h"
#include "models/isbe/rules/attribute_offset.h"
#include "models/isbe/rules/patch_address.h"
#include "models/isbe/rules/physical_address.h"
#include "tlm/vector_clones.h"

namespace isbesim {

attribute_access::attribute_access(const parts& given)
    : parts_(given), at_(given.resolved.lookup), allocated_(given.space.allocated.count())
{
}

ISBESIM_VECTOR_CLONES
void attribute_access::vertex()
{
    const warp_op& op = parts_.op;
    facts named = op.form == address_form::phys ? physical() : logical();
    named.active = {op.lanes};
    const vertex_map map = vertices();
    const unsigned words = component_count(op);
    for (unsigned c = 0; c < words; ++c) {
        if (c != 0) next_rank(c);
        facts others = named;
        if (!parts_.resolved.store) {
            // Vectors are aligned: PRIMITIVE_ID is always component 0.
            const bool output = op.space == space::output;
            facts generated = named;
            generated.active.lanes &= !output ? lanes_in_prim(c) : c == 0 ? primitive_ids() : 0;
            others.active.lanes &= ~generated.active.lanes;
            if (generated.active.lanes != 0 && output)
                component(c, generated, numbered(lane_numbers));
            else if (generated.active.lanes != 0)
                in_prim(c, generated);
        }
        component(c, others, map);
    }
}

inline lane_mask attribute_access::primitive_ids() const
{
    lane_mask found = 0;
    for (unsigned i = 0; i < warp_lanes; ++i) found |= bit_if(rules::is_primitive_id(at_.id[i]), i);
    return found;
}

inline lane_mask attribute_access::lanes_in_prim(unsigned c) const
{
    lane_mask found = 0;
    for (unsigned i = 0; i < warp_lanes; ++i) found |= bit_if(rules::map_bit<word>(at_.in_prim[i], c), i);
    return found;
}

// From component c - 1 to component c.
inline void attribute_access::next_rank(unsigned c)
{
    per_lane<word> rank;
    for (unsigned i = 0; i < warp_lanes; ++i) rank[i] = at_.rank[i] + (at_.allocated[i] >> (c - 1) & 1U);
    copy_lanes(rank.data(), at_.rank.data());
}

inline attribute_access::facts attribute_access::logical()
{
    at_.find(parts_.op, parts_.space);
    facts named;
    named.outside = {~at_.inside};
    return named;
}

// The register holds all facts; the maps of the context are not read again.
inline attribute_access::facts attribute_access::physical()
{
    const bool output = parts_.resolved.store || parts_.op.space == space::output;
    per_lane<word> id;
    per_lane<word> rank;
    per_lane<word> enabled;
    per_lane<word> elsewhere;
    lane_mask wrong_space = 0;
    lane_mask outside = 0;
    for (unsigned i = 0; i < warp_lanes; ++i) {
        const word value = parts_.op.address[i];
        const auto fields = rules::decode_physical(value);
        wrong_space |= bit_if(!rules::is_result_of(value, output), i);
        outside |= bit_if(fields.out_of_range != 0, i);
        id[i] = fields.id;
        rank[i] = fields.rank;
        enabled[i] = fields.enabled;
        elsewhere[i] = rules::result_in_prim<word>(output, fields.id, value) ? 1 : 0;
    }
    copy_lanes(id.data(), at_.id.data());
    copy_lanes(rank.data(), at_.rank.data());
    copy_lanes(enabled.data(), at_.enabled.data());
    copy_lanes(elsewhere.data(), at_.in_prim.data());
    facts named;
    named.wrong_space = {wrong_space};
    named.outside = {outside};
    return named;
}

inline attribute_access::vertex_map attribute_access::vertices() const
{
    const warp_op& op = parts_.op;
    const context& slot = parts_.slot;
    const bool load = !parts_.resolved.store;
    const auto stage = static_cast<word>(slot.stage);
    if (rules::vertex_is_handle(load, stage)) return numbered(op.handle);
    if (!rules::vertex_is_slot(load, stage, slot.fast_geometry)) return numbered(lane_numbers);
    const gs_slots slots = slots_of(op.handle, slot.geometry, parts_.config.gs_slot_order, parts_.space.vertex_count);
    vertex_map map = numbered(slots.vertex);
    map.bad_state = slots.bad_state;
    map.no_slot = slots.overflow;
    return map;
}

// The offset of a handle beyond the count may overflow; such a lane has no vertex and never uses its offset.
inline attribute_access::vertex_map attribute_access::numbered(const per_lane<word>& vertex) const
{
    const word count = parts_.space.vertex_count;
    const word n = allocated_;
    vertex_map map;
    lane_mask missing = 0;
    for (unsigned i = 0; i < warp_lanes; ++i) missing |= bit_if(!rules::vertex_exists(vertex[i], count), i);
    map.no_vertex = missing;
    with_constant(parts_.config.skew, [&](auto skew) {
        per_lane<word> offset;
        for (unsigned i = 0; i < warp_lanes; ++i) offset[i] = rules::vertex_offset<word>(skew, n, vertex[i]);
        copy_lanes(offset.data(), map.offset.data());
    });
    return map;
}

inline lane_mask attribute_access::enabled(unsigned c) const
{
    lane_mask on = 0;
    for (unsigned i = 0; i < warp_lanes; ++i) on |= bit_if(rules::map_bit<word>(at_.enabled[i], c), i);
    return on;
}

inline void attribute_access::component(unsigned c, const facts& named, const vertex_map& map)
{
    facts known = named;
    known.bad_state = {map.bad_state};
    known.no_slot = {map.no_slot};
    known.no_vertex = {map.no_vertex};
    known.enabled = {enabled(c)};
    per_lane<word> index;
    if ((known.active & known.enabled).lanes != 0) { // else no lane needs its offset
        const word end = parts_.space.attr_bytes;
        const word base = parts_.space.attr_base;
        const word n = allocated_;
        const bool skew = parts_.config.skew;
        lane_mask unranked = 0;
        lane_mask beyond = 0;
        for (unsigned i = 0; i < warp_lanes; ++i) {
            const word rank = at_.rank[i];
            const word offset = map.offset[i] + rules::rank_offset(skew, rank);
            unranked |= bit_if(rules::is_unranked(rank, n), i);
            beyond |= bit_if(!rules::word_fits(offset, end), i);
            index[i] = rules::word_index(base, offset);
        }
        known.unranked = {unranked};
        known.beyond = {beyond};
    }
    take(c, known, index);
}

inline void attribute_access::in_prim(unsigned c, const facts& named)
{
    const space_layout& space = parts_.space;
    per_lane<word> index;
    lane_mask beyond = 0;
    for (unsigned i = 0; i < warp_lanes; ++i) {
        const word offset = rules::prim_offset<word>(parts_.slot.primitive[i], at_.id[i] + c);
        beyond |= bit_if(!rules::word_fits(offset, space.prim_bytes), i);
        index[i] = rules::word_index(space.prim_base, offset);
    }
    facts known = named;
    known.in_prim = all_or_none(true);
    known.enabled = {enabled(c)};
    known.beyond = {beyond};
    take(c, known, index);
}

// Applies the order of tests to component c.
inline void attribute_access::take(unsigned c, const facts& known, const per_lane<word>& index)
{
    const verdict found = rules::first_that_fires(known);
    auto& access = parts_.resolved.component[c];
    const lane_mask reached = found.reaches.lanes;
    const bool first = access.lanes == 0;
    if (first && reached != 0)
        copy_lanes(index.data(), access.index.data());
    else
        for_each_lane(reached, [&](unsigned i) { access.index[i] = index[i]; });
    access.lanes |= reached;
    if (reached == known.active.lanes) return;

    parts_.status.set(lane_status::not_al2p, found.not_al2p.lanes);
    parts_.status.set(lane_status::gs_state, found.gs_state.lanes);
    parts_.status.set(lane_status::gs_overflow, found.gs_overflow.lanes);
    parts_.status.set(lane_status::handle_range, found.handle_range.lanes);
    if (parts_.resolved.store) {
        parts_.resolved.discarded.gs_overflow += lane_count(found.gs_overflow.lanes);
        parts_.resolved.discarded.out_of_range += lane_count(found.handle_range.lanes);
        parts_.resolved.discarded.bad_register += lane_count(found.not_al2p.lanes | found.gs_state.lanes);
    }
    if (found.out_of_range.lanes != 0) out_of_range(found.out_of_range.lanes);
    if (found.disabled.lanes != 0) disabled(c, found.disabled.lanes);
}

inline void attribute_access::disabled(unsigned c, lane_mask lanes)
{
    if (parts_.resolved.store) {
        parts_.status.set(lane_status::dropped_map, lanes);
        parts_.resolved.discarded.bmap += lane_count(lanes);
        return;
    }
    parts_.status.set(lane_status::defaulted, lanes);
    auto& data = parts_.result.data[c]; // still 0 in these lanes
    const per_lane<word> on = lane_masks(lanes);
    const word* const defaults = parts_.defaults.data();
    per_lane<word> value;
    for (unsigned i = 0; i < warp_lanes; ++i)
        value[i] = data[i] | (defaults[static_cast<std::int32_t>((at_.id[i] + c) % attribute_ids)] & on[i]);
    copy_lanes(value.data(), data.data());
}

inline void attribute_access::out_of_range(lane_mask lanes)
{
    parts_.status.set(lane_status::out_of_range, lanes);
    if (parts_.resolved.store) parts_.resolved.discarded.out_of_range += lane_count(lanes);
}

// Section 4.3: no maps, no defaults, no handle.
ISBESIM_VECTOR_CLONES
void attribute_access::patch()
{
    const warp_op& op = parts_.op;
    const space_layout& space = parts_.space;
    const unsigned words = component_count(op);
    const word alignment = rules::alignment_mask<word>(words);
    const word patch_words = space.patch_words;
    const word patches = space.patch_count;
    const word base = space.patch_base;
    const auto immediate = static_cast<word>(op.immediate);
    for (word c = 0; c < words; ++c) {
        auto& access = parts_.resolved.component[c];
        const word limit = rules::patch_limit(c, patch_words);
        per_lane<word> index;
        lane_mask inside = 0;
        for (unsigned i = 0; i < warp_lanes; ++i) {
            const auto sum = rules::add_immediate<word>(op.address[i], immediate);
            const word primitive = parts_.slot.primitive[i];
            const bool fits = rules::patch_holds(sum, alignment, limit, primitive, patches);
            inside |= bit_if(fits, i);
            index[i] = rules::word_index(base, rules::patch_offset(primitive, patch_words) +
                                                   rules::patch_byte(sum, alignment, c));
        }
        copy_lanes(index.data(), access.index.data());
        access.lanes = inside & op.lanes;
        if (const lane_mask outside = op.lanes & ~inside; outside != 0) out_of_range(outside);
    }
}

} // namespace isbesim
