#include "models/isbe/uniform_access.h"

#include <algorithm>

#include "models/attribute/al2p.h"
#include "models/attribute/attribute_map.h"
#include "models/attribute/layout.h"
#include "models/isbe/address_unit.h"
#include "models/isbe/attribute_access.h"
#include "models/isbe/faults.h"
#include "models/isbe/gs_state.h"
#include "models/isbe/lanes.h"
#include "models/isbe/vector_clones.h"

namespace isbesim {

namespace {

/// Copies `from`, giving inactive lanes the value of an active one; returns the highest value.
word fill_inactive(const per_lane<word>& from, lane_mask lanes, per_lane<word>& to)
{
    const word value = from[first_lane(lanes)];
    word highest = value;
    for (unsigned i = 0; i < warp_lanes; ++i) {
        const word filled = (lanes & lane_bit[i]) != 0 ? from[i] : value;
        to[i] = filled;
        highest = std::max(highest, filled);
    }
    return highest;
}

} // namespace

ISBESIM_VECTOR_CLONES
bool uniform_access::resolve(const warp_op& op, const context& context, const isbe_config& config)
{
    if (op.lanes == 0) return false;
    bool usual = false;
    lane_order_ = false;
    if (op.op == opcode::ald || op.op == opcode::ast)
        usual = attribute(op, context, config);
    else if (op.op == opcode::isberd || op.op == opcode::isbewr)
        usual = aligned_words(op, context, config);
    if (!usual) return false;
    count = lane_order_ ? count_passes_in_lane_order(op.lanes, config.access, config.banks)
                        : count_passes(op.lanes, index, config.access, config.banks);
    return !(store && count.shared); // somebody loses: the general path settles it
}

bool uniform_access::attribute(const warp_op& op, const context& context, const isbe_config& config)
{
    if (context.shared_spaces || op.form == address_form::phys || !all_equal(op.address, op.lanes)) return false;
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
    const unsigned alignment = ISBESIM_FAULT(2) && components == 2 ? 4 : components;
    first_id = static_cast<unsigned>(align_to_size(sum, alignment)) / 4;
    if (!store && first_id <= primitive_id_attribute && primitive_id_attribute < first_id + components) return false;

    const bool slots = store && context.stage == stage::geometry && !context.fast_geometry;
    const bool lanes_are_vertices = !slots && (store || lane_is_vertex(context.stage));
    if (slots && !output_slots(op, context.geometry, config.gs_slot_order)) return false;
    lane_order_ = lanes_are_vertices && config.skew;
    word highest = last_lane(op.lanes);
    if (lane_order_)
        index = lane_numbers;
    else
        highest = fill_inactive(slots ? index : lanes_are_vertices ? lane_numbers : op.handle, op.lanes, index);
    if (highest >= space.vertex_count) return false;

    const unsigned n = space.allocated.count();
    unsigned rank = space.allocated.rank(first_id);
    reachable = 0;
    for (unsigned c = 0; c < components; ++c) {
        if (ISBESIM_FAULT(1) && c == 1) ++rank;
        if (!space.allocated.contains(first_id + c) && !ISBESIM_FAULT(7)) continue;
        if (space.enabled.contains(first_id + c)) {
            if (attribute_offset(config.skew, n, rank, highest) + 4 > space.attr_bytes) return false;
            reachable |= lane_bit[c];
            base[c] = (space.attr_base + rank * (config.skew ? line_bytes : 4)) / 4;
        }
        ++rank;
    }
    if (!config.skew)
        for (auto& word_index : index) word_index *= n;
    else if (highest >= vertices_per_line) // a vertex below is its own place in the line
        for (auto& word_index : index)
            word_index = word_index / vertices_per_line * ((n - (ISBESIM_FAULT(5) ? 1 : 0)) * line_bytes / 4) +
                         word_index % vertices_per_line;
    return true;
}

// Puts the vertex that every lane's geometry state stands for into `index`; false when a state is none.
bool uniform_access::output_slots(const warp_op& op, const geometry_output& geometry, gs_slot_order order)
{
    if (last_lane(op.lanes) >= geometry.thread_count) return false;
    const bool interleaved = order == gs_slot_order::interleaved;
    const word slot_step = interleaved ? geometry.thread_count : 1;
    const word thread_step = interleaved ? 1 : geometry.max_vertices;
    word refused = 0;
    for (unsigned i = 0; i < warp_lanes; ++i) {
        const word slot = op.handle[i] & 0xffffU;
        const word bad = gs_state_valid(op.handle[i], geometry.max_vertices) ? 0 : ~word{0};
        const word full = slot < geometry.max_vertices ? 0 : ~word{0};
        refused |= (bad | full) & lane_on(op.lanes, i);
        index[i] = slot * slot_step + i * thread_step;
    }
    return refused == 0;
}

// Section 4.3.
bool uniform_access::patches(const warp_op& op, const context& context, const space_layout& space)
{
    const auto sum = byte_sum(op, first_lane(op.lanes));
    if (sum < 0) return false;
    const auto aligned = align_to_size(sum, components);
    if (aligned + 4 * components + (ISBESIM_FAULT(11) ? 1 : 0) > std::int64_t{4} * space.patch_words) return false;
    for (unsigned i = 0; i < warp_lanes; ++i) index[i] = context.primitive[i];
    if (fill_inactive(index, op.lanes, index) >= space.patch_count) return false;

    reachable = (1U << components) - 1U;
    for (unsigned c = 0; c < components; ++c) base[c] = (space.patch_base + static_cast<word>(aligned)) / 4 + c;
    for (auto& word_index : index) word_index *= space.patch_words;
    return true;
}

// Section 4.5 for whole words at word addresses; MAP writes, which run backwards, are left out.
bool uniform_access::aligned_words(const warp_op& op, const context& context, const isbe_config& config)
{
    constexpr word no_wrap = 1U << 30; // sums of numbers below fit a word
    store = op.op == opcode::isbewr;
    if (op.size != 4 || (store && op.region == region::map)) return false;
    if (op.region != region::physical && context.shared_spaces) return false;
    const auto immediate = static_cast<word>(op.immediate);
    if (immediate >= no_wrap) return false;

    const auto bounds = bounds_of(op.region, op.space == space::output ? context.output : context.input,
                                  std::int64_t{config.lines} * line_bytes);
    const word highest = fill_inactive(op.address, op.lanes, index);
    if (highest >= no_wrap || std::int64_t{highest} + immediate + 4 > bounds.bytes) return false;
    word low_bits = 0;
    for (auto& word_index : index) {
        const word address = word_index + immediate + bounds.base;
        low_bits |= address & 3U;
        word_index = address / 4;
    }
    components = 1;
    reachable = 1;
    base[0] = 0;
    return low_bits == 0;
}

} // namespace isbesim
