#include "models/isbe/address_unit.h"

#include <algorithm>

#include "models/attribute/attribute_map.h"
#include "models/attribute/layout.h"
#include "models/isbe/attribute_access.h"
#include "models/isbe/map_lookup.h"
#include "models/isbe/vector_clones.h"

namespace isbesim {

namespace {

const space_layout& layout_of(const context& context, space which)
{
    return which == space::output ? context.output : context.input;
}

/// Section 4.1 below its first line, in its order. `wide`: size above 1.
constexpr op_error error_of(stage stage, opcode op, address_form form, space space, bool wide)
{
    if (stage == stage::none) return op_error::illegal_sph_instr_combo;
    if (op == opcode::isbewr && space == space::input) return op_error::illegal_instr_encoding;
    if (is_attribute(op) && form == address_form::phys && wide) return op_error::illegal_instr_encoding;
    const auto patch_stage = op == opcode::ald && space == space::input ? stage::tess : stage::tess_init;
    const bool reads_output = stage != stage::geometry && stage != stage::task && stage != stage::mesh;
    const bool combination = is_attribute(op) && form == address_form::patch ? stage == patch_stage
                             : op == opcode::ald                             ? space == space::input || reads_output
                             : op == opcode::out                             ? stage == stage::geometry
                                                                             : true;
    return combination ? op_error::none : op_error::illegal_sph_instr_combo;
}

/// error_of() for all there is: which of its tests fires is hard to predict, a look-up is not.
class error_table {
public:
    constexpr error_table()
    {
        for (unsigned i = 0; i < size; ++i)
            errors_[i] = error_of(static_cast<stage>(i & 7U), static_cast<opcode>(i >> 3 & 7U),
                                  static_cast<address_form>(i >> 6 & 3U), static_cast<space>(i >> 8 & 1U), i >> 9 != 0);
    }
    constexpr op_error operator()(const warp_op& op, stage stage) const
    {
        return errors_[(static_cast<unsigned>(stage) | static_cast<unsigned>(op.op) << 3 |
                        static_cast<unsigned>(op.form) << 6 | static_cast<unsigned>(op.space) << 8 |
                        unsigned{op.size > 1} << 9) %
                       size];
    }

private:
    static constexpr unsigned size = 1U << 10;
    op_error errors_[size] = {};
};
constexpr error_table errors;

} // namespace

region_bounds bounds_of(region region, const space_layout& s, std::int64_t storage_bytes)
{
    switch (region) {
    case region::map:
        return {s.map_base, s.map_bytes};
    case region::patch:
        return {s.patch_base, std::int64_t{4} * s.patch_words * s.patch_count};
    case region::prim:
        return {s.prim_base, s.prim_bytes};
    case region::attr:
        return {s.attr_base, s.attr_bytes};
    case region::physical:
        return {0, storage_bytes};
    }
    return {0, 0};
}

address_unit::address_unit(const isbe_config& config) : config_(config)
{
    for (unsigned id = 0; id < defaults_.size(); ++id)
        defaults_[id] = attribute_default(id, config.attribute_default, config.position_w_default);
}

op_error address_unit::check(const warp_op& op, const context& context)
{
    if (is_raw(op.op) && op.region == region::physical) return op_error::none;
    return errors(op, context.stage);
}

ISBESIM_VECTOR_CLONES
void address_unit::resolve(const warp_op& op, const context& context, resolved_op& resolved, warp_result& result) const
{
    resolved.store = is_store(op.op);
    resolved.raw = is_raw(op.op);
    resolved.track_shared = tracks_overwrites(op, context);
    resolved.discarded = {};
    for (auto& access : resolved.component) access.lanes = 0;
    if (op.lanes == 0) return;

    status_masks status;
    switch (op.op) {
    case opcode::ald:
    case opcode::ast: {
        const auto& space = layout_of(context, resolved.store ? space::output : op.space);
        attribute_access access{config_, defaults_, op, context, space, resolved, result, status};
        if (op.form == address_form::patch)
            access.patch();
        else
            access.vertex();
        break;
    }
    case opcode::al2p:
        resolved.lookup.find(op, layout_of(context, op.space));
        translate_al2p(resolved.lookup, op, result.data[0]);
        break;
    case opcode::isberd:
    case opcode::isbewr:
        raw(op, context, resolved, status);
        break;
    case opcode::out:
    case opcode::bind:
        break;
    }
    status.store(result);
}

// Section 4.5. Bytes may start anywhere, so an access reaches into one or two words: components 0 and 1.
void address_unit::raw(const warp_op& op, const context& context, resolved_op& resolved, status_masks& status) const
{
    const unsigned bytes = std::clamp<unsigned>(op.size, 1, 4);
    const word value_bits = bytes == 4 ? ~word{0} : (word{1} << (8 * bytes)) - 1U;
    const bool reversed = resolved.store && op.region == region::map;
    const bool swapped = reversed && config_.map_byte_swap;
    const auto bounds = bounds_of(op.region, layout_of(context, op.space), std::int64_t{config_.lines} * line_bytes);
    resolved.raw_size = bytes;

    const auto last_first = static_cast<word>(std::max<std::int64_t>(bounds.bytes - bytes + 1, 0));
    const auto step = static_cast<word>(op.immediate) - (reversed ? bytes - 1 : 0);
    const word negative = negative_sum_bit(op);
    lane_mask inside = 0;
    for (unsigned i = 0; i < warp_lanes; ++i)
        inside |= (op.address[i] + step < last_first) & ((op.address[i] & negative) == 0) ? lane_bit[i] : 0;
    inside &= op.lanes;
    const lane_mask outside = op.lanes & ~inside;
    status.set(lane_status::out_of_range, outside);
    if (resolved.store) resolved.discarded.out_of_range += lane_count(outside);

    component_access& low = resolved.component[0];
    component_access& high = resolved.component[1];
    lane_mask crossing = 0;
    for (unsigned i = 0; i < warp_lanes; ++i) {
        const word address = bounds.base + op.address[i] + step;
        const word offset = address % 4;
        low.index[i] = address / 4;
        high.index[i] = address / 4 + 1;
        resolved.byte_offset[i] = offset;
        crossing |= offset + bytes > 4 ? lane_bit[i] : 0;
    }
    low.lanes = inside;
    high.lanes = inside & crossing;
    if (!resolved.store) return;
    per_lane<word> values = op.data[0];
    for (unsigned i = 0; i < warp_lanes; ++i) {
        values[i] &= value_bits;
        if (swapped) values[i] = __builtin_bswap32(values[i]) >> (8 * (4 - bytes));
    }
    auto& [first, next] = resolved.written;
    for (unsigned i = 0; i < warp_lanes; ++i) {
        const unsigned shift = 8 * resolved.byte_offset[i];
        first.data[i] = values[i] << shift;
        first.mask[i] = value_bits << shift;
    }
    if (high.lanes == 0) return;
    for (unsigned i = 0; i < warp_lanes; ++i) {
        const unsigned shift = 8 * resolved.byte_offset[i];
        next.data[i] = values[i] >> (31 - shift) >> 1; // a shift by 32 gives 0
        next.mask[i] = value_bits >> (31 - shift) >> 1;
    }
}

} // namespace isbesim
