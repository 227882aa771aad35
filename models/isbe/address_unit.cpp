#include "models/isbe/address_unit.h"

#include <algorithm>

#include "models/attribute/al2p.h"
#include "models/attribute/attribute_map.h"
#include "models/isbe/attribute_access.h"
#include "models/isbe/faults.h"
#include "models/isbe/gs_state.h"
#include "models/isbe/storage.h"

namespace isbesim {

namespace {

const space_layout& layout_of(const context& context, space which)
{
    return which == space::output ? context.output : context.input;
}

bool is_raw(const warp_op& op)
{
    return op.op == opcode::isberd || op.op == opcode::isbewr;
}

void translate(const warp_op& op, const context& context, warp_result& result)
{
    const auto& s = layout_of(context, op.space);
    auto& data = result.data[0];
    for_each_group(op.address, op.lanes, [&](lane_mask lanes) {
        const auto sum = byte_sum(op, first_lane(lanes));
        const word value = translate_al2p(s.allocated, s.enabled, op.space, sum, component_count(op));
        for (unsigned i = 0; i < warp_lanes; ++i) data[i] |= value & lane_on(lanes, i);
    });
}

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
    const bool load = op.op == opcode::ald;
    const bool store = op.op == opcode::ast;
    if (is_raw(op) && op.region == region::physical) return op_error::none;
    if (context.stage == stage::none) return op_error::illegal_sph_instr_combo;
    if (op.op == opcode::isbewr && op.space == space::input && !ISBESIM_FAULT(29))
        return op_error::illegal_instr_encoding;
    if ((load || store) && op.form == address_form::phys && op.size > 1) return op_error::illegal_instr_encoding;

    if ((load || store) && op.form == address_form::patch) {
        const auto allowed = load && op.space == space::input ? stage::tess : stage::tess_init;
        if (ISBESIM_FAULT(28) && store && context.stage != allowed) return op_error::illegal_instr_encoding;
        return context.stage == allowed ? op_error::none : op_error::illegal_sph_instr_combo;
    }
    if (load && op.space == space::output && context.stage == stage::geometry) return op_error::illegal_sph_instr_combo;
    if (op.op == opcode::out && context.stage != stage::geometry) return op_error::illegal_sph_instr_combo;
    return op_error::none;
}

void address_unit::resolve(const warp_op& op, const context& context, resolved_op& resolved, warp_result& result) const
{
    resolved.store = op.op == opcode::ast || op.op == opcode::isbewr || op.op == opcode::out;
    resolved.whole_words = true;
    resolved.track_shared = context.shared_spaces && !(is_raw(op) && op.region == region::physical) &&
                            (resolved.store || op.space == space::input);
    resolved.load_bytes = 4;
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
        translate(op, context, result);
        break;
    case opcode::out:
        out(op, context, resolved, result);
        break;
    case opcode::isberd:
    case opcode::isbewr:
        raw(op, context, resolved, status);
        break;
    case opcode::bind:
        break;
    }
    status.store(result);
}

// Section 4.5. Bytes may start anywhere, so an access reaches into one or two words: components 0 and 1.
void address_unit::raw(const warp_op& op, const context& context, resolved_op& resolved, status_masks& status) const
{
    const unsigned bytes = std::clamp<unsigned>(op.size, 1, 4);
    const word value_mask = bytes == 4 ? ~word{0} : (word{1} << (8 * bytes)) - 1U;
    const bool reversed = resolved.store && op.region == region::map && !ISBESIM_FAULT(12);
    const bool swapped = reversed && config_.map_byte_swap;
    const auto bounds = bounds_of(op.region, layout_of(context, op.space), std::int64_t{config_.lines} * line_bytes);
    resolved.load_bytes = bytes;
    resolved.whole_words = false;

    for_each_lane(op.lanes, [&](unsigned i) {
        const auto first = byte_sum(op, i) - (reversed ? bytes - 1 : 0);
        if (first < 0 || first + bytes > bounds.bytes) {
            status.set(lane_status::out_of_range, lane_bit[i]);
            resolved.discarded.out_of_range += resolved.store ? 1U : 0U;
            return;
        }
        const auto address = bounds.base + static_cast<word>(first);
        const unsigned offset = address % 4;
        auto value = std::uint64_t{op.data[0][i] & value_mask};
        if (swapped) value = __builtin_bswap32(static_cast<word>(value)) >> (8 * (4 - bytes));
        value <<= 8 * offset;
        const auto mask = std::uint64_t{ISBESIM_FAULT(14) && bytes == 1 ? 0xffff : value_mask} << (8 * offset);

        resolved.byte_offset[i] = offset;
        const auto put = [&](component_access& access, word index, unsigned shift) {
            access.lanes |= lane_bit[i];
            access.index[i] = index;
            access.byte_mask[i] = static_cast<word>(mask >> shift);
            access.data[i] = static_cast<word>(value >> shift);
        };
        put(resolved.component[0], address / 4, 0);
        if (offset + bytes > 4) put(resolved.component[1], address / 4 + 1, 32);
    });
}

// Section 4.6: the token is one byte of the output MAP.
void address_unit::out(const warp_op& op, const context& context, resolved_op& resolved, warp_result& result) const
{
    resolved.whole_words = false;
    auto& access = resolved.component[0];
    for_each_lane(op.lanes, [&](unsigned i) {
        const auto step = step_gs(op.handle[i], op.type, op.address[i] & 3U, i, context, config_.gs_slot_order);
        result.data[0][i] = step.state;
        result.status[i] = step.status;
        if (step.status == lane_status::gs_overflow) ++resolved.discarded.gs_overflow;
        if (!step.writes_token) return;
        const word address = context.output.map_base + step.token_offset;
        const unsigned shift = 8 * (address % 4);
        access.lanes |= lane_bit[i];
        access.index[i] = address / 4;
        access.byte_mask[i] = word{0xff} << shift;
        access.data[i] = word{step.token} << shift;
    });
}

} // namespace isbesim
