// SPDX-License-Identifier: Apache-2.0
#include "models/sm/fault_reporter.h"

#include <algorithm>

#include "models/attribute/al2p.h"
#include "models/sm/warnings/trap_codes.h"

namespace isbesim {

namespace {

bool has(const warp_result& result, unsigned lane, std::uint16_t status)
{
    return (result.status[lane] & status) != 0;
}

/// Whether a lane lost bytes to another lane whose value differs; equal values are a common way to store one value.
bool loses_a_value(const warp_op& op, const warp_result& result)
{
    const bool whole_words = is_attribute(op.op) || op.size == 4;
    const word used = whole_words ? ~word{0} : (word{1} << 8U * op.size) - 1;
    const auto kept_by = [&](unsigned loser, unsigned lane) {
        return (op.lanes >> lane & 1U) != 0 && !has(result, lane, lane_status::write_conflict) &&
               op.address[lane] == op.address[loser] &&
               std::all_of(op.data.begin(), op.data.begin() + (is_attribute(op.op) ? op.size : 1),
                           [&](const auto& values) { return ((values[lane] ^ values[loser]) & used) == 0; });
    };
    for (unsigned loser = 0; loser < warp_lanes; ++loser) {
        if (!has(result, loser, lane_status::write_conflict)) continue;
        unsigned lane = 0;
        while (lane < warp_lanes && !kept_by(loser, lane)) ++lane;
        if (lane == warp_lanes) return true;
    }
    return false;
}

/// Whether a store by a result of AL2P names an attribute that the header does not write. Those that only the next
/// stage lacks are dropped on purpose; fixed addresses are checked when a draw is read.
bool names_no_output(const warp_op& op, const warp_result& result, const attribute_set* omap)
{
    if (omap == nullptr || op.form != address_form::phys) return false;
    for (unsigned lane = 0; lane < warp_lanes; ++lane)
        if (has(result, lane, lane_status::dropped_map) && !omap->contains(decode_al2p(op.address[lane]).id))
            return true;
    return false;
}

} // namespace

void fault_reporter::trap(const trap_record& trap)
{
    counters_.add_trap(trap);
    if (observer_ != nullptr) observer_->trapped(trap);
}

void fault_reporter::report(const attribute_operation& operation, const warp_result& result, const warp_facts& warp,
                            std::uint64_t now)
{
    const auto stage = warp.stage;
    const auto lanes_with = [&](std::uint16_t status) {
        lane_mask lanes = 0;
        for (unsigned lane = 0; lane < warp_lanes; ++lane)
            if (has(result, lane, status)) lanes |= lane_mask{1} << lane;
        return lanes;
    };
    const auto add_trap = [&](std::uint8_t code, lane_mask lanes) {
        trap({code, stage, operation.warp, lanes, operation.pc, now});
    };
    const auto warning = [&](warning_kind kind) { counters_.warnings.add(kind, stage, operation.pc, 0, now); };
    if (result.error != op_error::none) {
        add_trap(static_cast<std::uint8_t>(result.error), operation.op.lanes);
        return;
    }
    std::uint16_t any = 0;
    for (const std::uint16_t status : result.status) any |= status;
    if (any == lane_status::ok) return;

    const opcode op = operation.op.op;
    const auto either = [&](std::uint16_t status, bool traps, std::uint8_t code, warning_kind kind) {
        if ((any & status) == 0) return;
        if (traps)
            add_trap(code, lanes_with(status));
        else
            warning(kind);
    };
    either(lane_status::handle_range, config_.trap_vertex_range, trap_code::oor_addr, warning_kind::handle_range);
    either(lane_status::gs_state, config_.trap_gs_state, trap_code::geometry_sm_error, warning_kind::gs_state);
    if (is_raw(op))
        either(lane_status::out_of_range, config_.trap_isbe_range, trap_code::oor_addr, warning_kind::isbe_range);
    const bool patch = operation.op.form == address_form::patch;
    const auto warn_if = [&](std::uint16_t status, warning_kind kind, auto&& applies) {
        if ((any & status) != 0 && applies()) warning(kind);
    };
    const auto always = [] { return true; };
    warn_if(lane_status::out_of_range, warning_kind::patch_range, [&] { return patch; });
    // Further components of a vector .PHYS access follow from the first one.
    warn_if(lane_status::out_of_range, warning_kind::attribute_range,
            [&] { return is_attribute(op) && !patch && operation.component == 0; });
    warn_if(lane_status::gs_overflow, warning_kind::beyond_maximum, always);
    warn_if(lane_status::write_conflict, warning_kind::write_conflict,
            [&] { return loses_a_value(operation.op, result); });
    warn_if(lane_status::dropped_map, warning_kind::no_output,
            [&] { return names_no_output(operation.op, result, warp.omap); });
    warn_if(lane_status::not_al2p, warning_kind::not_al2p, always);
    warn_if(lane_status::overwritten, warning_kind::overwritten, always);
}

} // namespace isbesim
