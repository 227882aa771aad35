// SPDX-License-Identifier: Apache-2.0
#include "testbench/crosscheck/page/page_bins.h"

#include "models/isbe/execution/isbe_core.h"
#include "models/isbe/functional/lanes.h"

namespace isbesim::testbench {

namespace {

using c = condition;

/// Statuses that depend neither on the storage nor on other lanes.
constexpr auto of_the_lane = static_cast<std::uint16_t>(~(lane_status::overwritten | lane_status::write_conflict));

bool fits(const warp_result& expected, const warp_result& result)
{
    if (expected.error != result.error || expected.passes != result.passes) return false;
    for (unsigned lane = 0; lane < warp_lanes; ++lane)
        if (expected.status[lane] != (result.status[lane] & of_the_lane)) return false;
    return true;
}

/// Sections 4.7 and 5: conditions that only the response shows.
void look_at_response(const isbe_config& config, const context& slot, const warp_op& op, const warp_result& result,
                      const transaction_times& times, std::uint32_t hold, condition_set& met)
{
    const bool failed = result.error != op_error::none;
    const bool at_once = times.response - times.accept == unloaded_latency(config, op.op, result.passes);
    meet(met, failed ? (at_once ? c::error_at_once : c::error_later) : (at_once ? c::at_once : c::later));
    meet(met, c::request_waited, times.accept > times.begin_request);
    meet(met, c::held, hold > 0);
    const bool load = op.op == opcode::ald || op.op == opcode::isberd;
    const bool physical = is_raw(op.op) && op.region == region::physical;
    if (failed || physical || !load || op.space != space::input || !slot.shared_spaces) return;
    bool others = false;
    for_each_lane(op.lanes, [&](unsigned lane) {
        const bool flagged = (result.status[lane] & lane_status::overwritten) != 0;
        meet(met, c::load_of_overwritten, flagged);
        others = others || result.status[lane] == 0;
    });
    meet(met, c::load_of_others, others);
}

} // namespace

const condition_set& operation_conditions()
{
    static const condition_set set = [] {
        condition_set s;
        for (const auto what : {c::slot_beyond_table, c::stage_none, c::no_access, c::component_skipped, c::same_word,
                                c::several_passes, c::bytes_of_one_word, c::lane_lost, c::lane_overwritten,
                                c::request_waited, c::at_once, c::later, c::held, c::error_at_once, c::error_later})
            meet(s, what);
        return s;
    }();
    return set;
}

page_bins::page_bins(const isbe_config& config, const bin_namer& add)
    : config_(config), finder_(config), rows_(page_row::count), is_complete_(page_row::count, 1)
{
    for (const auto& row : all_page_rows()) {
        auto& mine = rows_[row.index()];
        mine.bins.resize(condition_count);
        for (const auto& [what, why_not] : bins_of(row)) {
            const auto name = "page." + row.name() + "." + name_of(what);
            if (why_not != nullptr) {
                excluded_.emplace_back(name, why_not);
                continue;
            }
            mine.bins[static_cast<unsigned>(what)] = add(name);
            meet(mine.missed, what);
            is_complete_[row.index()] = 0;
        }
    }
}

void page_bins::hit(const page_row& row, const condition_set& met, bin_hits& hits)
{
    auto& mine = rows_[row.index()];
    for (unsigned i = 0; i < condition_count; ++i) {
        if (!met.test(i)) continue;
        const auto b = mine.bins.empty() ? bin{0} : mine.bins[i];
        if (b == 0)
            surprises_.push_back(row.name() + "." + name_of(static_cast<condition>(i)));
        else
            ++hits[b];
    }
    mine.missed &= ~met;
    is_complete_[row.index()] = mine.missed.none() ? 1 : 0;
}

void page_bins::sample(const context& slot, const warp_op& op, const warp_result& result,
                       const transaction_times& times, std::uint32_t hold, bin_hits& hits)
{
    const auto of_operation = operation_row_of(op);
    const auto of_stage = stage_row_of(op, slot);
    if ((is_complete_[of_operation.index()] & is_complete_[of_stage.index()]) != 0) return;
    const auto& found = finder_.find(slot, op);
    if (!fits(found.answer, result)) return;
    auto met = found.met;
    look_at_response(config_, slot, op, result, times, hold, met);
    const auto& shared = operation_conditions();
    if (of_stage.stage == page_row::any_stage) return hit(of_operation, met, hits);
    hit(of_operation, met & shared, hits);
    hit(of_stage, met & ~shared, hits);
}

} // namespace isbesim::testbench
