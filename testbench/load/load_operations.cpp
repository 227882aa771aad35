// SPDX-License-Identifier: Apache-2.0
#include "testbench/load/load_operations.h"

#include <algorithm>
#include <stdexcept>

#include "models/attribute/layout.h"
#include "models/isbe/functional/gs_state.h"

namespace isbesim::testbench {

namespace {

constexpr unsigned attributes = max_components;
constexpr unsigned first_attribute = 0x80; // generic attribute 0
constexpr unsigned slots = 4;
constexpr unsigned random_groups = 8;
constexpr double weight_steps = 1U << 24;

/// Number of groups of 32 vertices, each of which begins a row.
unsigned groups_of(const load_profile& profile)
{
    unsigned most = 1;
    for (const auto& each : profile.conflicts) most = std::max(most, each.value);
    if (profile.handles == handle_pattern::random) most = std::max(most, random_groups);
    if (profile.handles == handle_pattern::stride)
        most = std::max(most, (profile.stride * (warp_lanes - 1)) / vertices_per_line + 1);
    return most;
}

/// The lines of one space.
unsigned lines_of(unsigned groups)
{
    return groups * attributes;
}

context context_of(const isbe_config& config, const load_profile& profile)
{
    const unsigned groups = groups_of(profile);
    const unsigned output_groups = std::max(groups, slots);
    context result;
    result.stage = stage::geometry;
    const auto fill = [](space_layout& space, unsigned first_line, unsigned count) {
        for (unsigned i = 0; i < attributes; ++i) space.allocated.insert(first_attribute / 4 + i);
        space.enabled = space.allocated;
        space.attr_base = first_line * line_bytes;
        space.attr_bytes = lines_of(count) * line_bytes;
        space.vertex_count = count * vertices_per_line;
    };
    fill(result.input, 0, groups);
    fill(result.output, lines_of(groups), output_groups);
    result.output.map_base = (lines_of(groups) + lines_of(output_groups)) * line_bytes;
    result.output.map_bytes = 4 + slots * warp_lanes;
    result.geometry.max_vertices = slots;
    result.geometry.thread_count = warp_lanes;
    result.geometry.stream_mask = 1;
    const auto needed = (result.output.map_base + result.output.map_bytes + line_bytes - 1) / line_bytes;
    if (needed > config.lines)
        throw std::invalid_argument("this pattern takes " + std::to_string(needed) +
                                    " lines, expected isbe.lines of at least that, now " +
                                    std::to_string(config.lines));
    return result;
}

} // namespace

load_operations::load_operations(const isbe_config& config, const load_profile& profile, unsigned port)
    : profile_(profile), context_(context_of(config, profile)), random_(profile.seed * 2 + port + 1)
{
    for (unsigned op = 0; op < opcode_count; ++op)
        if (profile.mix[op] > 0) opcodes_.push_back({op, profile.mix[op]});
}

void load_operations::bind(const isbe_config& config, const load_profile& profile, warp_op& op)
{
    op = warp_op{};
    op.op = opcode::bind;
    pack_context(context_of(config, profile), op);
}

unsigned load_operations::pick(const std::vector<weighted_value>& values)
{
    if (values.size() == 1) return values.front().value;
    double all = 0;
    for (const auto& each : values) all += each.weight;
    auto place = random_.below(static_cast<std::uint32_t>(weight_steps)) / weight_steps * all;
    for (const auto& each : values) {
        if (place < each.weight) return each.value;
        place -= each.weight;
    }
    return values.back().value;
}

/// Vertices of ALD. A line has 32 vertices of an attribute in its 32 columns: lanes with different vertices that are
/// equal modulo 32 conflict.
void load_operations::fill_vertices(warp_op& op)
{
    const auto degree = profile_.handles == handle_pattern::sequential ? pick(profile_.conflicts) : 1;
    for (unsigned lane = 0; lane < warp_lanes; ++lane) {
        switch (profile_.handles) {
        case handle_pattern::sequential:
            op.handle[lane] = lane % degree * vertices_per_line + lane / degree;
            break;
        case handle_pattern::same:
            op.handle[lane] = 0;
            break;
        case handle_pattern::stride:
            op.handle[lane] = lane * profile_.stride;
            break;
        case handle_pattern::random:
            op.handle[lane] = random_.below(context_.input.vertex_count);
            break;
        }
    }
}

/// Words of ISBERD and ISBEWR: the same patterns, line by line.
void load_operations::fill_words(warp_op& op)
{
    fill_vertices(op);
    for (unsigned lane = 0; lane < warp_lanes; ++lane)
        op.address[lane] = op.handle[lane] / vertices_per_line * line_bytes + op.handle[lane] % vertices_per_line * 4;
    op.handle = {};
}

void load_operations::next(warp_op& op)
{
    op.op = static_cast<opcode>(pick(opcodes_));
    op.lanes = profile_.lanes == warp_lanes ? all_lanes : (lane_mask{1} << profile_.lanes) - 1U;
    switch (op.op) {
    case opcode::ald:
    case opcode::al2p:
    case opcode::ast: {
        op.size = static_cast<std::uint8_t>(pick(profile_.sizes));
        const auto aligned = op.size == 3 ? 4U : op.size;
        op.immediate = static_cast<std::int32_t>(first_attribute + random_.below(attributes / aligned) * aligned * 4);
        if (op.op == opcode::ald) fill_vertices(op);
        if (op.op != opcode::ast) break;
        op.space = space::output;
        gs_state state;
        state.slot = random_.below(slots);
        state.stream_valid = state.slot != 0;
        state.strip = state.slot;
        op.handle.fill(encode_gs_state(state));
        for (unsigned c = 0; c < op.size; ++c)
            for (auto& value : op.data[c]) value = random_.bits();
        break;
    }
    case opcode::out:
        op.space = space::output; // every thread emits its first vertex
        break;
    case opcode::isberd:
    case opcode::isbewr:
        op.size = 4;
        fill_words(op);
        if (op.op == opcode::isberd) break;
        op.space = space::output;
        for (auto& value : op.data[0]) value = random_.bits();
        break;
    case opcode::bind:
        break;
    }
}

unsigned bytes_of(const warp_op& op)
{
    const auto lanes = static_cast<unsigned>(__builtin_popcount(op.lanes));
    if (is_attribute(op.op)) return lanes * op.size * 4;
    return is_raw(op.op) ? lanes * op.size : 0;
}

} // namespace isbesim::testbench
