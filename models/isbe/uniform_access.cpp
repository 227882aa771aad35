#include "models/isbe/uniform_access.h"

#include <algorithm>

#include "models/attribute/al2p.h"
#include "models/attribute/attribute_map.h"
#include "models/attribute/layout.h"
#include "models/isbe/address_unit.h"
#include "models/isbe/attribute_access.h"
#include "models/isbe/gs_state.h"
#include "models/isbe/lanes.h"
#include "models/isbe/vector_clones.h"

namespace isbesim {

ISBESIM_VECTOR_CLONES
bool uniform_access::resolve(const warp_op& op, const context& context, const isbe_config& config, pass_counter& passes)
{
    if (op.lanes == 0) return false;
    lanes = op.lanes;
    run = false;
    track_shared = tracks_overwrites(op, context);
    refused.clear();
    discarded = {};
    bool usual = false;
    if (is_attribute(op.op))
        usual = attribute(op, context, config);
    else if (is_raw(op.op))
        usual = aligned_words(op, context, config);
    if (!usual) return false;
    count = {};
    if (reachable == 0) return true; // then `index` need not be inside the storage
    count = run ? passes.count_run(lanes, first) : passes.count(lanes, index);
    return true;
}

bool uniform_access::attribute(const warp_op& op, const context& context, const isbe_config& config)
{
    if (op.form == address_form::phys || !all_equal(op.address, op.lanes)) return false;
    // A fixed distance changes nothing about bank conflicts, but words of one line may get apart unless it is a
    // multiple of a line.
    const bool patch = op.form == address_form::patch;
    if (config.access == access_rule::line && (patch || !config.skew)) return false;

    store = op.op == opcode::ast;
    components = component_count(op);
    const auto& space = store || op.space == space::output ? context.output : context.input;
    return patch ? patches(op, context, space) : vertices(op, context, config, space);
}

// Section 4.2. Offsets grow with the vertex, so the bounds of the highest one hold for all.
bool uniform_access::vertices(const warp_op& op, const context& context, const isbe_config& config,
                              const space_layout& space)
{
    const auto sum = byte_sum(op, first_lane(op.lanes));
    if (sum < 0 || sum >= attribute_space_bytes) return false;
    first_id = static_cast<unsigned>(align_to_size(sum, components)) / 4;
    if (!store && first_id <= primitive_id_attribute && primitive_id_attribute < first_id + components) return false;

    const bool slots = store && context.stage == stage::geometry && !context.fast_geometry;
    const bool lanes_are_vertices = !slots && (store || lane_is_vertex(context.stage));
    const word vertex_count = space.vertex_count;
    word highest = 0;
    if (slots) {
        highest = output_slots(op, context.geometry, config.gs_slot_order, vertex_count);
    } else if (lanes_are_vertices && config.skew && last_lane(lanes) < vertex_count) {
        run = true;
        first = 0;
        highest = last_lane(lanes);
    } else {
        highest = keep_existing(lanes_are_vertices ? lane_numbers : op.handle, vertex_count, lane_status::handle_range);
    }
    if (config.skew && !run && lanes != 0) find_run();

    const unsigned n = space.allocated.count();
    const word allocated = space.allocated.bits_from(first_id);
    const word enabled = space.enabled.bits_from(first_id);
    unsigned rank = space.allocated.rank(first_id);
    reachable = 0;
    for (unsigned c = 0; c < components; ++c) {
        if ((allocated & enabled & lane_bit[c]) != 0) {
            if (attribute_offset(config.skew, n, rank, highest) + 4 > space.attr_bytes) return false;
            reachable |= lane_bit[c];
            base[c] = (space.attr_base + rank * (config.skew ? line_bytes : 4)) / 4;
        }
        rank += (allocated >> c) & 1U;
    }
    place(n, highest, config.skew);
    return true;
}

void uniform_access::refuse(lane_mask which, std::uint16_t status)
{
    which &= lanes;
    lanes &= ~which;
    refused.set(status, which);
    if (!store) return;
    discarded.gs_overflow += status == lane_status::gs_overflow ? lane_count(which) : 0;
    discarded.out_of_range += status == lane_status::handle_range ? lane_count(which) : 0;
}

// Fills `index` with the vertices, refuses lanes whose vertex does not exist and returns the highest that is left.
word uniform_access::keep_existing(const per_lane<word>& vertex, word vertex_count, std::uint16_t status)
{
    for (;;) {
        const per_lane<word> on = lane_masks(lanes);
        per_lane<word> kept;
        word highest = 0;
        for (unsigned i = 0; i < warp_lanes; ++i) {
            kept[i] = vertex[i] & on[i];
            highest = std::max(highest, kept[i]);
        }
        copy_lanes(kept.data(), index.data());
        if (highest < vertex_count || lanes == 0) return highest;
        lane_mask missing = 0;
        for (unsigned i = 0; i < warp_lanes; ++i) missing |= vertex[i] >= vertex_count ? lane_bit[i] : 0;
        refuse(missing, status);
    }
}

// The same for the vertices that the lanes' geometry states stand for.
word uniform_access::output_slots(const warp_op& op, const geometry_output& geometry, gs_slot_order order,
                                  word vertex_count)
{
    const gs_slots slots = slots_of(op.handle, geometry, order);
    refuse(slots.bad_state, lane_status::gs_state);
    refuse(slots.overflow, lane_status::gs_overflow);
    return keep_existing(slots.vertex, vertex_count, lane_status::gs_overflow);
}

// Neighbouring lanes often have neighbouring vertices: words that follow each other when they are in one line.
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

// From vertices, up to `highest`, to the words of their first attribute of `n`.
void uniform_access::place(unsigned n, word highest, bool skew)
{
    const word line_words = n * line_bytes / 4;
    if (run)
        first += highest / vertices_per_line * (line_words - vertices_per_line);
    else if (!skew)
        for (auto& word_index : index) word_index *= n;
    else if (highest >= vertices_per_line) // a vertex below is its own place in the line
        for (auto& word_index : index)
            word_index = word_index / vertices_per_line * line_words + word_index % vertices_per_line;
}

// Section 4.3.
bool uniform_access::patches(const warp_op& op, const context& context, const space_layout& space)
{
    const auto sum = byte_sum(op, first_lane(op.lanes));
    if (sum < 0) return false;
    const auto aligned = align_to_size(sum, components);
    if (aligned + 4 * components > std::int64_t{4} * space.patch_words) return false;
    word highest = 0;
    for (unsigned i = 0; i < warp_lanes; ++i) {
        const word primitive = context.primitive[i] & lane_on(lanes, i);
        index[i] = primitive * space.patch_words;
        highest = std::max(highest, primitive);
    }
    if (highest >= space.patch_count) return false;

    reachable = (1U << components) - 1U;
    for (unsigned c = 0; c < components; ++c) base[c] = (space.patch_base + static_cast<word>(aligned)) / 4 + c;
    return true;
}

// Section 4.5 for whole words at word addresses; MAP writes, which run backwards, are left out.
bool uniform_access::aligned_words(const warp_op& op, const context& context, const isbe_config& config)
{
    store = op.op == opcode::isbewr;
    if (op.size != 4 || (store && op.region == region::map)) return false;
    const auto bounds = bounds_of(op.region, op.space == space::output ? context.output : context.input,
                                  std::int64_t{config.lines} * line_bytes);
    components = 1;
    reachable = 1;
    base[0] = 0;

    const word start = op.address[first_lane(lanes)] - 4 * first_lane(lanes);
    word error = 0;
    for (unsigned i = 0; i < warp_lanes; ++i) error |= (op.address[i] - start - 4 * i) & lane_on(lanes, i);
    if (error == 0) {
        const auto low = byte_sum(op, first_lane(lanes));
        const auto high = byte_sum(op, last_lane(lanes));
        if (low < 0 || high < low || high + 4 > bounds.bytes) return false;
        const word address = bounds.base + static_cast<word>(low);
        run = true;
        first = address / 4 - first_lane(lanes);
        return address % 4 == 0;
    }

    constexpr word no_wrap = 1U << 30; // sums of numbers below fit a word
    const auto immediate = static_cast<word>(op.immediate);
    word highest = 0;
    word low_bits = 0;
    for (unsigned i = 0; i < warp_lanes; ++i) {
        const word on = lane_on(lanes, i);
        const word address = op.address[i] + immediate + bounds.base;
        highest = std::max(highest, op.address[i] & on);
        low_bits |= address & 3U & on;
        index[i] = address / 4 & on;
    }
    return immediate < no_wrap && highest < no_wrap && std::int64_t{highest} + immediate + 4 <= bounds.bytes &&
           low_bits == 0;
}

} // namespace isbesim
