#include "models/isbe/attribute_access.h"

#include "models/attribute/al2p.h"
#include "models/attribute/attribute_map.h"
#include "models/isbe/faults.h"
#include "models/isbe/gs_state.h"
#include "models/isbe/lanes.h"
#include "models/isbe/storage.h"
#include "models/isbe/vector_clones.h"

namespace isbesim {

namespace {

constexpr unsigned few_lanes = 4;

} // namespace

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
      allocated_(space.allocated.count())
{
}

ISBESIM_VECTOR_CLONES
void attribute_access::vertex()
{
    map_vertices(vertices_);
    for_each_group(op_.address, op_.lanes, [this](lane_mask lanes) {
        if (op_.form == address_form::phys)
            physical(lanes);
        else
            logical(lanes);
    });
}

// Tests 1 and 2 of section 4.2; every component then asks the maps on its own.
void attribute_access::logical(lane_mask lanes)
{
    const unsigned words = component_count(op_);
    const auto sum = byte_sum(op_, first_lane(lanes));
    const auto address = ISBESIM_FAULT(3) && sum < 0 ? 0 : sum;
    if (address < 0 || address >= attribute_space_bytes) {
        out_of_range(lanes, words);
        return;
    }
    const auto first = static_cast<unsigned>(align_to_size(address, ISBESIM_FAULT(2) && words == 2 ? 4 : words) / 4);
    for (unsigned id = first; id < first + words; ++id) {
        const bool enabled = space_.enabled.contains(id) && (space_.allocated.contains(id) || ISBESIM_FAULT(7));
        component({id, enabled, space_.allocated.rank(id)}, id - first, lanes);
    }
}

// The register says everything; the maps of the context are not looked at again.
void attribute_access::physical(lane_mask lanes)
{
    const word value = op_.address[first_lane(lanes)];
    if (!is_al2p_result(value, resolved_.store ? space::output : op_.space)) {
        status_.set(lane_status::not_al2p, lanes);
        return;
    }
    const auto r = decode_al2p(value);
    if (r.out_of_range)
        out_of_range(lanes, 1);
    else
        component({r.id, r.enabled, r.rank}, 0, lanes);
}

// Vertex of every lane: the lane itself, a handle, or the slot that the geometry state stands for.
void attribute_access::map_vertices(vertex_map& map) const
{
    if (!resolved_.store) {
        map_numbers(lane_is_vertex(context_.stage) ? lane_numbers : op_.handle, map);
        return;
    }
    const auto& geometry = context_.geometry;
    if (context_.stage != stage::geometry || context_.fast_geometry) {
        map_numbers(lane_numbers, map);
        return;
    }
    per_lane<word> vertex{};
    for_each_lane(op_.lanes, [&](unsigned i) {
        const word slot = decode_gs_state(op_.handle[i]).slot;
        if (!gs_state_valid(op_.handle[i], geometry.max_vertices)) {
            map.bad_state |= lane_bit[i];
        } else if (slot >= geometry.max_vertices || i >= geometry.thread_count) {
            map.bad_slot |= lane_bit[i];
        } else {
            vertex[i] = gs_slot_index(config_.gs_slot_order, slot, i, geometry);
            if (vertex[i] >= space_.vertex_count) map.bad_slot |= lane_bit[i];
        }
    });
    const auto bad_slot = map.bad_slot;
    map_numbers(vertex, map);
    map.bad_handle = 0; // a geometry thread has no handle: a vertex beyond the space is its overflow
    map.bad_slot = bad_slot;
}

void attribute_access::map_numbers(const per_lane<word>& vertex, vertex_map& map) const
{
    const word count = space_.vertex_count;
    const word n = allocated_;
    lane_mask bad = 0;
    for (unsigned i = 0; i < warp_lanes; ++i) bad |= vertex[i] >= count + (ISBESIM_FAULT(4) ? 1 : 0) ? lane_bit[i] : 0;
    map.bad_handle = bad;
    // Handles beyond the count may overflow here; those lanes are faulty and never use the offset.
    if (config_.skew)
        for (unsigned i = 0; i < warp_lanes; ++i)
            map.offset[i] = (vertex[i] / warp_lanes) * ((n - (ISBESIM_FAULT(5) ? 1 : 0)) * line_bytes) +
                            (vertex[i] % warp_lanes) * 4;
    else
        for (unsigned i = 0; i < warp_lanes; ++i) map.offset[i] = vertex[i] * (n * 4);
}

const attribute_access::vertex_map& attribute_access::vertices_of(unsigned id)
{
    if (resolved_.store || op_.space == space::input || !is_per_primitive(id)) return vertices_;
    if (!have_lanes_) map_numbers(lane_numbers, lanes_as_vertices_);
    have_lanes_ = true;
    return lanes_as_vertices_;
}

// Tests 3 to 8 of section 4.2 for one component of lanes that mean the same attribute.
void attribute_access::component(const place& at, unsigned c, lane_mask lanes)
{
    if (!resolved_.store && op_.space == space::input && is_per_primitive(at.id)) {
        per_primitive(at, c, lanes);
        return;
    }
    const auto& map = vertices_of(at.id);
    if (const auto faulty = map.faulty() & lanes; faulty != 0) {
        status_.set(lane_status::gs_state, map.bad_state & lanes);
        status_.set(lane_status::gs_overflow, map.bad_slot & lanes);
        status_.set(lane_status::handle_range, map.bad_handle & lanes);
        if (resolved_.store) {
            resolved_.discarded.gs_overflow += lane_count(map.bad_slot & lanes);
            resolved_.discarded.out_of_range += lane_count(map.bad_handle & lanes);
        }
        lanes &= ~faulty;
    }
    if (lanes == 0) return;
    if (!at.enabled) {
        disabled(at.id, c, lanes);
        return;
    }
    if (at.rank >= allocated_ &&
        !ISBESIM_FAULT(10)) { // logical ranks are below n: this is a .PHYS value that AL2P did not make
        status_.set(lane_status::not_al2p, lanes);
        return;
    }

    const word shift = at.rank * (config_.skew ? line_bytes : 4);
    const auto fits = [&](unsigned i) { return map.offset[i] + shift + 4 <= space_.attr_bytes; };
    if (lane_count(lanes) <= few_lanes) { // scattered addresses: many small groups, 32-lane loops would not pay
        for_each_lane(lanes, [&](unsigned i) {
            if (fits(i))
                touch(c, i, space_.attr_base + map.offset[i] + shift);
            else
                out_of_range(lane_bit[i], 1);
        });
        return;
    }
    lane_mask beyond = 0;
    auto& access = resolved_.component[c];
    for (unsigned i = 0; i < warp_lanes; ++i) {
        beyond |= fits(i) ? 0 : lane_bit[i];
        const word index = (space_.attr_base + map.offset[i] + shift) / 4;
        access.index[i] = (lanes & lane_bit[i]) != 0 ? index : access.index[i];
    }
    beyond &= lanes;
    if (beyond != 0) out_of_range(beyond, 1);
    access.lanes |= lanes & ~beyond;
    if (resolved_.store)
        copy_lanes(op_.data[c].data(), access.data.data()); // lanes of other groups hold the same values
}

void attribute_access::per_primitive(const place& at, unsigned c, lane_mask lanes)
{
    if (!at.enabled) {
        disabled(at.id, c, lanes);
        return;
    }
    for_each_lane(lanes, [&](unsigned i) {
        const word offset = word{context_.primitive[i]} * 4;
        if (offset + 4 > space_.prim_bytes)
            out_of_range(lane_bit[i], 1);
        else
            touch(c, i, space_.prim_base + offset);
    });
}

void attribute_access::disabled(unsigned id, unsigned c, lane_mask lanes)
{
    if (resolved_.store) {
        if (!ISBESIM_FAULT(8)) status_.set(lane_status::dropped_map, lanes);
        resolved_.discarded.bmap += lane_count(lanes);
        return;
    }
    status_.set(lane_status::defaulted, lanes);
    const word value = defaults_[id];
    auto& data = result_.data[c];
    for (unsigned i = 0; i < warp_lanes; ++i) data[i] = (lanes & lane_bit[i]) != 0 ? value : data[i];
}

void attribute_access::out_of_range(lane_mask lanes, unsigned words)
{
    status_.set(lane_status::out_of_range, lanes);
    if (resolved_.store) resolved_.discarded.out_of_range += lane_count(lanes) * words;
}

void attribute_access::touch(unsigned c, unsigned lane, word byte_address)
{
    auto& access = resolved_.component[c];
    access.lanes |= lane_bit[lane];
    access.index[lane] = byte_address / 4;
    if (resolved_.store) access.data[lane] = op_.data[c][lane];
}

// Section 4.3: no maps, no defaults, no handle.
ISBESIM_VECTOR_CLONES
void attribute_access::patch()
{
    const unsigned words = component_count(op_);
    const word alignment = static_cast<word>(align_to_size(~std::int64_t{0}, words));
    const word patch_bytes = 4 * space_.patch_words;
    const auto immediate = static_cast<word>(op_.immediate);
    // Sums modulo 2^32: one that should be negative is above every bound, unless two negative numbers wrapped around.
    const word negative = op_.immediate < 0 ? 1U << 31 : 0;
    for (unsigned c = 0; c < words; ++c) {
        const word behind = 4 * c + 4 + (ISBESIM_FAULT(11) ? 1 : 0);
        const word first_outside = patch_bytes >= behind ? patch_bytes - behind + 1 : 0;
        auto& access = resolved_.component[c];
        lane_mask inside = 0;
        for (unsigned i = 0; i < warp_lanes; ++i) {
            const word aligned = (op_.address[i] + immediate) & alignment;
            const word primitive = context_.primitive[i];
            const bool fits =
                (aligned < first_outside) & (primitive < space_.patch_count) & ((op_.address[i] & negative) == 0);
            inside |= lane_bit[i] & (fits ? ~word{0} : 0);
            access.index[i] = (space_.patch_base + primitive * patch_bytes + aligned) / 4 + c;
        }
        access.lanes = inside & op_.lanes;
        if (resolved_.store) copy_lanes(op_.data[c].data(), access.data.data());
        if (const lane_mask outside = op_.lanes & ~inside; outside != 0) out_of_range(outside, 1);
    }
}

} // namespace isbesim
