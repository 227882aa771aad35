// SPDX-License-Identifier: Apache-2.0
#include "models/isbe/access/uniform_access.h"

#include <algorithm>

#include "models/attribute/layout.h"
#include "models/isbe/access/address_unit.h"
#include "models/isbe/functional/gs_state.h"
#include "models/isbe/functional/lanes.h"
#include "models/isbe/rules/address_sum.h"
#include "models/isbe/rules/attribute_offset.h"
#include "models/isbe/rules/attribute_tests.h"
#include "models/isbe/rules/patch_address.h"
#include "models/isbe/rules/raw_bytes.h"
#include "tlm/vector_clones.h"

namespace isbesim {

ISBESIM_VECTOR_CLONES
bool uniform_access::resolve(const warp_op& op, const context& context, const isbe_config& config, pass_counter& passes)
{
    if (op.lanes == 0) return false;
    lanes = op.lanes;
    run = false;
    track_shared = tracks_overwrites(op, context);
    masked_off.clear();
    discarded = {};
    bool usual = false;
    if (is_attribute(op.op))
        usual = attribute(op, context, config);
    else if (is_raw(op.op))
        usual = aligned_words(op, context, config);
    if (!usual) return false;
    if (lanes == 0) served = 0;
    if (reachable == 0) return true; // `index` may then lie outside the storage
    if (run)
        count = passes.count_run(lanes, first);
    else
        passes.count(lanes, index, count);
    return true;
}

bool uniform_access::attribute(const warp_op& op, const context& context, const isbe_config& config)
{
    if (op.form == address_form::phys || !all_equal(op.address, op.lanes)) return false;
    // Only components of attributes in the skewed layout lie whole lines apart.
    const bool patch = op.form == address_form::patch;
    if (!any_distance_keeps_passes(config) && (patch || !config.skew)) return false;

    store = op.op == opcode::ast;
    components = component_count(op);
    const auto& space = (store | (op.space == space::output)) ? context.output : context.input;
    return patch ? patches(op, context, space) : vertices(op, context, config, space);
}

// Section 4.2. Offsets grow with the vertex, so all are in bounds if the highest vertex is.
bool uniform_access::vertices(const warp_op& op, const context& context, const isbe_config& config,
                              const space_layout& space)
{
    const auto sum = rules::add_immediate(op.address[first_lane(lanes)], static_cast<word>(op.immediate));
    if (!rules::names_attribute(sum)) return false;
    first_id = rules::attribute_id(sum, rules::alignment_mask<word>(components));
    if (!store && rules::is_primitive_id<word>(first_id)) return false; // aligned vectors: component 0 or none
    const bool output = &space == &context.output;
    const word elsewhere = rules::prim_members<word>(output, first_id / 32, space.allocated.bits(first_id / 32));
    if ((elsewhere >> first_id % 32 & ((1U << components) - 1U)) != 0) return false;

    const auto stage = static_cast<word>(context.stage);
    const bool by_handle = rules::vertex_is_handle(!store, stage);
    word highest = 0;
    if (rules::vertex_is_slot(!store, stage, context.fast_geometry)) {
        const gs_slots slots = slots_of(op.handle, context.geometry, config.gs_slot_order, space.vertex_count);
        mask_off({slots.bad_state}, {slots.overflow}, {});
        highest = keep(slots.vertex);
    } else if (!by_handle && config.skew && rules::vertex_exists<word>(last_lane(lanes), space.vertex_count)) {
        run = true;
        first = 0;
        highest = last_lane(lanes);
    } else {
        highest = keep_existing(by_handle ? op.handle : lane_numbers, space.vertex_count);
    }
    if (config.skew && !run && lanes != 0) find_run();
    if (!run && !whole_lines_keep_passes(config)) return false; // a run stays in its line

    const word n = space.allocated.count();
    const word allocated = space.allocated.following_bits(first_id);
    const word enabled = space.enabled.following_bits(first_id);
    word rank = space.allocated.rank(first_id);
    const word last = rules::vertex_offset(config.skew, n, highest);
    lane_mask reached = 0;
    unsigned reached_count = 0;
    for (unsigned c = 0; c < components; ++c) {
        if (rules::map_bit<word>(allocated & enabled, c)) {
            const word offset = rules::rank_offset(config.skew, rank);
            if (!rules::word_fits(last + offset, space.attr_bytes)) return false;
            reached |= 1U << c;
            ++reached_count;
            base[c] = rules::word_index(space.attr_base, offset);
        }
        rank += (allocated >> c) & 1U;
    }
    reachable = reached;
    served = reached_count;
    place(n, highest, config.skew);
    return true;
}

// Removes lanes without a vertex; the order of tests determines the reason.
void uniform_access::mask_off(lane_set bad_state, lane_set no_slot, lane_set no_vertex)
{
    rules::attribute_facts<lane_set> known;
    known.active = {lanes};
    known.bad_state = bad_state;
    known.no_slot = no_slot;
    known.no_vertex = no_vertex;
    known.enabled = all_or_none(true); // the maps are tested later, for each component
    const auto found = rules::first_that_fires(known);
    if (found.reaches.lanes == lanes) return;
    lanes = found.reaches.lanes;
    masked_off.set(lane_status::gs_state, found.gs_state.lanes);
    masked_off.set(lane_status::gs_overflow, found.gs_overflow.lanes);
    masked_off.set(lane_status::handle_range, found.handle_range.lanes);
    if (!store) return;
    discarded.gs_overflow += lane_count(found.gs_overflow.lanes);
    discarded.out_of_range += lane_count(found.handle_range.lanes);
    discarded.bad_register += lane_count(found.gs_state.lanes);
}

// Fills `index` with the vertices of the lanes and returns the highest.
word uniform_access::keep(const per_lane<word>& vertex)
{
    const per_lane<word> on = lane_masks(lanes);
    per_lane<word> kept;
    word highest = 0;
    for (unsigned i = 0; i < warp_lanes; ++i) {
        kept[i] = vertex[i] & on[i];
        highest = std::max(highest, kept[i]);
    }
    copy_lanes(kept.data(), index.data());
    return highest;
}

// The same after masking off lanes whose vertex does not exist, which are rare.
word uniform_access::keep_existing(const per_lane<word>& vertex, word vertex_count)
{
    const word highest = keep(vertex);
    if (rules::vertex_exists(highest, vertex_count)) return highest;
    lane_mask missing = 0;
    for (unsigned i = 0; i < warp_lanes; ++i) missing |= bit_if(!rules::vertex_exists(vertex[i], vertex_count), i);
    mask_off({}, {}, {missing});
    return keep(vertex);
}

// Neighbouring lanes often have neighbouring vertices, whose words are consecutive within a line.
void uniform_access::find_run()
{
    const word start = index[first_lane(lanes)] - first_lane(lanes);
    word error = 0;
    for (unsigned i = 0; i < warp_lanes; ++i) error |= (index[i] - start - i) & lane_on(lanes, i);
    const word line = (start + first_lane(lanes)) / vertices_per_line;
    if (error != 0 || line != (start + last_lane(lanes)) / vertices_per_line) return;
    run = true;
    first = start;
}

per_lane<word> uniform_access::words() const
{
    per_lane<word> all = index;
    if (run)
        for (unsigned i = 0; i < warp_lanes; ++i) all[i] = first + i;
    return all;
}

// Converts vertices, up to `highest`, to the words of their first of `n` attributes.
void uniform_access::place(word n, word highest, bool skew)
{
    if (run) { // inside one line: all vertices shift by the same distance
        first += rules::vertex_words(true, n, highest) - highest;
        return;
    }
    if (skew && highest < vertices_per_line) return; // a vertex's number is its place in the line
    with_constant(skew, [&](auto skewed) {
        for (auto& word_index : index) word_index = rules::vertex_words<word>(skewed, n, word_index);
    });
}

// Section 4.3. If the last component of the highest patch is in bounds, all are.
bool uniform_access::patches(const warp_op& op, const context& context, const space_layout& space)
{
    const auto sum = rules::add_immediate(op.address[first_lane(lanes)], static_cast<word>(op.immediate));
    const word alignment = rules::alignment_mask<word>(components);
    const word limit = rules::patch_limit<word>(components - 1, space.patch_words);
    if (!rules::patch_holds<word>(sum, alignment, limit, 0, space.patch_count)) return false;
    word highest = 0;
    for (unsigned i = 0; i < warp_lanes; ++i) {
        const word primitive = context.primitive[i] & lane_on(lanes, i);
        index[i] = rules::word_index(0U, rules::patch_offset(primitive, space.patch_words));
        highest = std::max(highest, primitive);
    }
    if (!rules::patch_holds(sum, alignment, limit, highest, space.patch_count)) return false;

    reachable = (1U << components) - 1U;
    served = components;
    for (word c = 0; c < components; ++c)
        base[c] = rules::word_index(space.patch_base, rules::patch_byte(sum, alignment, c));
    return true;
}

// Section 4.5 for whole words at word addresses; MAP writes, which run backwards, are excluded.
bool uniform_access::aligned_words(const warp_op& op, const context& context, const isbe_config& config)
{
    constexpr word bytes = 4;
    store = op.op == opcode::isbewr;
    if (op.size != bytes || rules::runs_downwards<word>(store, op.region == region::map)) return false;
    const auto extent =
        extent_of(op.region, op.space == space::output ? context.output : context.input, config.lines * line_bytes);
    components = served = 1;
    reachable = 1;
    base[0] = 0;
    const auto immediate = static_cast<word>(op.immediate);
    const auto covered = [immediate](word address) { return rules::first_covered(address, immediate, bytes, false); };

    const word start = op.address[first_lane(lanes)] - 4 * first_lane(lanes);
    word error = 0;
    for (unsigned i = 0; i < warp_lanes; ++i) error |= (op.address[i] - start - 4 * i) & lane_on(lanes, i);
    if (error == 0) { // if both ends are inside, all words are
        const auto low = covered(op.address[first_lane(lanes)]);
        const auto high = covered(op.address[last_lane(lanes)]);
        if (!rules::covered_inside(low, bytes, extent.bytes) || !rules::covered_inside(high, bytes, extent.bytes))
            return false;
        const word address = extent.base + low.bytes;
        run = true;
        first = address / 4 - first_lane(lanes);
        return rules::byte_in_word(address) == 0;
    }

    constexpr word no_wrap = 1U << 30; // sums of smaller numbers grow with the address
    const per_lane<word> on = lane_masks(lanes);
    per_lane<word> found;
    word highest = 0;
    word low_bits = 0;
    for (unsigned i = 0; i < warp_lanes; ++i) {
        const word address = extent.base + covered(op.address[i]).bytes;
        highest = std::max(highest, op.address[i] & on[i]);
        low_bits |= rules::byte_in_word(address) & on[i];
        found[i] = address / 4 & on[i];
    }
    copy_lanes(found.data(), index.data());
    return immediate < no_wrap && highest < no_wrap && rules::covered_inside(covered(highest), bytes, extent.bytes) &&
           low_bits == 0;
}

} // namespace isbesim
