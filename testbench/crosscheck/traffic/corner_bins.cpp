// SPDX-License-Identifier: Apache-2.0
#include "testbench/crosscheck/traffic/corner_bins.h"

#include <sstream>

#include "models/attribute/layout.h"
#include "models/isbe/functional/lanes.h"
#include "models/isbe/rules/geometry_state.h"
#include "models/isbe/rules/memory_regions.h"
#include "testbench/crosscheck/traffic/corner_values.h"
#include "testbench/crosscheck/traffic/random_context.h"

namespace isbesim::testbench {

namespace {

/// Names of the first values of handle_corners() and slot_corners(), which depend on a count.
const std::vector<const char*> handle_names{"0",     "31",    "32",    "count_less_1", "count", "count_plus_1", "32767",
                                            "32768", "65535", "65536", "2^31-1",       "2^31",  "2^32-1"};
const std::vector<const char*> slot_ranges{"0", "1", "255", "256", "32767", "32768", "65534", "65535", "maximum"};
const std::vector<const char*> end_names{"before", "at", "past"};

std::string name_of_value(word value)
{
    std::ostringstream text;
    if (value < 0x20000)
        text << value;
    else
        text << "0x" << std::hex << value;
    return text.str();
}

/// 2^15, 2^16: the widths that a held response or a pause exceeds.
const std::vector<word> spans{0x8000, 0x10000};

} // namespace

corner_bins::field corner_bins::make(const bin_namer& add, const std::string& name, const std::vector<word>& values,
                                     const std::vector<const char*>& names)
{
    field result;
    for (std::size_t i = 0; i < (names.empty() ? values.size() : names.size()); ++i) {
        if (names.empty()) result.values.push_back(values[i]);
        result.bins.push_back(add("corner." + name + "." + (names.empty() ? name_of_value(values[i]) : names[i])));
    }
    return result;
}

corner_bins::corner_bins(const isbe_config& config, const bin_namer& add)
{
    for (const auto& corner : context_corners())
        contexts_.push_back(make(add, std::string("3.") + corner.name, corner.values));
    lanes_ = make(add, "2.lanes", lane_corners());
    sums_ = make(add, "4.2.sum", attribute_sums());
    handles_ = make(add, "4.2.handle", {}, handle_names);
    low_ends_ = make(add, "4.5.first_byte", {}, end_names);
    high_ends_ = make(add, "4.5.last_byte", {}, end_names);
    slots_ = make(add, "4.6.slot", {}, slot_ranges);
    std::vector<word> passes{1, 2, 31, 32, 64, 96, 127, 128};
    if (config.lines < warp_lanes) passes.resize(2);
    passes_ = make(add, "5.passes", passes);
    holds_ = make(add, "2.response_held", spans);
    pauses_ = make(add, "2.pause", spans);
}

void corner_bins::sample(unsigned port, const context& slot, const warp_op& op, const warp_result& result,
                         const transaction_times& times, std::uint32_t hold, bin_hits& hits)
{
    hit(lanes_, lanes_.values, op.lanes, hits);
    hit(passes_, passes_.values, result.passes, hits);
    const auto pause = times.begin_request - last_begin_[port];
    last_begin_[port] = times.begin_request;
    for (std::size_t i = 0; i < spans.size(); ++i) {
        hits[holds_.bins[i]] += hold >= spans[i] ? 1 : 0;
        hits[pauses_.bins[i]] += pause >= spans[i] ? 1 : 0;
    }
    if (result.error != op_error::none) return;
    if (op.op == opcode::bind) {
        const auto bound = unpack_context(op);
        for (std::size_t i = 0; i < contexts_.size(); ++i)
            hit(contexts_[i], contexts_[i].values, context_corners()[i].get(bound), hits);
    }
    if (op.lanes == 0) return;
    const auto& space = op.space == space::input && op.op != opcode::ast ? slot.input : slot.output;
    for (const unsigned lane : {first_lane(op.lanes), last_lane(op.lanes)}) {
        const word sum = op.address[lane] + static_cast<word>(op.immediate);
        if ((is_attribute(op.op) && op.form == address_form::logical) || op.op == opcode::al2p)
            hit(sums_, sums_.values, sum, hits);
        if (op.op == opcode::ald && op.form == address_form::logical && loads_by_handle(slot))
            hit(handles_, handle_corners(space.vertex_count), op.handle[lane], hits);
        if (op.op == opcode::out && slot.stage == stage::geometry)
            hit(slots_, slot_corners(slot.geometry.max_vertices), rules::state_slot(op.handle[lane]), hits);
        if (!is_raw(op.op)) continue;
        const bool downwards = op.op == opcode::isbewr && op.region == region::map;
        const word first = downwards ? sum - op.size + 1U : sum;
        for (word i = 0; i < end_names.size(); ++i) {
            hits[low_ends_.bins[i]] += first + 1 == i ? 1 : 0;
            // Bases do not matter for the size of a region.
            const word bytes = rules::extent_of(static_cast<word>(op.region), space, 0U).bytes;
            hits[high_ends_.bins[i]] += op.region != region::physical && first + op.size + 1 == bytes + i ? 1 : 0;
        }
    }
}

} // namespace isbesim::testbench
