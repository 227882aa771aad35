// SPDX-License-Identifier: Apache-2.0
#include "models/isbe/access/address_unit.h"

#include <algorithm>
#include <array>

#include "models/attribute/attribute_map.h"
#include "models/attribute/layout.h"
#include "models/isbe/access/attribute_access.h"
#include "models/isbe/access/map_lookup.h"
#include "models/isbe/rules/operation_errors.h"
#include "models/isbe/rules/raw_bytes.h"
#include "tlm/vector_clones.h"

namespace isbesim {

namespace {

const space_layout& layout_of(const context& context, space which)
{
    return which == space::output ? context.output : context.input;
}

/// Section 4.1 as a table of all operations, because branches on its tests would be unpredictable. Operations of the
/// storage itself have no context that could forbid them.
class error_table {
public:
    constexpr error_table()
    {
        for (unsigned i = 0; i < size; ++i) {
            const auto op = i >> op_bit & 7U;
            errors_[i] = static_cast<op_error>(rules::operation_error<word>(op, i >> form_bit & 3U, i >> space_bit & 1U,
                                                                            i & 7U, 1U + (i >> wide_bit & 1U)));
            if (is_raw(static_cast<opcode>(op)) && i >> storage_bit != 0) errors_[i] = op_error::none;
        }
    }
    constexpr op_error operator()(const warp_op& op, stage stage) const
    {
        return errors_[(static_cast<unsigned>(stage) | static_cast<unsigned>(op.op) << op_bit |
                        static_cast<unsigned>(op.form) << form_bit | static_cast<unsigned>(op.space) << space_bit |
                        unsigned{op.size > 1} << wide_bit | unsigned{op.region == region::physical} << storage_bit) %
                       size];
    }

private:
    static constexpr unsigned op_bit = 3;
    static constexpr unsigned form_bit = 6;
    static constexpr unsigned space_bit = 8;
    static constexpr unsigned wide_bit = 9;
    static constexpr unsigned storage_bit = 10;
    static constexpr unsigned size = 1U << 11;
    static_assert(stage_count <= 1U << op_bit && opcode_count <= 1U << (form_bit - op_bit) &&
                  form_count <= 1U << (space_bit - form_bit) && space_count <= 1U << (wide_bit - space_bit));
    std::array<op_error, size> errors_{};
};
constexpr error_table errors;

} // namespace

address_unit::address_unit(const isbe_config& config) : config_(config)
{
    for (unsigned id = 0; id < defaults_.size(); ++id)
        defaults_[id] = attribute_default(id, config.attribute_default, config.position_w_default);
}

op_error address_unit::check(const warp_op& op, const context& context)
{
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
        attribute_access access({config_, defaults_, op, context, space, resolved, result, status});
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
    case opcode::out: // GCOV_EXCL_LINE: neither has an address, so never reached
    case opcode::bind:
        break; // GCOV_EXCL_LINE: as above
    }
    status.store(result);
}

// Section 4.5. Bytes may start anywhere, so an access reaches into one or two words: components 0 and 1.
void address_unit::raw(const warp_op& op, const context& context, resolved_op& resolved, status_masks& status) const
{
    const word bytes = std::clamp<unsigned>(op.size, 1, 4);
    const bool downwards = rules::runs_downwards<word>(resolved.store, op.region == region::map);
    const auto extent = extent_of(op.region, layout_of(context, op.space), config_.lines * line_bytes);
    const auto immediate = static_cast<word>(op.immediate);
    resolved.raw_size = bytes;

    component_access& low = resolved.component[0];
    component_access& high = resolved.component[1];
    lane_mask inside = 0;
    lane_mask crossing = 0;
    for (unsigned i = 0; i < warp_lanes; ++i) {
        const auto first = rules::first_covered<word>(op.address[i], immediate, bytes, downwards);
        inside |= bit_if(rules::covered_inside(first, bytes, extent.bytes), i);
    }
    for (unsigned i = 0; i < warp_lanes; ++i) {
        const word address = extent.base + rules::first_covered<word>(op.address[i], immediate, bytes, downwards).bytes;
        const word at = rules::byte_in_word(address);
        low.index[i] = address / 4;
        high.index[i] = address / 4 + 1;
        resolved.byte_offset[i] = at;
        crossing |= bit_if(rules::crosses_words(at, bytes), i);
    }
    low.lanes = inside & op.lanes;
    high.lanes = low.lanes & crossing;
    const lane_mask outside = op.lanes & ~inside;
    status.set(lane_status::out_of_range, outside);
    if (!resolved.store) return;

    resolved.discarded.out_of_range += lane_count(outside);
    const word bits = rules::value_bits(bytes);
    const bool swapped = downwards && config_.map_byte_swap;
    per_lane<word> values = op.data[0];
    for (unsigned i = 0; i < warp_lanes; ++i) {
        values[i] &= bits;
        if (swapped) values[i] = rules::swapped_bytes(values[i], bytes);
    }
    auto& [first, next] = resolved.written;
    for (unsigned i = 0; i < warp_lanes; ++i) {
        const word at = resolved.byte_offset[i];
        first.data[i] = rules::part_in_first(values[i], at);
        first.mask[i] = rules::part_in_first(bits, at);
    }
    if (high.lanes == 0) return;
    for (unsigned i = 0; i < warp_lanes; ++i) {
        const word at = resolved.byte_offset[i];
        next.data[i] = rules::part_in_next(values[i], at);
        next.mask[i] = rules::part_in_next(bits, at);
    }
}

} // namespace isbesim
