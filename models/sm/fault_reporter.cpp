// SPDX-License-Identifier: Apache-2.0
#include "models/sm/fault_reporter.h"

#include "models/sm/warnings/trap_codes.h"

namespace isbesim {

void fault_reporter::trap(const trap_record& trap)
{
    counters_.add_trap(trap);
    if (observer_ != nullptr) observer_->trapped(trap);
}

void fault_reporter::report(const attribute_operation& operation, const warp_result& result, isbesim::stage stage,
                            std::uint64_t now)
{
    const auto lanes_with = [&](std::uint16_t status) {
        lane_mask lanes = 0;
        for (unsigned lane = 0; lane < warp_lanes; ++lane)
            if ((result.status[lane] & status) != 0) lanes |= lane_mask{1} << lane;
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
    if (operation.op.form == address_form::patch && (any & lane_status::out_of_range) != 0)
        warning(warning_kind::patch_range);
    if ((any & lane_status::not_al2p) != 0) warning(warning_kind::not_al2p);
    if ((any & lane_status::overwritten) != 0) warning(warning_kind::overwritten);
}

} // namespace isbesim
